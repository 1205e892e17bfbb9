// The kernels that no library has, behind plain functions. All run on `stream` and return at once.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace xuanka::probe::kernels {

/// Number formats of buffers.
enum class Type { kFloat, kHalf, kBfloat16, kInt8, kFp8 };
/// Bytes of one element.
[[nodiscard]] std::size_t size_of(Type type);

/// Pseudo-random numbers between -0.5 and 0.5 times `scale` (int8: all values): products of zeros
/// would draw less power than real ones and run at higher clocks.
[[nodiscard]] cudaError_t fill(void* to, std::size_t count, Type type, cudaStream_t stream,
                               float scale = 1);
/// a = b + s c, count in floats, a multiple of 4.
[[nodiscard]] cudaError_t triad(float* a, const float* b, const float* c, std::size_t count,
                                cudaStream_t stream);
[[nodiscard]] cudaError_t empty(cudaStream_t stream);

// Layers of a transformer, in 16 bits (`bf16` or half); rows x width elements each.
/// y = x / rms(x) * w.
[[nodiscard]] cudaError_t norm(void* y, const void* x, const void* w, int rows, int width,
                               bool bf16, cudaStream_t stream);
/// dx from dy and x.
[[nodiscard]] cudaError_t norm_backward(void* dx, const void* dy, const void* x, const void* w,
                                        int rows, int width, bool bf16, cudaStream_t stream);
/// Causal softmax over rows of `width` scores, row r of a head attends to r + 1 of them; in place.
[[nodiscard]] cudaError_t softmax(void* scores, long long rows, int width, float scale, bool bf16,
                                  cudaStream_t stream);
/// ds = p (dp - sum(p dp)), in place on dp.
[[nodiscard]] cudaError_t softmax_backward(void* dp, const void* p, long long rows, int width,
                                           float scale, bool bf16, cudaStream_t stream);
/// y = silu(gate) * up; without `up`, y = silu(gate).
[[nodiscard]] cudaError_t gate(void* y, const void* gate, const void* up, std::size_t count,
                               bool bf16, cudaStream_t stream);
/// dgate and dup from dy.
[[nodiscard]] cudaError_t gate_backward(void* dgate, void* dup, const void* dy, const void* gate,
                                        const void* up, std::size_t count, bool bf16,
                                        cudaStream_t stream);
/// y += x.
[[nodiscard]] cudaError_t add(void* y, const void* x, std::size_t count, bool bf16,
                              cudaStream_t stream);

}  // namespace xuanka::probe::kernels
