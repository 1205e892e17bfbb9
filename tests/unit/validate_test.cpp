// Reading measured cases in their three forms, and comparing them.
#include "unit/time_fixture.hpp"

#include "xuanka/validate/validate.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;
using testing::shipped_efficiency;

const Knowledge& knowledge() {
  static const Knowledge known{shipped_catalog(), shipped_efficiency()};
  return known;
}

std::string as_json(std::string_view text) { return testing::quoted_config(text); }

std::vector<MeasuredCase> cases_of(std::string_view text, const char* name = "cases.json") {
  auto cases = read_cases(shipped_catalog(), {name, as_json(text)});
  EXPECT_TRUE(cases);
  return cases.value_or(std::vector<MeasuredCase>{});
}

constexpr std::string_view kThroughput =
    "[{'id':'a','kind':'throughput','source':{'title':'T','where':'some/repo:README.md'},"
    "'gpu':'H100-SXM5-80GB','n_gpus':16,'n_nodes':2,'precision':'bf16',"
    "'model':{'name':'m','family':'transformer-decoder','layers':32,'hidden':4096,'heads':32,'kv_"
    "heads':32,"
    "'ffn':11008,'vocab':32000,'seq':2048,'params':6738415616,'gated_ffn':true},"
    "'batch':{'global':64,'micro':4},'parallel':{'fsdp':'FULL_SHARD','recompute':'full','dp':16},"
    "'workload':{'phase':'pretrain'},'measured':{'value':8000,'unit':'tokens/s/GPU'},'notes':''}]";

TEST(ValidateRead, AThroughputRow) {
  const auto cases = cases_of(kThroughput);
  ASSERT_EQ(cases.size(), 1U);
  const MeasuredCase& c = cases[0];
  EXPECT_EQ(c.skipped, "");
  EXPECT_EQ(c.gpu, "h100-sxm-80gb");
  EXPECT_EQ(c.count, 16);
  EXPECT_EQ(c.gpus_per_node, 8);
  EXPECT_EQ(c.group, "some/repo");
  EXPECT_EQ(c.family, "decoder");
  EXPECT_EQ(c.plan.zero, 3);
  EXPECT_EQ(c.plan.data, 16);
  EXPECT_EQ(c.workload.recompute, Recompute::kFull);
  EXPECT_EQ(c.quantity, MeasuredQuantity::kUnitsPerSecondPerGpu);
  EXPECT_EQ(c.workload.model.params, 6738415616.0);
}

TEST(ValidateRead, ATableRow) {
  const auto read =
      read_cases(shipped_catalog(),
                 {"set.csv",
                  "gpus,global_batch,micro_batch,hidden,heads,layers,seq_len,tensor,data,"
                  "pipeline,step_ms\n8,32,2,1024,16,16,1024,4,2,1,457.5\nx,1,1,1,1,1,1,1,1,1,1\n"});
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  const MeasuredCase& c = read->front();
  EXPECT_EQ(c.id, "set-1");
  EXPECT_EQ(c.plan.tensor, 4);
  EXPECT_EQ(c.workload.recompute, Recompute::kFull);
  EXPECT_EQ(c.workload.flash_attention, false);
  EXPECT_DOUBLE_EQ(c.measured * c.unit_scale, 0.4575);
  EXPECT_NE(read->back().skipped, "");
}

TEST(ValidateRead, AUserRowGivesMemoryAndTime) {
  const auto cases = cases_of(
      "[{'id':'u','category':'memory+time','group':'g','source':'s','inputs':{'task':'LLM "
      "fine-tune',"
      "'model':'Llama-2-7B','method':'lora r8','precision':'bf16','micro_batch':4,'seq_len':1024,"
      "'gpu':'A6000','gpu_count':2},'observed':{'outcome':'fits','mem_gb':22.5,'mem_unit':'GiB',"
      "'tokens_per_s':5000}}]");
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].gpu, "rtx-a6000-48gb");
  EXPECT_EQ(cases[0].quantity, MeasuredQuantity::kMemoryBytes);
  EXPECT_EQ(cases[0].measured_fits, true);
  EXPECT_EQ(cases[0].workload.kind, JobKind::kLora);
  EXPECT_EQ(cases[0].workload.lora.rank, 8);
  EXPECT_EQ(cases[1].id, "u/time");
  EXPECT_EQ(cases[1].quantity, MeasuredQuantity::kUnitsPerSecond);
}

TEST(ValidateRead, WhatCannotBeExpressedIsSkippedWithTheReason) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    std::string out(kThroughput);
    out.replace(out.find(from), from.size(), to);
    return cases_of(out).at(0).skipped;
  };
  EXPECT_NE(replace("H100-SXM5-80GB", "TPU v4"), "");
  EXPECT_NE(replace("tokens/s/GPU", "furlongs"), "");
  EXPECT_NE(replace("'model':{", "'model_unsaid':{"), "");
}

TEST(ValidateRead, TextsThatAreNoCasesAreRefused) {
  EXPECT_FALSE(read_cases(shipped_catalog(), {"a.json", "{"}));
  EXPECT_FALSE(read_cases(shipped_catalog(), {"a.json", "{\"x\": 1}"}));
  EXPECT_FALSE(read_cases(shipped_catalog(), {"a.csv", "a,b\n1,2\n"}));
}

TEST(ValidateNames, CardsAsSourcesPrintThem) {
  const auto id = [](std::string_view name) {
    const auto gpu = gpu_from_printed_name(shipped_catalog(), name);
    return gpu ? gpu->id : std::string();
  };
  EXPECT_EQ(id("A100-SXM4-40GB"), "a100-sxm-40gb");
  EXPECT_EQ(id("NVIDIA A100 80GB SXM4"), "a100-sxm-80gb");
  EXPECT_EQ(id("Tesla V100-PCIE 32 GB"), "v100-pcie-32gb");
  EXPECT_EQ(id("A100 SXM"), "");  // of 40 or of 80 GB is not said
  EXPECT_EQ(id("RTX 3090 Ti"), "rtx-3090-ti-24gb");
  EXPECT_EQ(id("h100-sxm-80gb"), "h100-sxm-80gb");
  EXPECT_EQ(id("Quadro RTX 8000"), "quadro-rtx-8000-48gb");
  EXPECT_EQ(id("TPU v3"), "");
}

// Rows as others may write them: every one gets an estimate or the reason why not.
TEST(ValidateRead, OddRowsAreSkippedWithTheReason) {
  const std::string_view odd =
      "[{},[],null,3,'s',{'id':null},{'id':5,'gpu':7},"
      "{'id':'a','kind':'throughput','gpu':'T4','n_gpus':-8,'model':{'name':'Llama-2-7B','seq':1e9}"
      ","
      "'measured':{'value':3,'unit':'tokens/s'}},"
      "{'id':'b','kind':'weird','gpu':'T4','n_gpus':2.5,'model':{'name':'q','layers':1e9,'hidden':"
      "1,'heads':7},"
      "'batch':3,'parallel':[],'workload':'x','measured':{'value':3,'unit':'tokens/s'}},"
      "{'id':'c','kind':'throughput','gpu':'T4','n_gpus':1,'model':{'name':'BERT-large'},"
      "'measured':{'value':'3','unit':'tokens/s'}},"
      "{'id':'d','kind':'memory','gpu':'T4','n_gpus':1,'model':{'name':'GPT-2'},'batch':{'micro':"
      "1e15},"
      "'measured':{'value':9,'unit':'GiB peak per GPU'}}]";
  const ValidationReport report = validate(knowledge(), {{"cases.json", as_json(odd)}});
  ASSERT_EQ(report.rows.size(), 7U);  // what is no object is no case
  for (const ValidationRow& row : report.rows) {
    EXPECT_TRUE(row.predicted || !row.skipped.empty()) << row.id;
    EXPECT_TRUE(!row.predicted || (*row.predicted > 0 && *row.low <= *row.predicted)) << row.id;
  }
}

TEST(ValidateRead, ATableWithoutDegreesIsDataParallel) {
  const auto read = read_cases(
      shipped_catalog(),
      {"set.csv", "gpus,hidden,heads,layers,seq_len,step_ms\n8,1024,16,16,1024,457.5\n"});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().plan.data, 8);
  EXPECT_EQ(read->front().plan.tensor, 1);
  EXPECT_EQ(read->front().workload.global_batch, 8);
}

// A report whose answers contradict one another says which verdict is right.
TEST(ValidateRead, AStatedVerdictWinsOverThePoster) {
  const auto cases = cases_of(
      "[{'id':'u','category':'memory','source':'s','inputs':{'task':'LLM "
      "fine-tune','model':'Llama-2-7B',"
      "'method':'lora','gpu':'A6000','gpu_count':4},'observed':{'outcome':'oom for the user'},"
      "'check':{'type':'verdict in {tight,fits}'}}]");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].measured_fits, true);
}

TEST(ValidateRead, PreferenceLossesRunPairs) {
  const auto cases = cases_of(
      "[{'id':'u','category':'memory','source':'s','inputs':{'task':'preference alignment',"
      "'model':'Llama-2-7B','method':'full','micro_batch':2,'gpu':'A6000','gpu_count':1},"
      "'observed':{'outcome':'oom'}}]");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].workload.micro_batch, 4);
  EXPECT_EQ(cases[0].workload.copies, 2);  // the frozen reference beside the trained model
}

// D24: another calculator judges its memory by closed forms. Parts that follow from a formula are
// compared, and do not count for the error of peaks.
TEST(Validate, D24ClosedFormsDoNotCountAsMeasuredPeaks) {
  std::string text(kThroughput);
  const auto replace = [&](std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("'kind':'throughput'", "'kind':'memory'");
  replace("'value':8000,'unit':'tokens/s/GPU'", "'value':1,'unit':'GiB states per GPU'");
  const ValidationReport report = validate(knowledge(), {{"cases.json", as_json(text)}});
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_TRUE(report.rows[0].predicted);
  EXPECT_TRUE(report.rows[0].part);
  for (const StatedBound& bound : report.bounds) {
    EXPECT_TRUE(!bound.name.starts_with("memory") || bound.cases == 0) << bound.name;
  }
}

TEST(Validate, ErrorsOnUnseenSourcesAreShown) {
  const ValidationReport report = validate(knowledge(), {});
  std::vector<std::string> names;
  for (const UnseenError& error : report.unseen) {
    EXPECT_GT(error.cases, 0) << error.name;
    EXPECT_LE(error.median, error.p90) << error.name;
    names.push_back(error.name);
  }
  for (const char* name : {"decoders", "memory peak", "megatron multi node"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

TEST(Validate, ARowStandsBesideItsMeasurement) {
  const ValidationReport report = validate(knowledge(), {{"cases.json", as_json(kThroughput)}});
  ASSERT_EQ(report.rows.size(), 1U);
  const ValidationRow& row = report.rows[0];
  ASSERT_TRUE(row.predicted);
  EXPECT_LT(*row.low, *row.predicted);
  EXPECT_GT(*row.high, *row.predicted);
  EXPECT_EQ(row.measured, 8000);
  // A rate above the measured one is an estimate of time that was too low.
  EXPECT_EQ(*row.predicted > row.measured, *row.under_ratio > 1);
  const std::string json = validation_json(report);
  for (const char* key : {"\"cases\":", "\"id\":\"a\"", "\"predicted\":", "\"low\":", "\"high\":",
                          "\"measured\":8000", "\"unit\":", "\"skipped\":null", "\"summary\":"}) {
    EXPECT_NE(json.find(key), std::string::npos) << key;
  }
  EXPECT_NE(validation_table(report).find("stated bounds"), std::string::npos);
}

TEST(Validate, ExcludedRowsNeverCount) {
  std::string text(kThroughput);
  text.replace(text.find("'notes':''"), 10, "'notes':'','calibration_exclude':true");
  const ValidationReport report = validate(knowledge(), {{"cases.json", as_json(text)}});
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_FALSE(report.rows[0].counts);
  for (const ErrorSummary& sum : report.by_kind) EXPECT_EQ(sum.count, 0);
}

TEST(Validate, AMissedBoundFails) {
  std::string text(kThroughput);
  text.replace(text.find("'value':8000"), 12, "'value':80");
  EXPECT_FALSE(validate(knowledge(), {{"cases.json", as_json(text)}}).passed());
}

}  // namespace
}  // namespace xuanka
