#include "shell/probe/cuda/kernels.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

namespace xuanka::probe::kernels {
namespace {

constexpr int kThreads = 256;
constexpr std::size_t kMostBlocks = 65535;

unsigned blocks_for(std::size_t count) {
  const std::size_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < kMostBlocks ? (blocks == 0 ? 1 : blocks) : kMostBlocks);
}

__device__ inline float as_float(__half x) { return __half2float(x); }
__device__ inline float as_float(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class T>
__device__ T from_float(float x) {
  return T(x);
}
template <>
__device__ __half from_float<__half>(float x) {
  return __float2half(x);
}
template <>
__device__ __nv_bfloat16 from_float<__nv_bfloat16>(float x) {
  return __float2bfloat16(x);
}
template <>
__device__ int8_t from_float<int8_t>(float x) {
  return static_cast<int8_t>(x * 254.0F);
}

// The finaliser of MurmurHash3: well mixed bits of a counter.
__device__ inline float noise(std::size_t i) {
  auto h = static_cast<uint32_t>(i) * 2654435761U + 12345U;
  h ^= h >> 16U;
  h *= 0x85EBCA6BU;
  h ^= h >> 13U;
  h *= 0xC2B2AE35U;
  h ^= h >> 16U;
  return static_cast<float>(h) * (1.0F / 4294967296.0F) - 0.5F;
}

template <class T>
__global__ void fill_kernel(T* to, std::size_t count, float scale) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = from_float<T>(noise(i) * scale);
  }
}

__global__ void triad_kernel(float4* a, const float4* b, const float4* c, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float4 x = b[i];
    const float4 y = c[i];
    a[i] = make_float4(x.x + 3.0F * y.x, x.y + 3.0F * y.y, x.z + 3.0F * y.z, x.w + 3.0F * y.w);
  }
}

__global__ void empty_kernel() {}

// The sum of one value of each thread, given to all of them.
__device__ float block_sum(float value) {
  __shared__ float part[kThreads / 32];
  __syncthreads();  // the last sum may still be read
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xFFFFFFFFU, value, offset);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kThreads / 32; ++i) sum += part[i];
  return sum;
}
__device__ float block_max(float value) {
  __shared__ float part[kThreads / 32];
  __syncthreads();
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_down_sync(0xFFFFFFFFU, value, offset));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  float most = part[0];
  for (int i = 1; i < kThreads / 32; ++i) most = fmaxf(most, part[i]);
  return most;
}

template <class T>
__global__ void norm_kernel(T* y, const T* x, const T* w, int width) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width);
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const float v = as_float(x[row + static_cast<std::size_t>(i)]);
    sum += v * v;
  }
  const float scale = rsqrtf(block_sum(sum) / static_cast<float>(width) + 1e-5F);
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    y[at] = from_float<T>(as_float(x[at]) * scale * as_float(w[i]));
  }
}

template <class T>
__global__ void norm_backward_kernel(T* dx, const T* dy, const T* x, const T* w, int width) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width);
  float squares = 0;
  float along = 0;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    const float v = as_float(x[at]);
    squares += v * v;
    along += v * as_float(dy[at]) * as_float(w[i]);
  }
  const float mean = block_sum(squares) / static_cast<float>(width) + 1e-5F;
  const float scale = rsqrtf(mean);
  const float pull = block_sum(along) / (static_cast<float>(width) * mean);
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    dx[at] = from_float<T>(scale * (as_float(dy[at]) * as_float(w[i]) - as_float(x[at]) * pull));
  }
}

template <class T>
__global__ void softmax_kernel(T* scores, int width, float scale) {
  T* row = scores + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width);
  const int visible = static_cast<int>(blockIdx.x % static_cast<unsigned>(width)) + 1;
  float most = -3e38F;
  for (int i = static_cast<int>(threadIdx.x); i < visible; i += kThreads) most = fmaxf(most, as_float(row[i]) * scale);
  most = block_max(most);
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < visible; i += kThreads) sum += __expf(as_float(row[i]) * scale - most);
  sum = block_sum(sum);
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    row[i] = from_float<T>(i < visible ? __expf(as_float(row[i]) * scale - most) / sum : 0.0F);
  }
}

template <class T>
__global__ void softmax_backward_kernel(T* dp, const T* p, int width, float scale) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(width);
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    sum += as_float(p[at]) * as_float(dp[at]);
  }
  sum = block_sum(sum);
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const std::size_t at = row + static_cast<std::size_t>(i);
    dp[at] = from_float<T>(scale * as_float(p[at]) * (as_float(dp[at]) - sum));
  }
}

template <class T>
__global__ void gate_kernel(T* y, const T* gate, const T* up, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float g = as_float(gate[i]);
    y[i] = from_float<T>(g / (1.0F + __expf(-g)) * (up == nullptr ? 1.0F : as_float(up[i])));
  }
}

template <class T>
__global__ void gate_backward_kernel(T* dgate, T* dup, const T* dy, const T* gate, const T* up, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float g = as_float(gate[i]);
    const float d = as_float(dy[i]);
    const float s = 1.0F / (1.0F + __expf(-g));
    const float u = up == nullptr ? 1.0F : as_float(up[i]);
    dgate[i] = from_float<T>(d * u * s * (1.0F + g * (1.0F - s)));
    if (dup != nullptr) dup[i] = from_float<T>(d * g * s);
  }
}

template <class T>
__global__ void add_kernel(T* y, const T* x, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    y[i] = from_float<T>(as_float(y[i]) + as_float(x[i]));
  }
}

template <class T>
cudaError_t fill_as(void* to, std::size_t count, cudaStream_t stream, float scale) {
  fill_kernel<T><<<blocks_for(count), kThreads, 0, stream>>>(static_cast<T*>(to), count, scale);
  return cudaGetLastError();
}

// Calls `launch` with a pointer of the 16-bit type.
template <class Launch>
cudaError_t in_type(bool bf16, const Launch& launch) {
  if (bf16) {
    launch(static_cast<__nv_bfloat16*>(nullptr));
  } else {
    launch(static_cast<__half*>(nullptr));
  }
  return cudaGetLastError();
}

}  // namespace

std::size_t size_of(Type type) { return type == Type::kFloat ? 4 : type == Type::kHalf || type == Type::kBfloat16 ? 2 : 1; }

cudaError_t fill(void* to, std::size_t count, Type type, cudaStream_t stream, float scale) {
  switch (type) {
    case Type::kFloat:
      return fill_as<float>(to, count, stream, scale);
    case Type::kHalf:
      return fill_as<__half>(to, count, stream, scale);
    case Type::kBfloat16:
      return fill_as<__nv_bfloat16>(to, count, stream, scale);
    case Type::kInt8:
      return fill_as<int8_t>(to, count, stream, scale);
    case Type::kFp8:
      return fill_as<__nv_fp8_e4m3>(to, count, stream, scale);
  }
  return cudaErrorInvalidValue;
}

cudaError_t triad(float* a, const float* b, const float* c, std::size_t count, cudaStream_t stream) {
  const std::size_t quads = count / 4;
  triad_kernel<<<blocks_for(quads), kThreads, 0, stream>>>(reinterpret_cast<float4*>(a), reinterpret_cast<const float4*>(b),
                                                           reinterpret_cast<const float4*>(c), quads);
  return cudaGetLastError();
}

cudaError_t empty(cudaStream_t stream) {
  empty_kernel<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t norm(void* y, const void* x, const void* w, int rows, int width, bool bf16, cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    norm_kernel<T><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(static_cast<T*>(y), static_cast<const T*>(x),
                                                                         static_cast<const T*>(w), width);
  });
}

cudaError_t norm_backward(void* dx, const void* dy, const void* x, const void* w, int rows, int width, bool bf16,
                          cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    norm_backward_kernel<T><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(
        static_cast<T*>(dx), static_cast<const T*>(dy), static_cast<const T*>(x), static_cast<const T*>(w), width);
  });
}

cudaError_t softmax(void* scores, long long rows, int width, float scale, bool bf16, cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    softmax_kernel<T><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(static_cast<T*>(scores), width, scale);
  });
}

cudaError_t softmax_backward(void* dp, const void* p, long long rows, int width, float scale, bool bf16,
                             cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    softmax_backward_kernel<T><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(
        static_cast<T*>(dp), static_cast<const T*>(p), width, scale);
  });
}

cudaError_t gate(void* y, const void* gate, const void* up, std::size_t count, bool bf16, cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    gate_kernel<T><<<blocks_for(count), kThreads, 0, stream>>>(static_cast<T*>(y), static_cast<const T*>(gate),
                                                               static_cast<const T*>(up), count);
  });
}

cudaError_t gate_backward(void* dgate, void* dup, const void* dy, const void* gate, const void* up, std::size_t count,
                          bool bf16, cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    gate_backward_kernel<T><<<blocks_for(count), kThreads, 0, stream>>>(
        static_cast<T*>(dgate), static_cast<T*>(dup), static_cast<const T*>(dy), static_cast<const T*>(gate),
        static_cast<const T*>(up), count);
  });
}

cudaError_t add(void* y, const void* x, std::size_t count, bool bf16, cudaStream_t stream) {
  return in_type(bf16, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    add_kernel<T><<<blocks_for(count), kThreads, 0, stream>>>(static_cast<T*>(y), static_cast<const T*>(x), count);
  });
}

}  // namespace xuanka::probe::kernels
