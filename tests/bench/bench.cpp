// How fast the estimates are. One evaluation = memory + time + cost of one GPU, count and plan.
#include <benchmark/benchmark.h>

#include "xuanka/api/api.hpp"
#include "xuanka/base/embedded.hpp"
#include "xuanka/catalog/load.hpp"
#include "xuanka/cost/cost.hpp"
#include "xuanka/memory/memory_model.hpp"
#include "xuanka/plan/search_space.hpp"
#include "xuanka/time/step_model.hpp"
#include "xuanka/workload/preset.hpp"

namespace {

using namespace xuanka;

const Api& api() {
  static const Api made = Api::create().value();
  return made;
}

Request request_of(std::string_view text) {
  return parse_request(api().knowledge().catalog, text).value();
}

constexpr std::string_view kDefault =
    R"({"version":1,"workload":{"kind":"finetune","model":{"id":"llama-2-7b"},"data":{"tokens":5e7},"seq_len":4096}})";

void evaluation(benchmark::State& state) {
  const Request request = request_of(kDefault);
  const Knowledge& known = api().knowledge();
  const Gpu& gpu = *known.catalog.find_gpu("a100-pcie-40gb");
  std::vector<Note> notes;
  const Job job = make_job(request.workload, gpu, notes).value();
  const Topology topology = make_topology(gpu, LinkChoice::kAuto, 8, 100);
  const StepModel time(job, gpu, topology, {}, known.efficiency);
  const MemoryModel memory(job, gpu, 8, known.efficiency);
  const SearchSpace space = make_search_space(job, {}, 8);
  const auto leases = leases_for(known.catalog, request, gpu, 8);
  const double hourly = leases.empty() ? 38.48 : leases.front().hourly.amount;
  std::vector<Plan> plans;
  for (const Layout& layout : space.layouts) {
    for (const int zero : space.zero) {
      for (const Recompute recompute : space.recompute) {
        for (const double b : micro_batches(space, layout)) {
          plans.push_back(make_plan(space, layout, zero, recompute, Offload::kNone, b));
        }
      }
    }
  }
  std::size_t i = 0;
  double sum = 0;
  for (auto _ : state) {
    const Plan& plan = plans[i];
    if (++i == plans.size()) i = 0;
    const double peak = memory.peak(plan);
    const double seconds = time.seconds_per_unit(plan) * job.total_units.value_or(1);
    sum += peak < memory.usable().value() ? seconds / 3600 * hourly : 0;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(evaluation);

void default_ranking(benchmark::State& state) {
  const Request request = request_of(kDefault);
  for (auto _ : state) benchmark::DoNotOptimize(rank(api().knowledge(), request));
}
BENCHMARK(default_ranking)->Unit(benchmark::kMillisecond);

void counts_to_1024(benchmark::State& state) {
  const Request request = request_of(
      R"({"version":1,"workload":{"kind":"finetune","model":{"id":"llama-2-7b"},"data":{"tokens":5e7},"seq_len":4096},)"
      R"("hardware":{"counts":[1,2,4,8,16,32,64,128,256,512,1024]}})");
  for (auto _ : state) benchmark::DoNotOptimize(rank(api().knowledge(), request));
}
BENCHMARK(counts_to_1024)->Unit(benchmark::kMillisecond);

void request_to_report(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(api().rank(kDefault, Lang::kEn));
}
BENCHMARK(request_to_report)->Unit(benchmark::kMillisecond);

}  // namespace
