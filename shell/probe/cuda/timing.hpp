// Timing of work on a stream by events.
#pragma once

#include <algorithm>
#include <chrono>

#include "shell/probe/cuda/nvml.hpp"
#include "shell/probe/cuda/resources.hpp"

namespace xuanka::probe {

inline constexpr int kMostRuns = 20000;  // of one repeat
// NVML takes milliseconds to answer: the card works for so long while it is asked.
inline constexpr double kBusySeconds = 0.05;

/// Times `enqueue` (puts one run on the stream, returns a Done): warms up until clocks have
/// settled, then takes the repeats. While more of the same runs, NVML is asked for clock and power.
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
  const auto runs_of = [one](double seconds) {
    const double wanted = one > 0 ? seconds / one : kMostRuns;
    return static_cast<int>(std::clamp(wanted + 1, 1.0, static_cast<double>(kMostRuns)));
  };
  const int runs = runs_of(effort.least_seconds);
  Timing timing;
  for (int i = 0; i < effort.repeats; ++i) {
    auto seconds = timed(runs);
    XUANKA_DONE(seconds);
    timing.seconds.push_back(*seconds / runs);
  }
  // Asked while the card is busy: an idle card tells another clock.
  const int busy = std::max(runs, runs_of(kBusySeconds));
  for (int i = 0; i < busy; ++i) XUANKA_DONE(enqueue());
  timing.sm_clock_mhz = nvml.clock_mhz(pci, Nvml::Clock::kSm);
  timing.power_w = nvml.power_w(pci);
  XUANKA_CUDA(cudaStreamSynchronize(stream));
  return timing;
}

}  // namespace xuanka::probe
