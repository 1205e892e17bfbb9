// NVML through dlopen: the driver's own figures where it is there, nothing where it is not.
#pragma once

#include <optional>
#include <string>

namespace xuanka::probe {

/// The NVIDIA Management Library, read only.
class Nvml {
 public:
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] bool there() const { return library_ != nullptr; }
  /// "580.65.06"; empty without NVML.
  [[nodiscard]] std::string driver() const;

  enum class Clock { kSm = 1, kMemory = 2 };
  // Of the card at a PCI address ("00000000:3B:00.0"); nullopt when the card or the driver does not
  // tell.
  [[nodiscard]] std::optional<double> max_clock_mhz(const char* pci, Clock clock) const;
  [[nodiscard]] std::optional<double> clock_mhz(const char* pci, Clock clock) const;
  [[nodiscard]] std::optional<double> power_limit_w(const char* pci) const;
  [[nodiscard]] std::optional<double> power_w(const char* pci) const;
  [[nodiscard]] std::optional<int> pcie_gen(const char* pci, bool max) const;
  [[nodiscard]] std::optional<int> pcie_width(const char* pci, bool max) const;
  [[nodiscard]] std::optional<int> nvlinks(const char* pci) const;
  /// Processes that compute on the card, this one not counted.
  [[nodiscard]] std::optional<int> other_processes(const char* pci) const;

 private:
  template <class Function>
  [[nodiscard]] Function* symbol(const char* name) const;
  [[nodiscard]] void* card(const char* pci) const;
  [[nodiscard]] std::optional<double> number(const char* pci, const char* function) const;
  [[nodiscard]] std::optional<double> clock(const char* pci, Clock clock,
                                            const char* function) const;

  void* library_ = nullptr;
};

}  // namespace xuanka::probe
