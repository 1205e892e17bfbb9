#include "xuanka/memory/memory.hpp"

namespace xuanka {
namespace {

// Server cards with GDDR memory ship with in-line ECC on: one sixteenth holds the check bits
// (T4 15,360 of 16,384 MiB, A10G 23,028, A40 and L40S 46,068 of 49,152). Workstation cards ship
// with it off, HBM carries its own bits.
bool inline_ecc(const Gpu& gpu) {
  const bool gddr = gpu.memory_type.find("GDDR") != std::string::npos;
  const bool server = gpu.form_factor.find("passive") != std::string::npos ||
                      gpu.form_factor.find("low-profile") != std::string::npos;
  return gpu.vendor == Vendor::kNvidia && gddr && gpu.ecc.value_or(false) && server;
}

}  // namespace

// What PyTorch prints as total capacity: A100 80 GB 79.2, 40 GB 39.5, V100 15.8 and 31.7, RTX 3090
// and 4090 23.65 to 23.7, T4 14.6, A10G 22.1, H100 79.1 to 79.3 GiB. All within 1 % of this line.
Bytes usable_memory(const Gpu& gpu) {
  const double marketed = gpu.memory_gb;
  const double visible = inline_ecc(gpu) ? marketed * 15 / 16 : marketed;
  // Marketed sizes above 96 GB round up: H200 "141 GB" is 140.4 GiB, B200 "180 GB" 179.1.
  const double driver = 0.12 + 0.0085 * visible;
  const double usable = visible - driver;
  return gibibytes(usable > 0 ? usable : 0);
}

}  // namespace xuanka
