// What CUDA hands out, given back at the end of the scope; errors as words.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <string>
#include <utility>

#include "shell/probe/device.hpp"

namespace xuanka::probe {

using Done = tl::expected<void, std::string>;

/// Clears the error, so that the next measurement does not find it.
[[nodiscard]] inline Done checked(cudaError_t status) {
  if (status == cudaSuccess) return {};
  (void)cudaGetLastError();
  switch (status) {
    case cudaErrorMemoryAllocation:
      return tl::unexpected(std::string("out_of_memory"));
    case cudaErrorNoDevice:
      return tl::unexpected(std::string("no_gpu"));
    case cudaErrorInsufficientDriver:
      return tl::unexpected(std::string("driver_too_old"));
    case cudaErrorNoKernelImageForDevice:
      return tl::unexpected(std::string("not_supported"));
    default:
      return tl::unexpected(std::string(cudaGetErrorString(status)));
  }
}
[[nodiscard]] inline Done checked(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return {};
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH) {
    return tl::unexpected(std::string("not_supported"));
  }
  if (status == CUBLAS_STATUS_ALLOC_FAILED) return tl::unexpected(std::string("out_of_memory"));
  return tl::unexpected(std::string(cublasGetStatusString(status)));
}

}  // namespace xuanka::probe

/// Leaves the function with the error of `call`.
#define XUANKA_CUDA(call)                                      \
  do {                                                         \
    if (auto&& done_ = ::xuanka::probe::checked(call); !done_) \
      return tl::unexpected(std::move(done_).error());         \
  } while (false)
/// The same for what is a Done or Tried already.
#define XUANKA_DONE(call)                                                               \
  do {                                                                                  \
    if (auto&& done_ = (call); !done_) return tl::unexpected(std::move(done_).error()); \
  } while (false)

namespace xuanka::probe {

/// Owns one handle; `Free` gives it back.
template <class Handle, auto Free>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr) (void)Free(handle_);
  }
  [[nodiscard]] Handle get() const { return handle_; }
  [[nodiscard]] Handle* out() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};

using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using Memory = Owned<void*, cudaFree>;
using PinnedMemory = Owned<void*, cudaFreeHost>;
using Blas = Owned<cublasHandle_t, cublasDestroy>;
using BlasLt = Owned<cublasLtHandle_t, cublasLtDestroy>;
using ProductDesc = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using LayoutDesc = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

[[nodiscard]] inline Tried<Memory> allocate(std::size_t bytes) {
  Memory memory;
  XUANKA_CUDA(cudaMalloc(memory.out(), bytes));
  return memory;
}

}  // namespace xuanka::probe
