#include "shell/probe/cuda/nvml.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>

namespace xuanka::probe {
namespace {

// As in NVIDIA's published interface (docs.nvidia.com/deploy/nvml-api); every function returns 0
// for success.
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr unsigned kMostLinks = 18;
struct Process {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

}  // namespace

template <class Function>
Function* Nvml::symbol(const char* name) const {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
}

Nvml::Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  const auto init = symbol<int()>("nvmlInit_v2");
  if (library_ == nullptr || (init != nullptr && init() == kSuccess)) return;
  dlclose(library_);
  library_ = nullptr;
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  if (const auto shutdown = symbol<int()>("nvmlShutdown")) shutdown();
  dlclose(library_);
}

std::string Nvml::driver() const {
  std::array<char, 96> text{};
  const auto ask = symbol<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
  if (ask == nullptr || ask(text.data(), static_cast<unsigned>(text.size())) != kSuccess) return {};
  return text.data();
}

void* Nvml::card(const char* pci) const {
  void* handle = nullptr;
  const auto ask = symbol<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
  return ask != nullptr && ask(pci, &handle) == kSuccess ? handle : nullptr;
}

std::optional<double> Nvml::number(const char* pci, const char* function) const {
  unsigned value = 0;
  void* handle = card(pci);
  const auto ask = symbol<int(void*, unsigned*)>(function);
  if (handle == nullptr || ask == nullptr || ask(handle, &value) != kSuccess) return std::nullopt;
  return value;
}

std::optional<double> Nvml::clock(const char* pci, Clock clock, const char* function) const {
  unsigned value = 0;
  void* handle = card(pci);
  const auto ask = symbol<int(void*, int, unsigned*)>(function);
  if (handle == nullptr || ask == nullptr) return std::nullopt;
  if (ask(handle, static_cast<int>(clock), &value) != kSuccess) return std::nullopt;
  return value;
}

std::optional<double> Nvml::max_clock_mhz(const char* pci, Clock which) const {
  return clock(pci, which, "nvmlDeviceGetMaxClockInfo");
}
std::optional<double> Nvml::clock_mhz(const char* pci, Clock which) const {
  return clock(pci, which, "nvmlDeviceGetClockInfo");
}

std::optional<double> Nvml::power_limit_w(const char* pci) const {
  const auto milliwatts = number(pci, "nvmlDeviceGetPowerManagementLimit");
  return milliwatts ? std::optional(*milliwatts / 1000) : std::nullopt;
}
std::optional<double> Nvml::power_w(const char* pci) const {
  const auto milliwatts = number(pci, "nvmlDeviceGetPowerUsage");
  return milliwatts ? std::optional(*milliwatts / 1000) : std::nullopt;
}

std::optional<int> Nvml::pcie_gen(const char* pci, bool max) const {
  const auto gen = number(
      pci, max ? "nvmlDeviceGetMaxPcieLinkGeneration" : "nvmlDeviceGetCurrPcieLinkGeneration");
  return gen ? std::optional(static_cast<int>(*gen)) : std::nullopt;
}
std::optional<int> Nvml::pcie_width(const char* pci, bool max) const {
  const auto width =
      number(pci, max ? "nvmlDeviceGetMaxPcieLinkWidth" : "nvmlDeviceGetCurrPcieLinkWidth");
  return width ? std::optional(static_cast<int>(*width)) : std::nullopt;
}

std::optional<int> Nvml::nvlinks(const char* pci) const {
  void* handle = card(pci);
  const auto ask = symbol<int(void*, unsigned, int*)>("nvmlDeviceGetNvLinkState");
  if (handle == nullptr || ask == nullptr) return std::nullopt;
  int active = 0;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    int state = 0;
    if (ask(handle, link, &state) == kSuccess && state == 1) ++active;
  }
  return active;
}

std::optional<int> Nvml::other_processes(const char* pci) const {
  std::array<Process, 256> list{};
  auto count = static_cast<unsigned>(list.size());
  void* handle = card(pci);
  const auto ask =
      symbol<int(void*, unsigned*, Process*)>("nvmlDeviceGetComputeRunningProcesses_v3");
  if (handle == nullptr || ask == nullptr) return std::nullopt;
  const int status = ask(handle, &count, list.data());
  if (status == kInsufficientSize) return static_cast<int>(count);
  if (status != kSuccess) return std::nullopt;
  int others = 0;
  for (unsigned i = 0; i < count && i < list.size(); ++i) {
    if (list[i].pid != static_cast<unsigned>(getpid())) ++others;
  }
  return others;
}

}  // namespace xuanka::probe
