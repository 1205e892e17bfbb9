// Timing of work on a stream by events.
#pragma once

#include <algorithm>
#include <chrono>

#include "shell/probe/cuda/nvml.hpp"
#include "shell/probe/cuda/resources.hpp"

namespace xuanka::probe {

inline constexpr int kMostRuns = 20000;  // of one repeat

/// Times `enqueue` (puts one run on the stream, returns a Done): warms up until clocks have
/// settled, then takes the repeats. While the last one runs, NVML is asked for clock and power.
template <class Enqueue>
[[nodiscard]] Tried<Timing> time_on(cudaStream_t stream, const Effort& effort, const Nvml& nvml,
                                    const char* pci, const Enqueue& enqueue) {
  Event begin, end;
  XUANKA_CUDA(cudaEventCreate(begin.out()));
  XUANKA_CUDA(cudaEventCreate(end.out()));
  const auto timed = [&](int runs) -> Tried<double> {
    XUANKA_CUDA(cudaEventRecord(begin.get(), stream));
    for (int i = 0; i < runs; ++i) XUANKA_DONE(enqueue());
    XUANKA_CUDA(cudaEventRecord(end.get(), stream));
    XUANKA_CUDA(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    XUANKA_CUDA(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    return static_cast<double>(milliseconds) / 1e3;
  };
  XUANKA_DONE(timed(1));  // loads kernels and libraries
  using Clock = std::chrono::steady_clock;
  const auto warm_until = Clock::now() + std::chrono::duration<double>(effort.warm_seconds);
  double one = 0;
  do {
    auto seconds = timed(3);
    XUANKA_DONE(seconds);
    one = *seconds / 3;
  } while (Clock::now() < warm_until);
  const double wanted = one > 0 ? effort.least_seconds / one : kMostRuns;
  const int runs = static_cast<int>(std::clamp(wanted + 1, 1.0, static_cast<double>(kMostRuns)));
  Timing timing;
  for (int i = 0; i < effort.repeats; ++i) {
    auto seconds = timed(runs);
    XUANKA_DONE(seconds);
    timing.seconds.push_back(*seconds / runs);
  }
  // Asked while the card is busy: an idle card tells another clock.
  for (int i = 0; i < runs; ++i) XUANKA_DONE(enqueue());
  timing.sm_clock_mhz = nvml.clock_mhz(pci, Nvml::Clock::kSm);
  timing.power_w = nvml.power_w(pci);
  XUANKA_CUDA(cudaStreamSynchronize(stream));
  return timing;
}

}  // namespace xuanka::probe
