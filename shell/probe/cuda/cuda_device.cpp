#include "shell/probe/cuda/cuda_device.hpp"

#include <array>
#include <cstdlib>
#include <memory>

#include "shell/probe/cuda/block.hpp"
#include "shell/probe/cuda/kernels.hpp"
#include "shell/probe/cuda/nccl.hpp"
#include "shell/probe/cuda/timing.hpp"

namespace xuanka::probe {
namespace {

constexpr std::size_t kWorkspace = std::size_t{64}
                                   << 20;  // more than cuBLAS recommends for any card

std::string version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// How cuBLASLt is told of a format.
struct Types {
  cudaDataType_t in, out, scale;
  cublasComputeType_t compute;
  kernels::Type fill;
  int least_capability;  // 10 x the compute capability that has units for it
};
Types types_of(Format format) {
  using kernels::Type;
  switch (format) {
    case Format::kTf32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, Type::kFloat, 80};
    case Format::kFp16:
      return {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, Type::kHalf, 53};
    case Format::kFp16Acc16:
      return {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, Type::kHalf, 53};
    case Format::kBf16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, Type::kBfloat16, 80};
    case Format::kInt8:
      return {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, Type::kInt8, 72};
    case Format::kFp8:
      return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, Type::kFp8, 89};
    default:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, Type::kFloat, 0};
  }
}
std::size_t bytes_of(cudaDataType_t type) {
  return type == CUDA_R_32F || type == CUDA_R_32I      ? 4
         : type == CUDA_R_8I || type == CUDA_R_8F_E4M3 ? 1
                                                       : 2;
}

// One product of cuBLASLt: D = A^T B, the layout that every format has.
class Product {
 public:
  Product(const Types& types, Shape shape)
      : types_(types),
        m_(static_cast<std::size_t>(shape.m)),
        n_(static_cast<std::size_t>(shape.n)),
        k_(static_cast<std::size_t>(shape.k)) {}

  Done prepare(cudaStream_t stream) {
    stream_ = stream;
    XUANKA_CUDA(cublasLtCreate(lt_.out()));
    XUANKA_DONE(allocate_operands());
    XUANKA_CUDA(cublasLtMatmulDescCreate(product_.out(), types_.compute, types_.scale));
    const cublasOperation_t transposed = CUBLAS_OP_T;
    XUANKA_CUDA(cublasLtMatmulDescSetAttribute(product_.get(), CUBLASLT_MATMUL_DESC_TRANSA,
                                               &transposed, sizeof transposed));
    XUANKA_CUDA(cublasLtMatrixLayoutCreate(a_layout_.out(), types_.in, k_, m_,
                                           static_cast<std::int64_t>(k_)));
    XUANKA_CUDA(cublasLtMatrixLayoutCreate(b_layout_.out(), types_.in, k_, n_,
                                           static_cast<std::int64_t>(k_)));
    XUANKA_CUDA(cublasLtMatrixLayoutCreate(d_layout_.out(), types_.out, m_, n_,
                                           static_cast<std::int64_t>(m_)));
    Preference preference;
    XUANKA_CUDA(cublasLtMatmulPreferenceCreate(preference.out()));
    const std::size_t most = kWorkspace;
    XUANKA_CUDA(cublasLtMatmulPreferenceSetAttribute(
        preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
    int found = 0;
    XUANKA_CUDA(cublasLtMatmulAlgoGetHeuristic(lt_.get(), product_.get(), a_layout_.get(),
                                               b_layout_.get(), d_layout_.get(), d_layout_.get(),
                                               preference.get(), 1, &choice_, &found));
    if (found == 0) return tl::unexpected(std::string("not_supported"));
    return {};
  }

  Done enqueue() {
    // One and zero in whatever type the scale has.
    const float float_one = 1;
    const std::int32_t int_one = 1;
    const std::uint16_t half_one = 0x3C00;
    const std::uint32_t zero = 0;
    const void* one = types_.scale == CUDA_R_32I   ? static_cast<const void*>(&int_one)
                      : types_.scale == CUDA_R_16F ? static_cast<const void*>(&half_one)
                                                   : static_cast<const void*>(&float_one);
    return checked(cublasLtMatmul(lt_.get(), product_.get(), one, a_.get(), a_layout_.get(),
                                  b_.get(), b_layout_.get(), &zero, d_.get(), d_layout_.get(),
                                  d_.get(), d_layout_.get(), &choice_.algo, workspace_.get(),
                                  kWorkspace, stream_));
  }

 private:
  Done allocate_operands() {
    struct Want {
      Memory* to;
      std::size_t bytes;
    };
    for (const Want& want :
         {Want{&a_, m_ * k_ * bytes_of(types_.in)}, Want{&b_, k_ * n_ * bytes_of(types_.in)},
          Want{&d_, m_ * n_ * bytes_of(types_.out)}, Want{&workspace_, kWorkspace}}) {
      auto memory = allocate(want.bytes);
      XUANKA_DONE(memory);
      *want.to = *std::move(memory);
    }
    XUANKA_CUDA(kernels::fill(a_.get(), m_ * k_, types_.fill, stream_));
    XUANKA_CUDA(kernels::fill(b_.get(), k_ * n_, types_.fill, stream_));
    return {};
  }

  Types types_;
  std::size_t m_, n_, k_;
  cudaStream_t stream_ = nullptr;
  Memory a_, b_, d_, workspace_;
  BlasLt lt_;
  ProductDesc product_;
  LayoutDesc a_layout_, b_layout_, d_layout_;
  cublasLtMatmulHeuristicResult_t choice_{};
};

class CudaDevice : public Device {
 public:
  Tried<Rig> rig() override {
    Rig rig;
    rig.driver = nvml_.driver();
    int driver = 0;
    int runtime = 0;
    XUANKA_CUDA(cudaDriverGetVersion(&driver));
    if (driver == 0) return tl::unexpected(std::string("no_driver"));
    XUANKA_CUDA(cudaRuntimeGetVersion(&runtime));
    rig.cuda_driver = version_text(driver);
    rig.cuda_runtime = version_text(runtime);
    int count = 0;
    XUANKA_CUDA(cudaGetDeviceCount(&count));
    const std::size_t blas = cublasLtGetVersion();
    rig.cublas = std::to_string(blas / 10000) + "." + std::to_string(blas / 100 % 100) + "." +
                 std::to_string(blas % 100);
    rig.nccl = nccl_version();
    for (int gpu = 0; gpu < count; ++gpu) {
      auto card = describe(gpu);
      XUANKA_DONE(card);
      rig.cards.push_back(*std::move(card));
    }
    cards_ = count;
    return rig;
  }

  Tried<Timing> matmul(int gpu, Format format, Shape shape, const Effort& effort) override {
    auto stream = use(gpu);
    XUANKA_DONE(stream);
    const Types types = types_of(format);
    auto capability = capability_of(gpu);
    XUANKA_DONE(capability);
    if (*capability < types.least_capability) return tl::unexpected(std::string("not_supported"));
    Product product(types, shape);
    XUANKA_DONE(product.prepare(stream->get()));
    return time_on(stream->get(), effort, nvml_, pci(gpu).data(),
                   [&] { return product.enqueue(); });
  }

  Tried<Timing> memory(int gpu, MemoryKind kind, double bytes, const Effort& effort) override {
    auto stream = use(gpu);
    XUANKA_DONE(stream);
    const std::size_t count = static_cast<std::size_t>(bytes) / 16 * 4;  // floats, whole quadruples
    std::array<Memory, 3> buffers;
    for (Memory& buffer : buffers) {
      auto memory = allocate(count * 4);
      XUANKA_DONE(memory);
      buffer = *std::move(memory);
      XUANKA_CUDA(kernels::fill(buffer.get(), count, kernels::Type::kFloat, stream->get()));
    }
    const auto at = [&](std::size_t i) { return static_cast<float*>(buffers[i].get()); };
    return time_on(stream->get(), effort, nvml_, pci(gpu).data(), [&]() -> Done {
      if (kind == MemoryKind::kTriad)
        return checked(kernels::triad(at(0), at(1), at(2), count, stream->get()));
      return checked(
          cudaMemcpyAsync(at(0), at(1), count * 4, cudaMemcpyDeviceToDevice, stream->get()));
    });
  }

  Tried<Timing> host_copy(int gpu, bool to_device, bool pinned, double bytes,
                          const Effort& effort) override {
    auto stream = use(gpu);
    XUANKA_DONE(stream);
    const auto size = static_cast<std::size_t>(bytes);
    auto there = allocate(size);
    XUANKA_DONE(there);
    PinnedMemory locked;
    std::vector<char> pages;
    if (pinned) {
      XUANKA_CUDA(cudaMallocHost(locked.out(), size));
    } else {
      pages.assign(size, 1);
    }
    void* here = pinned ? locked.get() : static_cast<void*>(pages.data());
    return time_on(stream->get(), effort, nvml_, pci(gpu).data(), [&]() -> Done {
      return checked(
          to_device
              ? cudaMemcpyAsync(there->get(), here, size, cudaMemcpyHostToDevice, stream->get())
              : cudaMemcpyAsync(here, there->get(), size, cudaMemcpyDeviceToHost, stream->get()));
    });
  }

  bool peer_access(int from, int to) override {
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess && can != 0;
  }

  Tried<Timing> pair_copy(int from, int to, bool peer, double bytes,
                          const Effort& effort) override {
    const auto size = static_cast<std::size_t>(bytes);
    XUANKA_CUDA(cudaSetDevice(to));
    auto there = allocate(size);
    XUANKA_DONE(there);
    auto stream = use(from);
    XUANKA_DONE(stream);
    auto here = allocate(size);
    XUANKA_DONE(here);
    // Without peer access the driver stages the copy through the host.
    if (peer) {
      const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
      if (status != cudaErrorPeerAccessAlreadyEnabled) XUANKA_CUDA(status);
      (void)cudaGetLastError();
    }
    auto timing = time_on(stream->get(), effort, nvml_, pci(from).data(), [&]() -> Done {
      return checked(cudaMemcpyPeerAsync(there->get(), to, here->get(), from, size, stream->get()));
    });
    if (peer) {
      (void)cudaDeviceDisablePeerAccess(to);
      (void)cudaGetLastError();
    }
    return timing;
  }

  Tried<Timing> all_reduce(double bytes, const Effort& effort) override {
    return nccl_all_reduce(cards_, bytes, effort);
  }

  Tried<Timing> launch(int gpu, const Effort& effort) override {
    auto stream = use(gpu);
    XUANKA_DONE(stream);
    return time_on(stream->get(), effort, nvml_, pci(gpu).data(), [&]() -> Done {
      XUANKA_CUDA(kernels::empty(stream->get()));
      return checked(cudaStreamSynchronize(stream->get()));
    });
  }

  Tried<BlockTiming> block(int gpu, const Block& block, const Effort& effort) override {
    auto stream = use(gpu);
    XUANKA_DONE(stream);
    auto capability = capability_of(gpu);
    XUANKA_DONE(capability);
    return time_block(block, *capability >= 80, effort, nvml_, pci(gpu).data());
  }

 private:
  using Pci = std::array<char, 32>;

  [[nodiscard]] static Pci pci(int gpu) {
    Pci text{};
    (void)cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), gpu);
    return text;
  }
  [[nodiscard]] static Tried<int> capability_of(int gpu) {
    int major = 0;
    int minor = 0;
    XUANKA_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu));
    XUANKA_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu));
    return major * 10 + minor;
  }
  // Makes the card current, with a stream of its own.
  [[nodiscard]] static Tried<Stream> use(int gpu) {
    XUANKA_CUDA(cudaSetDevice(gpu));
    Stream stream;
    XUANKA_CUDA(cudaStreamCreateWithFlags(stream.out(), cudaStreamNonBlocking));
    return stream;
  }

  [[nodiscard]] Tried<Card> describe(int gpu) const {
    cudaDeviceProp facts{};
    XUANKA_CUDA(cudaGetDeviceProperties(&facts, gpu));
    const Pci bus = pci(gpu);
    Card card;
    // Asked before this process shows up among those that compute on the card.
    card.other_processes = nvml_.other_processes(bus.data());
    card.name = facts.name;
    constexpr std::string_view kHex = "0123456789abcdef";
    card.uuid = "GPU-";
    for (std::size_t i = 0; i < sizeof facts.uuid.bytes; ++i) {
      const auto byte = static_cast<unsigned char>(facts.uuid.bytes[i]);
      if (i == 4 || i == 6 || i == 8 || i == 10) card.uuid += '-';
      card.uuid += kHex[byte >> 4U];
      card.uuid += kHex[byte & 15U];
    }
    card.compute_capability = std::to_string(facts.major) + "." + std::to_string(facts.minor);
    card.multiprocessors = facts.multiProcessorCount;
    card.sm_clock_mhz = nvml_.max_clock_mhz(bus.data(), Nvml::Clock::kSm);
    card.memory_clock_mhz = nvml_.max_clock_mhz(bus.data(), Nvml::Clock::kMemory);
    card.power_limit_w = nvml_.power_limit_w(bus.data());
    card.pcie_gen = nvml_.pcie_gen(bus.data(), false);
    card.pcie_width = nvml_.pcie_width(bus.data(), false);
    card.pcie_max_gen = nvml_.pcie_gen(bus.data(), true);
    card.pcie_max_width = nvml_.pcie_width(bus.data(), true);
    card.nvlinks = nvml_.nvlinks(bus.data());
    XUANKA_CUDA(cudaSetDevice(gpu));
    std::size_t free = 0;
    std::size_t total = 0;
    XUANKA_CUDA(cudaMemGetInfo(&free, &total));
    card.memory_bytes = static_cast<double>(total);
    card.free_bytes = static_cast<double>(free);
    return card;
  }

  Nvml nvml_;
  int cards_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device() { return std::make_unique<CudaDevice>(); }

}  // namespace xuanka::probe
