// Every code that can be told is produced by something a user can ask: walks both enums.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "decision_support.hpp"
#include "xuanka/catalog/load.hpp"

namespace xuanka {
namespace {

using test::api;
using test::ask;

std::string job(std::string_view workload, std::string_view rest = "") {
  return "{'version':1,'workload':{" + std::string(workload) + "}" + std::string(rest) + "}";
}
const std::string kLora = "'model':{'id':'llama-2-7b'},'kind':'lora','data':{'tokens':1e7}";
const std::string kFull = "'model':{'id':'llama-2-7b'},'kind':'finetune','data':{'tokens':1e7}";
const std::string kServe = "'model':{'id':'llama-2-7b'},'kind':'inference'";
const std::string kImages = "'model':{'id':'resnet50'},'data':{'samples':1e6}";

std::string on(std::string_view gpu, int count = 1, std::string_view more = "") {
  return ",'hardware':{'gpus':['" + std::string(gpu) + "'],'counts':[" + std::to_string(count) +
         "]" + std::string(more) + "}";
}
std::string precision(std::string_view word) { return ",'precision':'" + std::string(word) + "'"; }

// Requests of which at least one produces the note.
using Requests = std::vector<std::string>;
std::map<NoteCode, Requests> note_requests() {
  using enum NoteCode;
  const std::string timed = "'model':{'measured':{'gpu':'rtx-4090-24gb','hours':";
  const std::string guide = ",'decision':{'offers':{'providers':['AIStudio']}}";
  std::map<NoteCode, Requests> out{
      {kMeasuredHere,
       {job(kLora, on("rtx-4090-24gb") +
                       ",'overrides':{'measured':[{'gpu':'rtx-4090-24gb','matmul_peak':0.9}]}")}},
      {kBf16Emulated, {job(kLora + precision("bf16"), on("t4-16gb"))}},
      {kFp16NoTensor, {job(kLora + precision("fp16"), on("p100-pcie-16gb"))}},
      {kTf32OffByDefault, {job(kLora + precision("tf32"), on("a100-pcie-40gb"))}},
      {kFp8Unavailable, {job(kLora + precision("fp8"), on("a100-pcie-40gb"))}},
      {kNoFlashAttention, {job(kLora, on("v100-sxm-32gb"))}},
      {kCudaTooOld, {job(kLora, on("rtx-4090-24gb") + ",'host':{'cuda':'11.7'}")}},
      {kCudaTooNew, {job(kLora, on("v100-sxm-32gb") + ",'host':{'cuda':'13.0'}")}},
      {kCudaDriver, {job(kLora, on("h100-sxm-80gb") + ",'host':{'cuda':'12.4'}")}},
      {kCudaRecommended, {job(kLora, on("h100-sxm-80gb") + ",'host':{'cuda':'11.8'}")}},
      {kTransformerEngine, {job(kLora, on("h100-sxm-80gb"))}},
      {kPeakAccumulate, {job(kLora + precision("fp16"), on("rtx-4090-24gb"))}},
      {kPeakSparse, {job(kLora, on("h100-sxm-80gb"))}},
      {kVendorStack, {job(kLora, on("mi300x-192gb"))}},
      {kEndOfLife, {job(kLora, on("v100-sxm-32gb"))}},
      {kAftermarket, {job(kLora, on("rtx-2080-ti-22gb"))}},
      {kLowConfidence, {job(kLora, on("a10g-24gb"))}},
      {kSumIsNotUsable,
       {job(kFull, on("rtx-4090-24gb", 8, ",'plan':{'data':8,'zero':0,'offload':'none'}"))}},
      {kOffloadHostRam,
       {job(kFull, on("a100-pcie-40gb", 8, ",'plan':{'offload':'all','zero':3}"))}},
      {kReservedKvCache,
       {job("'model':{'id':'gemma-2-9b'},'kind':'inference','inference':{'prompt_tokens':8000}",
            on("h100-sxm-80gb"))}},
      {kUsableMemoryGuess, {job(kLora, on("mi300x-192gb"))}},
      {kNoP2p, {job(kFull, on("rtx-4090-24gb", 8, ",'plan':{'data':8,'zero':3}"))}},
      {kSlowLink,
       {job(kFull + ",'micro_batch':1,'global_batch':8",
            on("rtx-4090-24gb", 8, ",'link':'pcie-no-p2p','plan':{'data':8,'zero':3}"))}},
      {kInputBound,
       {job("'model':{'id':'resnet18'},'data':{'samples':1e6}",
            on("h100-sxm-80gb") + ",'host':{'have_cpu_cores':2}")}},
      {kLaunchBound,
       {job("'model':{'id':'gpt2'},'data':{'tokens':1e6},'seq_len':64,'micro_batch':1,'global_"
            "batch':1",
            on("h100-sxm-80gb"))}},
      {kOwnEfficiency, {job(kLora, on("a100-pcie-40gb") + ",'overrides':{'efficiency':0.4}")}},
      {kTwoExperiments, {job(timed + "10}}", on("rtx-4090-24gb"))}},
      {kDeadlineMissed, {job(timed + "40}}", on("rtx-4090-24gb"))}},
      {kIntervalCrossesDeadline, {job(timed + "23.9}}", on("rtx-4090-24gb"))}},
      {kNoAmountOfWork, {job("'model':{'id':'resnet50'}", on("a100-pcie-40gb"))}},
      {kConvention, {job(kLora, on("a100-pcie-40gb"))}},
      {kOvertrainedEpochs,
       {job("'model':{'id':'llama-2-7b'},'kind':'lora','data':{'tokens':1e6,'epochs':50}",
            on("a100-pcie-40gb"))}},
      {kCpuCoresLow, {job(kImages, on("a100-pcie-40gb") + guide)}},
      {kHostRamShort, {job(kImages, on("rtx-4090-24gb") + guide + ",'host':{'ram_gb':64}")}},
      {kShapeThatWouldDo, {job(kImages, on("rtx-4090-24gb") + guide + ",'host':{'ram_gb':64}")}},
      {kHostUnknown,
       {job(kImages, on("rtx-4090-24gb") + ",'decision':{'offers':{'providers':['AutoDL']}}")}},
      {kHostRamAssumed,
       {job(kFull, on("rtx-4090-24gb", 1, ",'plan':{'offload':'all'}") +
                       ",'decision':{'offers':{'providers':['AutoDL']}}")}},
      {kDiskShort, {job(kImages, on("rtx-4090-24gb") + guide + ",'host':{'dataset_gb':500}")}},
      {kDiskSlow, {job(kImages, on("rtx-4090-24gb") + ",'host':{'dataset_gb':500,'disk_mb_s':1}")}},
      {kDataTransfer, {job(kImages, on("rtx-4090-24gb") + ",'host':{'dataset_gb':500}")}},
      {kCheckpointSize, {job(kLora, on("a100-pcie-40gb"))}},
      {kGpuBusy, {job(kLora, on("a100-pcie-40gb"))}},
      {kMinimumBilling,
       {job(kLora, on("a100-sxm-80gb") +
                       ",'decision':{'offers':{'billing':['monthly'],'max_age_days':2000}}")}},
      {kSpotLosses,
       {job(kLora, on("a100-sxm-80gb") + ",'decision':{'offers':{'billing':['spot']}}")}},
      {kEntryRefused, {job(kLora, ",'overrides':{'offers':[{'id':'a'}]}")}},
      {kPriceConverted, {job(kLora, on("h100-sxm-80gb"))}},
      {kPriceUndated, {job(kImages, on("rtx-4090-24gb") + guide)}},
      {kPriceOld, {job(kLora, on("h800-sxm-80gb"))}},
      {kPriceGuess,
       {job(kLora, ",'hardware':{'counts':[1]}"),
        job(kLora, ",'hardware':{'counts':[1]},'decision':{'acquire':'buy'}")}},
      {kNoPrice, {job(kLora, on("p4-8gb") + ",'decision':{'offers':{'providers':['AIStudio']}}")}},
      {kWholeInstance,
       {job(kLora, on("v100-sxm-32gb", 3) + ",'decision':{'offers':{'providers':['AWS']}}")}},
      {kSeveralInstances, {job(kLora, on("rtx-4090-24gb", 16) + guide)}},
      {kOverBudget,
       {job(kLora,
            on("a100-pcie-40gb") + ",'decision':{'budget':{'amount':0.01,'currency':'CNY'}}")}},
      {kMarketplace,
       {job(kLora,
            ",'hardware':{'counts':[1]},'decision':{'offers':{'billing':"
            "['marketplace']}}")}},
      {kUnknownField, {job(kLora + ",'colour':1", on("a100-pcie-40gb"))}},
      {kPlanMismatch, {job(kLora, on("a100-pcie-40gb", 3, ",'plan':{'tensor':2}"))}},
      {kSamplesWhole,
       {job("'model':{'id':'llama-2-7b'},'data':{'dataset':'squad-v1.1'}", on("a100-pcie-40gb"))}},
      {kBeyondLength, {job("'model':{'id':'llama-2-7b'},'seq_len':8192", on("a100-pcie-40gb"))}},
      {kAdaptersOnConv, {job("'kind':'lora','model':{'id':'resnet-50'}", on("a100-pcie-40gb"))}},
      {kTextPart,
       {job("'model':{'hf_config':{'model_type':'llava','text_config':{'model_type':'llama',"
            "'hidden_size':1024,'num_hidden_layers':4,'num_attention_heads':8,"
            "'intermediate_size':4096,'vocab_size':1000}}}",
            on("a100-pcie-40gb"))}},
      {kPublishedWeights,
       {job("'kind':'inference','model':{'id':'gpt-oss-20b'}", on("a100-pcie-40gb"))}},
      {kModelFallback,
       {job(
           "'model':{'hf_config':{'model_type':'brandnew','hidden_size':1024,'num_hidden_layers':4,"
           "'num_attention_heads':8,'intermediate_size':4096,'vocab_size':1000}}",
           on("a100-pcie-40gb"))}},
      {kFirstToken,
       {job(kServe, on("a100-pcie-40gb") + ",'decision':{'max_first_token_seconds':1e-5}")}},
      {kTokenRate,
       {job(kServe,
            on("a100-pcie-40gb") + ",'decision':{'min_tokens_per_second_per_request':1e5}")}},
  };
  // Where the line lies depends on the estimates: look along a scale.
  for (int concurrency = 1; concurrency <= 64; ++concurrency) {
    out[kMemoryTight].push_back(
        job(kServe + ",'inference':{'concurrency':" + std::to_string(concurrency) + "}",
            on("rtx-4090-24gb")));
  }
  const std::string mine =
      ",'overrides':{'gpus':[{'id':'mine','memory_gb':80,'bandwidth_gb_s':900,"
      "'tflops':{'fp32':20,'fp16_tensor':100,'bf16_tensor':100}}]}";
  for (const std::string& work : {kImages, kLora, kFull, kServe}) {
    out[kEfficiencyFromRelative].push_back(job(work, on("mine") + mine));
    out[kFewMeasurements].push_back(job(work, on("a100-pcie-40gb")));
  }
  return out;
}

bool produces(const Knowledge& knowledge, const std::string& request, NoteCode code) {
  const auto answer = ask(knowledge, request);
  if (test::has(answer->report.notes, code)) return true;
  return std::any_of(answer->report.candidates.begin(), answer->report.candidates.end(),
                     [code](const Candidate& c) { return test::has(c.notes, code); });
}

// The shipped constants with so many cases behind each, whatever the fit found.
Knowledge measured_by(int cases) {
  Knowledge knowledge = api().knowledge();
  for (ResidualBand& band : knowledge.efficiency.bands) band.cases = cases;
  return knowledge;
}

TEST(Codes, EveryNoteIsProducedByARequest) {
  const auto requests = note_requests();
  const Knowledge few = measured_by(2);
  const Knowledge none = measured_by(0);
  const auto of = [&](NoteCode code) -> const Knowledge& {
    if (code == NoteCode::kFewMeasurements) return few;
    return code == NoteCode::kEfficiencyFromRelative ? none : api().knowledge();
  };
  for (int i = 0; i < static_cast<int>(NoteCode::kCount_); ++i) {
    const auto code = static_cast<NoteCode>(i);
    const auto found = requests.find(code);
    ASSERT_NE(found, requests.end()) << note_code_name(code);
    EXPECT_TRUE(
        std::any_of(found->second.begin(), found->second.end(),
                    [&](const std::string& text) { return produces(of(code), text, code); }))
        << note_code_name(code);
  }
}

TEST(Codes, EveryNoteAndIssueHasATextInBothLanguages) {
  const Messages& messages = api().messages();
  for (const Lang lang : {Lang::kEn, Lang::kZh}) {
    for (int i = 0; i < static_cast<int>(NoteCode::kCount_); ++i) {
      const std::string id = "note." + std::string(note_code_name(static_cast<NoteCode>(i)));
      EXPECT_TRUE(messages.has(lang, id)) << id;
    }
    for (int i = 0; i < static_cast<int>(IssueCode::kCount_); ++i) {
      const std::string id = "issue." + std::string(issue_code_name(static_cast<IssueCode>(i)));
      EXPECT_TRUE(messages.has(lang, id)) << id;
    }
  }
}

std::vector<Issue> refused(const std::string& text) {
  auto parsed = parse_request(api().knowledge().catalog, test::quoted(text));
  return parsed ? std::vector<Issue>{} : parsed.error();
}
std::vector<Issue> checked(const std::string& text) {
  return check_text(test::quoted(text), api().knowledge().catalog, "2026-11-30").issues;
}

std::set<IssueCode> produced_issues() {
  const std::string long_text(std::size_t{1} << 20U, 'x');
  std::vector<std::vector<Issue>> all;
  for (const std::string& text : {
           std::string("{"),
           "{'version':1,'id':'" + long_text + "'}",
           std::string(10000, '['),
           std::string("{'a':1,'a':2}"),
           std::string("{'a':1e999}"),
           std::string("{'version':[],'workload':{}}"),
           std::string("{'version':7}"),
           job("'model':{'id':'nope'},'seq_len':-1,'kind':'x','micro_batch':1.5"),
           job("'model':{'id':'gpt2','params':1}"),
           job(kLora, ",'as_of':'x','decision':{'currency':'x'}"),
           job("'model':{'hf_config':{'model_type':'jamba'}}"),
           job(kLora,
               ",'overrides':{'gpus':[{'id':'a','memory_gb':8,'bandwidth_gb_s':9,'tflops':"
               "{'fp32':1}},{'id':'a','memory_gb':8,'bandwidth_gb_s':9,'tflops':{'fp32':1}}]}"),
       }) {
    all.push_back(refused(text));
  }
  // Data is held to more: figures in the ratios their architecture allows, each with its source.
  all.push_back(
      checked("{'gpus':[{'id':'x-24gb','vendor':'NVIDIA','architecture':'Ada','memory_gb':24,"
              "'bandwidth_gb_s':1008,'tflops':{'fp16_tensor':165,'bf16_tensor':999}}]}"));
  all.push_back(
      checked("{'gpus':[{'id':'x','memory_gb':8,'bandwidth_gb_s':9,'tflops':{},'colour':1}]}"));
  all.push_back(checked(
      "{'kind':'offers','schema':1,'data_date':'2026-11-30','license':'CC BY "
      "4.0','offers':[{'id':'o',"
      "'provider':'p','region':'r','instance':'i','gpu':'t4-16gb','gpu_count':1,'price_per_hour':"
      "{'amount':1,'currency':'CNY'},'billing':'on-demand','as_of':null,'sources':[]}]}"));
  std::set<IssueCode> codes;
  for (const auto& issues : all) {
    for (const Issue& issue : issues) codes.insert(issue.code);
  }
  return codes;
}

// Faults of files are the command line's: its own tests make a file that cannot be read and a full
// disk, and expect the exit status that stands for these two codes only.
bool tested_by_the_command_line() {
  std::ifstream file(std::filesystem::path(XUANKA_SOURCE_DIR) / "tests/cli/cli_test.py");
  std::stringstream text;
  text << file.rdbuf();
  return text.str().find("/dev/full") != std::string::npos &&
         text.str().find("returncode, 3") != std::string::npos;
}

TEST(Codes, EveryIssueIsProducedByAnInput) {
  const std::set<IssueCode> produced = produced_issues();
  for (int i = 0; i < static_cast<int>(IssueCode::kCount_); ++i) {
    const auto code = static_cast<IssueCode>(i);
    const bool of_files = code == IssueCode::kCannotRead || code == IssueCode::kCannotWrite;
    EXPECT_TRUE(of_files ? tested_by_the_command_line() : produced.contains(code))
        << issue_code_name(code);
  }
}

}  // namespace
}  // namespace xuanka
