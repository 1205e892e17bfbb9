#include "shell/probe/cuda/nccl.hpp"

#include <dlfcn.h>

#include <chrono>

#include "shell/probe/cuda/kernels.hpp"
#include "shell/probe/cuda/resources.hpp"

namespace xuanka::probe {
namespace {

// As in NCCL's published interface (docs.nvidia.com/deeplearning/nccl); every function returns 0
// for success.
using Comm = void*;
constexpr int kHalf = 6;
constexpr int kSum = 0;

struct Nccl {
  void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  template <class Function>
  Function* symbol(const char* name) const {
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
  }
  int (*version)(int*) = symbol<int(int*)>("ncclGetVersion");
  int (*init)(Comm*, int, const int*) = symbol<int(Comm*, int, const int*)>("ncclCommInitAll");
  int (*destroy)(Comm) = symbol<int(Comm)>("ncclCommDestroy");
  int (*begin)() = symbol<int()>("ncclGroupStart");
  int (*end)() = symbol<int()>("ncclGroupEnd");
  int (*reduce)(const void*, void*, std::size_t, int, int, Comm, cudaStream_t) =
      symbol<int(const void*, void*, std::size_t, int, int, Comm, cudaStream_t)>("ncclAllReduce");
  const char* (*text)(int) = symbol<const char*(int)>("ncclGetErrorString");
  [[nodiscard]] bool there() const {
    return version != nullptr && init != nullptr && destroy != nullptr && begin != nullptr &&
           end != nullptr && reduce != nullptr && text != nullptr;
  }
  [[nodiscard]] Done checked(int status) const {
    if (status == 0) return {};
    return tl::unexpected(std::string(text(status)));
  }
};

const Nccl& nccl() {
  static const Nccl library;
  return library;
}

// The communicators and buffers of one run.
struct Party {
  std::vector<Comm> comms;
  std::vector<Stream> streams;
  std::vector<Memory> buffers;
  Party() = default;
  Party(const Party&) = delete;
  Party& operator=(const Party&) = delete;
  ~Party() {
    for (const Comm comm : comms) {
      if (comm != nullptr) (void)nccl().destroy(comm);
    }
  }
};

Done join(Party& party, int cards, std::size_t count) {
  for (int card = 0; card < cards; ++card) {
    XUANKA_CUDA(cudaSetDevice(card));
    XUANKA_CUDA(
        cudaStreamCreateWithFlags(party.streams.emplace_back().out(), cudaStreamNonBlocking));
    auto buffer = allocate(count * 2);
    XUANKA_DONE(buffer);
    party.buffers.push_back(*std::move(buffer));
    XUANKA_CUDA(
        cudaMemsetAsync(party.buffers.back().get(), 0, count * 2, party.streams.back().get()));
  }
  party.comms.assign(static_cast<std::size_t>(cards), nullptr);
  return nccl().checked(nccl().init(party.comms.data(), cards, nullptr));
}

Done sum(const Party& party, std::size_t count, int runs) {
  for (int run = 0; run < runs; ++run) {
    XUANKA_DONE(nccl().checked(nccl().begin()));
    for (std::size_t i = 0; i < party.comms.size(); ++i) {
      void* buffer = party.buffers[i].get();
      XUANKA_DONE(nccl().checked(nccl().reduce(buffer, buffer, count, kHalf, kSum, party.comms[i],
                                               party.streams[i].get())));
    }
    XUANKA_DONE(nccl().checked(nccl().end()));
  }
  for (std::size_t i = 0; i < party.streams.size(); ++i) {
    XUANKA_CUDA(cudaSetDevice(static_cast<int>(i)));
    XUANKA_CUDA(cudaStreamSynchronize(party.streams[i].get()));
  }
  return {};
}

}  // namespace

std::string nccl_version() {
  int number = 0;
  if (!nccl().there() || nccl().version(&number) != 0) return {};
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

Tried<Timing> nccl_all_reduce(int cards, double bytes, const Effort& effort) {
  if (!nccl().there()) return tl::unexpected(std::string("no_nccl"));
  const auto count = static_cast<std::size_t>(bytes) / 2;
  Party party;
  XUANKA_DONE(join(party, cards, count));
  constexpr int kRuns = 10;
  XUANKA_DONE(sum(party, count, kRuns));  // connections are made at the first sums
  Timing timing;
  for (int i = 0; i < effort.repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    XUANKA_DONE(sum(party, count, kRuns));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    timing.seconds.push_back(seconds.count() / kRuns);
  }
  return timing;
}

}  // namespace xuanka::probe
