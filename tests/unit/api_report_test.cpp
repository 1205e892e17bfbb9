// The report as the contract writes it.
#include <gtest/gtest.h>

#include <cmath>

#include "decision_support.hpp"
#include "json/json_document.hpp"

namespace xuanka {
namespace {

using json::Value;
using test::api;
using test::quoted;

// A JSON text kept with what was read from it.
class Text {
 public:
  explicit Text(std::string text) : text_(std::move(text)), parsed_(json::parse(text_)) {
    EXPECT_TRUE(parsed_.document && parsed_.issues.empty()) << text_.substr(0, 300);
  }
  [[nodiscard]] Value root() const { return parsed_.document->root(); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  json::Parsed parsed_;
};

Value at(Value value, std::string_view key) {
  const auto found = value.find(key);
  EXPECT_TRUE(found) << value.path() << "." << key;
  return found.value_or(value);
}
Value item(Value list, std::size_t index) {
  for (const Value child : list.children()) {
    if (index-- == 0) return child;
  }
  ADD_FAILURE() << list.path();
  return list;
}
std::vector<std::string> keys(Value object) {
  std::vector<std::string> out;
  for (const Value child : object.children()) out.emplace_back(child.key());
  return out;
}
Text rank(std::string_view request) { return Text(api().rank(quoted(request))); }

constexpr std::string_view kJob =
    "{'version':1,'id':'anything','workload':{'model':{'id':'llama-2-7b'},'kind':'lora','data':"
    "{'tokens':5e7}},'hardware':{'gpus':['rtx-4090-24gb','a100-pcie-40gb'],'counts':[1,2]}}";

TEST(Report, HasTheContractsFieldsInOrder) {
  const Text report = rank(kJob);
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(report.root()),
            (Keys{"version", "id", "ok", "versions", "model", "candidates", "recommended",
                  "robustness", "alternatives", "assumed", "notes"}));
  EXPECT_EQ(at(report.root(), "id").string(), "anything");
  EXPECT_TRUE(at(report.root(), "ok").boolean());
  EXPECT_EQ(keys(at(report.root(), "versions")), (Keys{"app", "model", "data"}));
  EXPECT_EQ(at(at(report.root(), "versions"), "app").string(), app_version());
  EXPECT_EQ(keys(at(report.root(), "model")), (Keys{"name", "params", "active_params",
                                                    "flops_per_unit", "unit", "flops_convention"}));
  EXPECT_EQ(at(at(report.root(), "model"), "params").number(), 6738415616.0);
  const Value candidate = item(at(report.root(), "candidates"), 0);
  EXPECT_EQ(keys(candidate),
            (Keys{"gpu", "count", "nodes", "verdict", "plan", "memory", "time", "cost", "price",
                  "value", "host", "data", "changes", "ledger", "notes"}));
  EXPECT_EQ(keys(at(candidate, "plan")),
            (Keys{"data", "tensor", "pipeline", "context", "expert", "zero", "sequence_parallel",
                  "interleave", "micro_batch", "grad_accumulation", "recompute", "offload"}));
  EXPECT_EQ(keys(at(candidate, "memory")),
            (Keys{"verdict", "fits", "per_gpu_bytes", "low", "high", "usable_bytes", "margin_bytes",
                  "host_ram_bytes", "parts"}));
  EXPECT_EQ(keys(at(at(candidate, "memory"), "parts")),
            (Keys{"weights", "gradients", "optimizer", "activations", "logits", "kv_cache",
                  "buffers", "overhead"}));
  EXPECT_EQ(keys(at(candidate, "time")),
            (Keys{"seconds", "low", "high", "step_seconds", "units_per_second", "mfu", "hfu",
                  "parts", "evidence"}));
  EXPECT_EQ(keys(at(at(candidate, "time"), "parts")),
            (Keys{"compute", "memory", "communication", "bubble", "input", "overhead"}));
  EXPECT_EQ(keys(at(candidate, "cost")), (Keys{"amount", "low", "high", "currency", "acquire",
                                               "offer", "billed_gpus", "billed_hours", "as_of"}));
  EXPECT_EQ(keys(at(candidate, "value")),
            (Keys{"flops_per_money", "gb_per_money", "per", "effective_flops_per_money",
                  "units_per_money", "gb_s_per_money", "flops_per_watt", "effective_pflop_hour"}));
  EXPECT_EQ(keys(at(report.root(), "alternatives")), (Keys{"faster", "cheaper", "simpler"}));
}

// Holds for every candidate of every request.
void check_candidate(Value c) {
  double sum = 0;
  const Value memory = at(c, "memory");
  for (const Value part : at(memory, "parts").children()) sum += part.number();
  EXPECT_EQ(sum, at(memory, "per_gpu_bytes").number());
  EXPECT_EQ(at(memory, "margin_bytes").number(), at(memory, "usable_bytes").number() - sum);
  EXPECT_EQ(at(memory, "fits").boolean(), at(memory, "verdict").string() != "does_not_fit");
  EXPECT_LE(at(memory, "low").number(), at(memory, "high").number());
  double step = 0;
  const Value time = at(c, "time");
  for (const Value part : at(time, "parts").children()) step += part.number();
  EXPECT_NEAR(step, at(time, "step_seconds").number(), 1e-9 * step);
  if (!at(time, "seconds").is_null()) {
    EXPECT_LE(at(time, "low").number(), at(time, "seconds").number());
    EXPECT_GE(at(time, "high").number(), at(time, "seconds").number());
  }
  const Value cost = at(c, "cost");
  if (cost.is_null()) return;
  EXPECT_LE(at(cost, "low").number(), at(cost, "amount").number());
  EXPECT_GE(at(cost, "high").number(), at(cost, "amount").number());
  EXPECT_GE(at(cost, "billed_gpus").number(), at(c, "count").number());
}

TEST(Report, PartsAddUpForEveryCandidate) {
  for (const std::string_view request :
       {kJob,
        std::string_view(
            "{'version':1,'workload':{'model':{'id':'llama-2-70b'},'data':{'tokens':1e9}}}"),
        std::string_view("{'version':1,'workload':{'model':{'id':'resnet50'},'precision':'fp8'}}"),
        std::string_view(
            "{'version':1,'workload':{'model':{'id':'mixtral-8x7b'},'kind':'inference'}}"),
        std::string_view("{'version':1,'workload':{'model':{'params':3e9},'data':{'tokens':1e9}},"
                         "'hardware':{'plan':{'tensor':3}}}"),
        std::string_view(
            "{'version':1,'workload':{'model':{'id':'vit-b-16'},'data':{'samples':1e6}},"
            "'decision':{'acquire':'buy'}}")}) {
    const Text report = rank(request);
    EXPECT_GT(at(report.root(), "candidates").size(), 0U);
    for (const Value c : at(report.root(), "candidates").children()) check_candidate(c);
  }
}

TEST(Report, WithoutWorkSecondsAndCostAreNull) {
  const Text report = rank(
      "{'version':1,'workload':{'model':{'id':'resnet50'}},'hardware':{'gpus':"
      "['t4-16gb'],'counts':[1]}}");
  const Value c = item(at(report.root(), "candidates"), 0);
  EXPECT_TRUE(at(at(c, "time"), "seconds").is_null());
  EXPECT_TRUE(at(c, "cost").is_null());
  EXPECT_GT(at(at(at(c, "price"), "per_hour"), "amount").number(), 0);
  EXPECT_TRUE(at(report.root(), "id").is_null());
}

TEST(Report, ServingHasItsOwnTimes) {
  const Text report = rank(
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'inference'},"
      "'hardware':{'gpus':['a100-pcie-40gb'],'counts':[1]}}");
  const Value c = item(at(report.root(), "candidates"), 0);
  EXPECT_GT(at(at(c, "time"), "prefill_seconds").number(), 0);
  EXPECT_GT(at(at(c, "time"), "seconds_per_output_token").number(), 0);
  EXPECT_EQ(at(at(c, "cost"), "per").string(), "1e6 output tokens");
  const Text total = rank(
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'kind':'inference',"
      "'inference':{'output_tokens_total':1e9}},'hardware':{'gpus':"
      "['a100-pcie-40gb'],'counts':[1]}}");
  const Value t = item(at(total.root(), "candidates"), 0);
  EXPECT_FALSE(at(t, "cost").find("per"));
  EXPECT_NEAR(at(at(t, "cost"), "amount").number() / at(at(c, "cost"), "amount").number(), 1000,
              1e-6);
}

TEST(Report, SolvedStandsOnlyWhereItWasAsked) {
  const Text report = rank(
      "{'version':1,'solve':'micro_batch','workload':{'model':{'id':'llama-2-7b'},"
      "'kind':'qlora'},'hardware':{'gpus':['rtx-4090-24gb'],'counts':[1]}}");
  const Value solved = at(item(at(report.root(), "candidates"), 0), "solved");
  EXPECT_EQ(at(solved, "path").string(), "workload.micro_batch");
  EXPECT_GE(at(solved, "value").number(), 1);
}

TEST(Report, RefusalsTellCodePathArgsAndMessage) {
  const Text report = rank(
      "{'version':1,'id':7,'workload':{'model':{'id':'llama-2-7b'},'data':"
      "{'tokens':-3}}}");
  EXPECT_EQ(at(report.root(), "id").number(), 7);
  EXPECT_FALSE(at(report.root(), "ok").boolean());
  const Value issue = item(at(report.root(), "issues"), 0);
  EXPECT_EQ(at(issue, "code").string(), "out_of_range");
  EXPECT_EQ(at(issue, "path").string(), "workload.data.tokens");
  EXPECT_EQ(at(at(issue, "args"), "min").number(), 1);
  EXPECT_EQ(at(at(issue, "args"), "got").number(), -3);
  EXPECT_TRUE(at(issue, "message").string().starts_with("workload.data.tokens"));
  const Text chinese(api().rank("{", Lang::kZh));
  EXPECT_NE(chinese.text(), api().rank("{", Lang::kEn));
}

TEST(Report, IsOneLineAndTheSameEveryTime) {
  const std::string first = api().rank(quoted(kJob));
  EXPECT_EQ(first.find('\n'), std::string::npos);
  EXPECT_EQ(first, api().rank(quoted(kJob)));
}

TEST(Api, CatalogListsWhatShips) {
  const Catalog& catalog = api().knowledge().catalog;
  EXPECT_EQ(Text(api().catalog("gpus")).root().size(), catalog.gpus.size());
  EXPECT_EQ(Text(api().catalog("models")).root().size(), catalog.models.size());
  EXPECT_EQ(Text(api().catalog("offers")).root().size(), catalog.offers.size());
  EXPECT_EQ(Text(api().catalog("datasets")).root().size(), catalog.datasets.size());
  EXPECT_EQ(Text(api().catalog("sources")).root().size(), catalog.sources.size());
  EXPECT_EQ(Text(api().catalog("purchase")).root().size(), catalog.purchase_prices.size());
  const Text unknown(api().catalog("cpus"));
  EXPECT_EQ(at(item(at(unknown.root(), "issues"), 0), "code").string(), "unknown_id");
}

TEST(Api, ViewAndExplainSpeakBothLanguages) {
  for (const Lang lang : {Lang::kEn, Lang::kZh}) {
    const Text view(api().view(quoted(kJob), lang));
    EXPECT_TRUE(at(at(view.root(), "answer"), "has_answer").boolean());
    EXPECT_EQ(at(view.root(), "rows").size(), 4U);
    const Text steps(api().explain(quoted(kJob), lang));
    EXPECT_GT(at(steps.root(), "steps").size(), 3U);
    EXPECT_EQ(at(at(steps.root(), "candidate"), "index").number(), 0);
  }
  EXPECT_NE(api().view(quoted(kJob), Lang::kZh), api().view(quoted(kJob), Lang::kEn));
  EXPECT_FALSE(at(Text(api().view("{", Lang::kEn)).root(), "ok").boolean());
  EXPECT_FALSE(at(Text(api().explain("7", Lang::kEn)).root(), "ok").boolean());
}

}  // namespace
}  // namespace xuanka
