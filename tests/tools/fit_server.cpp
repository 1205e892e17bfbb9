// Answers the fitting tool: predictions of every time case for given constants, line by line.
//
//   fit_server EFFICIENCY.json FILE... < commands
// First line out: JSON list of the cases. Then for each line in:
//   plan            choose the open parts of every plan with the present constants
//   memory          the memory cases instead of the time cases ("nan" for the others)
//   NAME=VALUE ...  one prediction line: ln(measured / predicted) as seconds, "nan" = no answer
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

#include "validate/compare.hpp"
#include "xuanka/base/embedded.hpp"
#include "xuanka/catalog/load.hpp"

namespace {

using namespace xuanka;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Case {
  std::unique_ptr<MeasuredCase> measured;  // the job points into it
  CaseSetting setting;
  Plan plan;
};

/// efficiency.json with some values replaced.
std::optional<EfficiencyModel> with(const std::string& text, const std::string& line) {
  std::string changed = text;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto split = word.find('=');
    if (split == std::string::npos) continue;
    const std::string key = "\"" + word.substr(0, split) + "\"";
    const auto at = changed.find(key);
    const auto value = at == std::string::npos ? at : changed.find("\"value\"", at);
    if (value == std::string::npos) {
      std::fprintf(stderr, "no constant %s\n", key.c_str());
      return std::nullopt;
    }
    const auto begin = changed.find(':', value) + 1;
    const auto end = changed.find(',', begin);
    changed.replace(begin, end - begin, word.substr(split + 1));
    for (const char* bound : {"\"low\"", "\"high\""}) {  // keep the range around the value
      const auto b = changed.find(':', changed.find(bound, begin)) + 1;
      changed.replace(b, changed.find(',', b) - b, word.substr(split + 1));
    }
  }
  auto model = load_efficiency(changed);
  if (!model) {
    for (const Issue& issue : model.error()) std::fprintf(stderr, "%s\n", issue.path.c_str());
    return std::nullopt;
  }
  return *model;
}

bool is_peak(const Case& one) { return one.measured->quantity == MeasuredQuantity::kMemoryBytes; }

double memory_log_ratio(const Case& one, const EfficiencyModel& model) {
  const CaseSetting& s = one.setting;
  const auto planned = plan_candidate(*s.job, one.measured->plan, s.gpu, one.measured->count,
                                      s.topology, s.feed, model, 0);
  if (planned.mismatch) return std::nan("");
  const double predicted = memory_answer(*one.measured, *s.job, planned).predicted.value();
  return std::log(one.measured->measured * one.measured->unit_scale / predicted);
}

double log_ratio(const Case& one, const EfficiencyModel& model) {
  if (is_peak(one)) return memory_log_ratio(one, model);
  if (one.measured->quantity == MeasuredQuantity::kMatmulTflops) {
    const Job& job = *one.setting.job;
    const double rate = product_rate(one.setting.gpu, job.peak, model, Framework::kMlperf).value();
    return std::log(rate / (one.measured->measured * 1e12));
  }
  const StepModel step(*one.setting.job, one.setting.gpu, one.setting.topology, one.setting.feed,
                       model);
  const MeasuredCase& m = *one.measured;
  double predicted = 0;
  if (m.forward_only) {
    predicted = step.forward_pass(one.plan).value();
  } else {
    predicted = time_in_quantity(m, *one.setting.job, step.estimate(one.plan), 1);
  }
  const double ratio = m.measured * m.unit_scale / predicted;
  return std::log(is_rate(m.quantity) ? 1 / ratio : ratio);
}

}  // namespace

int main(int argc, char** argv) {
  const auto catalog = load_catalog(assets::catalog_files());
  if (!catalog || argc < 3) return 2;
  const std::string text = read_file(argv[1]);
  auto model = with(text, "");
  if (!model) return 2;
  std::vector<Case> cases;
  for (int i = 2; i < argc; ++i) {
    auto read = read_cases(*catalog, {argv[i], read_file(argv[i])});
    if (!read) return 3;
    for (MeasuredCase& one : *read) {
      // Matrix products alone anchor the classes of cards; whole layers are left to the comparison.
      const bool product = one.quantity == MeasuredQuantity::kMatmulTflops;
      const bool rate = one.quantity == MeasuredQuantity::kBusGigabytesPerSecond ||
                        (product && one.unit.find("layer") != std::string::npos);
      if (product) one.family = "matmul";
      if (!one.skipped.empty() || one.exclude || rate) continue;
      const bool peak = one.quantity == MeasuredQuantity::kMemoryBytes;
      if (is_memory(one.quantity) && !peak) continue;
      const bool whole = one.memory_scope == MemoryScope::kDevice ||
                         one.memory_scope == MemoryScope::kReserved ||
                         one.memory_scope == MemoryScope::kAllocated;
      if (peak) one.family = whole ? "memory peak" : "memory part";
      Case item;
      item.measured = std::make_unique<MeasuredCase>(std::move(one));
      item.setting = make_case_setting(*catalog, *item.measured);
      if (item.setting.job) cases.push_back(std::move(item));
    }
  }
  std::string list = "[";
  for (const Case& one : cases) {
    const MeasuredCase& m = *one.measured;
    const auto field = [](const char* name, std::string value) {
      std::string out = "\"" + std::string(name) + "\":\"";
      for (const char c : value) out += c == '"' || c == '\\' ? '\'' : c;
      return out + "\"";
    };
    list += (list.size() > 1 ? ",{" : "{") + field("id", m.id) + "," + field("group", m.group) +
            "," + field("family", m.family) + "," + field("kind", m.kind) + "," +
            field("gpu", m.gpu) + "," +
            field("class", std::string(gpu_class_name(gpu_class(one.setting.gpu)))) +
            ",\"count\":" + std::to_string(m.count) +
            ",\"node\":" + std::to_string(m.gpus_per_node.value_or(8)) +
            ",\"link\":" + std::to_string(static_cast<int>(one.setting.topology.inside)) +
            ",\"framework\":" + std::to_string(static_cast<int>(m.workload.framework)) + "}";
  }
  std::cout << list << "]" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    const bool memory = line.starts_with("memory");
    if (memory) line.erase(0, 6);
    const bool plan = line.starts_with("plan");
    if (plan) line.erase(0, 4);
    auto now = with(text, line);
    if (!now) return 4;
    std::string out;
    for (Case& one : cases) {
      if (is_peak(one) != memory) {
        out += "nan ";
        continue;
      }
      const bool product = one.measured->quantity == MeasuredQuantity::kMatmulTflops;
      if (plan && !product && !memory) {
        const auto planned =
            plan_candidate(*one.setting.job, one.measured->plan, one.setting.gpu,
                           one.measured->count, one.setting.topology, one.setting.feed, *now, 0);
        one.plan = planned.plan;
        if (one.measured->forward_only) {
          one.plan = Plan{};
          one.plan.micro_batch = one.measured->workload.micro_batch.value_or(1);
        }
      }
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, "%.9g ", log_ratio(one, *now));
      out += buffer;
    }
    std::cout << out << std::endl;
  }
  return 0;
}
