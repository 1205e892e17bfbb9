// Requests in: defaults, the six forms of a model, and every way to be wrong.
#include <gtest/gtest.h>

#include <algorithm>

#include "decision_support.hpp"

namespace xuanka {
namespace {

using test::codes_at_paths;
using test::has;
using test::issues;
using test::request;

std::string with_workload(std::string_view inner) {
  return "{'version':1,'workload':{'model':{'id':'llama-2-7b'}," + std::string(inner) + "}}";
}
std::string with(std::string_view more) {
  return "{'version':1,'workload':{'model':{'id':'llama-2-7b'}}," + std::string(more) + "}";
}
std::string with_model(std::string_view model) {
  return "{'version':1,'workload':{'model':" + std::string(model) + "}}";
}

TEST(Request, DefaultsAreTheContracts) {
  const Request r = request("{'version':1,'workload':{'model':{'id':'llama-2-7b'}}}");
  EXPECT_EQ(r.workload.kind, JobKind::kTrain);
  EXPECT_FALSE(r.workload.precision);  // by card
  EXPECT_EQ(r.workload.optimizer, Optimizer::kAdamw);
  EXPECT_EQ(r.workload.seq_len, 2048);
  EXPECT_EQ(r.hardware.counts, (std::vector<int>{1, 2, 4, 8}));
  EXPECT_FALSE(r.hardware.gpus_per_node);
  EXPECT_EQ(r.hardware.network_gbit_s, 100);
  EXPECT_EQ(r.decision.acquire, Acquire::kRent);
  EXPECT_EQ(r.decision.currency, kCny);
  EXPECT_EQ(r.decision.rank_by, RankBy::kCost);
  EXPECT_EQ(r.decision.deadline_hours, 24);
  EXPECT_EQ(r.decision.offers.billing, (std::vector{Billing::kOnDemand}));
  EXPECT_EQ(r.decision.offers.max_age_days, 365);
  EXPECT_EQ(r.decision.own.machine_price, (Money{8000, kCny}));
  EXPECT_EQ(r.as_of, test::api().knowledge().catalog.data_date);
  EXPECT_TRUE(r.workload.packed);
  EXPECT_FALSE(r.has_id);
  for (const std::string_view path :
       {"workload.kind", "workload.precision", "workload.optimizer", "workload.seq_len",
        "workload.micro_batch", "workload.global_batch", "workload.recompute", "hardware.gpus",
        "hardware.counts", "decision.acquire", "decision.currency", "decision.rank_by",
        "decision.deadline_hours", "as_of"}) {
    EXPECT_EQ(std::count(r.assumed.begin(), r.assumed.end(), path), 1) << path;
  }
}

TEST(Request, WhatIsGivenIsNotAssumed) {
  const Request r = request(
      "{'version':1,'as_of':'2026-01-02','workload':{'kind':'finetune','model':{'id':'llama-2-7b'},"
      "'precision':'fp16','optimizer':'lion','seq_len':512,'micro_batch':2,'global_batch':64,"
      "'recompute':'full'},'hardware':{'gpus':['h20-96gb'],'counts':[4,2,4],'gpus_per_node':8,"
      "'link':'pcie','network_gbit_s':25},'decision':{'deadline_hours':5,'acquire':'buy','currency'"
      ":"
      "'USD','rank_by':'time','own':{'hours_per_month':100,'years':1,'pue':1.1,'residual':0.5,"
      "'machine_price':{'amount':1,'currency':'CNY'}}}}");
  EXPECT_TRUE(r.assumed.empty()) << r.assumed.front();
  EXPECT_EQ(r.hardware.counts, (std::vector<int>{2, 4}));
  EXPECT_EQ(r.workload.precision, Precision::kFp16);
  EXPECT_EQ(r.decision.currency, kUsd);
}

TEST(Request, SequencesAreAtMostTheModelsMaximum) {
  EXPECT_EQ(request(with_model("{'id':'gpt2'}")).workload.seq_len, 1024);
  EXPECT_EQ(request(with_model("{'id':'llama-3.1-8b'}")).workload.seq_len, 2048);
  EXPECT_EQ(request(with_workload("'seq_len':16384")).workload.seq_len, 16384);
}

TEST(Request, NullDeadlineIsNoneAndServingHasNone) {
  EXPECT_FALSE(request(with("'decision':{'deadline_hours':null}")).decision.deadline_hours);
  EXPECT_FALSE(request(with_workload("'kind':'inference'")).decision.deadline_hours);
  EXPECT_EQ(request(with("'decision':{'deadline_hours':48}")).decision.deadline_hours, 48);
  EXPECT_EQ(request(with("'decision':{}")).decision.deadline_hours, 24);
}

TEST(Request, TheSixFormsOfAModel) {
  EXPECT_EQ(request(with_model("{'id':'llama-2-7b'}")).workload.model.params, 6738415616.0);
  EXPECT_EQ(request(with_model("{'id':'Llama 2 7B'}")).workload.model.params, 6738415616.0);
  const Request config = request(with_model(
      "{'hf_config':{'_note':'x','model_type':'llama','hidden_size':4096,'intermediate_size':11008,"
      "'num_hidden_layers':32,'num_attention_heads':32,'num_key_value_heads':32,'vocab_size':32000,"
      "'tie_word_embeddings':false,'max_position_embeddings':4096}}"));
  EXPECT_EQ(config.workload.model.params, 6738415616.0);
  const Request shape = request(with_model(
      "{'transformer':{'layers':32,'hidden':4096,'heads':32,'ffn':11008,'vocab':32000}}"));
  EXPECT_EQ(shape.workload.model.params, 6738415616.0);
  const Request size = request(with_model("{'params':7e9}"));
  EXPECT_EQ(size.workload.model.kind, ModelKind::kSizeOnly);
  EXPECT_EQ(size.workload.model.params, 7e9);
  const Request vision = request(
      with_model("{'vision':{'params':25.6e6,'macs_per_sample':4.09e9,'image_size':[224,320],"
                 "'activations_per_sample':11.1e6,'family':'detector'}}"));
  EXPECT_EQ(vision.workload.model.vision->image_width, 320);
  EXPECT_EQ(vision.workload.model.vision->family, VisionFamily::kDetector);
  const Request timed = request(
      with_model("{'measured':{'gpu':'rtx-3090-24gb','count':2,'hours':58,'memory_gb':20}}"));
  EXPECT_EQ(timed.workload.model.measured->hours, 58);
  EXPECT_EQ(timed.workload.model.measured->memory_gb, 20);
}

TEST(Request, ParamsOverrideTheCountOfAShape) {
  const Request r =
      request(with_model("{'transformer':{'layers':32,'hidden':4096,'heads':32,'params':7.5e9}}"));
  EXPECT_EQ(r.workload.model.params, 7.5e9);
}

TEST(Request, AnUnknownArchitectureIsReadAsADecoderAndSaysSo) {
  const Request r = request(
      with_model("{'hf_config':{'model_type':'brandnew','hidden_size':1024,'num_hidden_layers':4,"
                 "'num_attention_heads':8,'intermediate_size':4096,'vocab_size':1000}}"));
  EXPECT_TRUE(has(r.workload.model.notes, NoteCode::kModelFallback));
  const auto missing = issues(with_model("{'hf_config':{'model_type':'brandnew'}}"));
  ASSERT_FALSE(missing.empty());
  EXPECT_TRUE(missing.front().path.starts_with("workload.model.hf_config")) << missing.front().path;
}

TEST(Request, HabitsOfTheProgram) {
  const Request r =
      request(with_workload("'channels_last':true,'software':{'logit_bytes':8,'fused_optimizer':"
                            "true,'cache_in_place':true,"
                            "'loads_whole_model':true}"));
  EXPECT_TRUE(r.workload.channels_last);
  EXPECT_EQ(r.workload.software.logit_bytes, 8);
  EXPECT_TRUE(r.workload.software.fused_optimizer && r.workload.software.cache_in_place &&
              r.workload.software.loads_whole_model);
  EXPECT_TRUE(r.notes.empty());
}

TEST(Request, AmountsOfWork) {
  EXPECT_EQ(request(with_workload("'data':{'tokens':1.4e9}")).workload.tokens, 1.4e9);
  EXPECT_EQ(request(with_workload("'data':{'tokens':1e6,'epochs':3}")).workload.tokens, 3e6);
  const Request samples = request(with_workload("'data':{'samples':118287,'epochs':12}"));
  EXPECT_EQ(samples.workload.samples, 118287);
  EXPECT_EQ(samples.workload.epochs, 12);
  const Request coco = request(
      "{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'dataset':'coco-2017'}}}");
  EXPECT_EQ(coco.workload.samples, 118287);
  EXPECT_EQ(coco.workload.epochs, 12);  // the usual schedule
  EXPECT_EQ(std::count(coco.assumed.begin(), coco.assumed.end(), "workload.data.epochs"), 1);
  const Request none = request(with_workload("'data':{}"));
  EXPECT_FALSE(none.workload.tokens || none.workload.samples);
}

TEST(Request, UnknownKeysAreWarnings) {
  const Request r = request(
      "{'version':1,'workload':{'model':{'id':'llama-2-7b'},'seq_length':4},'hardwear':{},"
      "'_comment':'notes pass','overrides':{'gpus':[{'id':'g','memory_gb':8,'bandwidth_gb_s':100,"
      "'tflops':{'fp32':1},'colour':'red'}]}}");
  EXPECT_EQ(r.notes.size(), 3U);
  std::vector<std::string> paths;
  for (const Note& note : r.notes) {
    EXPECT_EQ(note.code, NoteCode::kUnknownField);
    EXPECT_EQ(note.severity, Severity::kWarning);
    paths.push_back(std::get<std::string>(note.args[0].value));
    if (paths.back() == "workload.seq_length") {
      EXPECT_EQ(std::get<std::string>(note.args[1].value), "seq_len");
    }
  }
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(paths, (std::vector<std::string>{"hardwear", "overrides.gpus[0].colour",
                                             "workload.seq_length"}));
  EXPECT_EQ(r.overrides.gpus.size(), 1U);
}

TEST(Request, OwnUseInHoursOrAsAShare) {
  const auto own = [](std::string_view text) {
    return request(with("'decision':{'acquire':'buy','own':" + std::string(text) + "}"))
        .decision.own;
  };
  EXPECT_EQ(own("{'utilisation':0.5}").hours_per_month, 365);
  EXPECT_DOUBLE_EQ(own("{'hours_per_month':365}").utilisation, 0.5);
  EXPECT_EQ(own("{'hours_per_month':100,'utilisation':0.5}").hours_per_month, 100);
  EXPECT_EQ(own("{}").hours_per_month, 300);
}

TEST(Request, AnIdMayBeANumber) {
  EXPECT_EQ(request(with("'id':'a b'")).id, "a b");
  const Request number = request(with("'id':17"));
  EXPECT_TRUE(number.id_is_number);
  EXPECT_EQ(number.id, "17");
}

TEST(Request, OverridesReplaceKnownIds) {
  const Request r = request(with(
      "'overrides':{'gpus':[{'id':'rtx-4090-24gb','memory_gb':48,'bandwidth_gb_s':1008,'tflops':"
      "{'fp16_tensor':165}}],'fx':{'USD_CNY':6.5}}"));
  const Catalog catalog = overlay(test::api().knowledge().catalog, r.overrides);
  EXPECT_EQ(catalog.gpus.size(), test::api().knowledge().catalog.gpus.size());
  EXPECT_EQ(catalog.find_gpu("rtx-4090-24gb")->memory_gb, 48);
  EXPECT_EQ(catalog.fx.rate(kUsd, kCny), 6.5);
}

struct Bad {
  std::string text;
  std::vector<std::string> want;  // sorted "code@path"
};

class BadRequest : public testing::TestWithParam<Bad> {};

TEST_P(BadRequest, IsRefusedWithThePath) {
  EXPECT_EQ(codes_at_paths(issues(GetParam().text)), GetParam().want)
      << GetParam().text.substr(0, 300);
}

INSTANTIATE_TEST_SUITE_P(
    Text, BadRequest,
    testing::Values(
        Bad{"", {"syntax@"}}, Bad{"{", {"syntax@"}}, Bad{"[]", {"wrong_type@"}},
        Bad{"7", {"wrong_type@"}}, Bad{"null", {"wrong_type@"}}, Bad{"{'version':1,}", {"syntax@"}},
        Bad{with("'decision':{'deadline_hours':NaN}"), {"syntax@decision.deadline_hours"}},
        Bad{with_workload("'data':{'tokens':1e999}"), {"not_finite@workload.data.tokens"}},
        Bad{with("'id':'" + std::string(1 << 20, 'x') + "'"), {"too_large@id"}},
        Bad{with("'id':'" + std::string(std::size_t{9} << 20U, 'x') + "'"), {"too_large@"}},
        Bad{"{'version':1,'version':1,'workload':{'model':{'id':'llama-2-7b'}}}",
            {"duplicate_key@version"}}));

INSTANTIATE_TEST_SUITE_P(
    TopLevel, BadRequest,
    testing::Values(Bad{"{}", {"missing@version", "missing@workload"}},
                    Bad{"{'version':1}", {"missing@workload"}},
                    Bad{"{'version':2,'workload':{'model':{'id':'llama-2-7b'}}}",
                        {"unsupported_version@version"}},
                    Bad{"{'version':'1','workload':{'model':{'id':'llama-2-7b'}}}",
                        {"wrong_type@version"}},
                    Bad{"{'version':1,'workload':{}}", {"missing@workload.model"}},
                    Bad{"{'version':1,'workload':[]}", {"wrong_type@workload"}},
                    Bad{"{'version':1,'workload':{'model':{'id':'resnet50'},'channels_last':5}}",
                        {"wrong_type@workload.channels_last"}},
                    Bad{with("'id':{}"), {"wrong_type@id"}},
                    Bad{with("'as_of':'2026-13-01'"), {"bad_date@as_of"}},
                    Bad{with("'as_of':'today'"), {"bad_date@as_of"}},
                    Bad{with("'solve':'memory'"), {"unknown_value@solve"}},
                    Bad{with("'solve':'concurrency'"), {"conflict@solve"}},
                    Bad{with("'hardware':[]"), {"wrong_type@hardware"}},
                    Bad{with("'decision':7,'host':'x','overrides':[]"),
                        {"wrong_type@decision", "wrong_type@host", "wrong_type@overrides"}}));

std::string taught(std::string_view model, std::string_view dataset) {
  return "{'version':1,'workload':{'model':{'id':'" + std::string(model) +
         "'},'data':{'dataset':'" + std::string(dataset) + "'}}}";
}

// Sound for a model that looks, pictures for one that listens, text for either.
INSTANTIATE_TEST_SUITE_P(
    Modality, BadRequest,
    testing::Values(Bad{taught("whisper-small", "imagenet-1k"), {"conflict@workload.data.dataset"}},
                    Bad{taught("resnet50", "librispeech-960h"), {"conflict@workload.data.dataset"}},
                    Bad{taught("resnet50", "squad-v1.1"), {"conflict@workload.data.dataset"}}));

TEST(Request, ADatasetOfTheModelsKind) {
  for (const auto& [model, dataset] : {std::pair{"whisper-small", "aishell-1"},
                                       {"vit-b-16", "cifar-10"},
                                       {"bert-base-uncased", "squad-v1.1"}}) {
    EXPECT_EQ(request(taught(model, dataset)).workload.dataset, dataset);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Model, BadRequest,
    testing::Values(
        Bad{with_model("{}"), {"missing@workload.model"}},
        Bad{with_model("'llama-2-7b'"), {"wrong_type@workload.model"}},
        Bad{with_model("{'id':'lama-2-7b'}"), {"unknown_id@workload.model.id"}},
        Bad{with_model("{'id':7}"), {"wrong_type@workload.model.id"}},
        Bad{with_model("{'id':''}"), {"missing@workload.model.id"}},
        Bad{with_model("{'id':'llama-2-7b','params':7e9}"), {"conflict@workload.model.params"}},
        Bad{with_model("{'params':-7e9}"), {"out_of_range@workload.model.params"}},
        Bad{with_model("{'params':1e30}"), {"out_of_range@workload.model.params"}},
        Bad{with_model("{'params':7e9,'active_params':8e9}"),
            {"out_of_range@workload.model.active_params"}},
        Bad{with_model("{'transformer':{'layers':2}}"),
            {"missing@workload.model.transformer.heads",
             "missing@workload.model.transformer.hidden"}},
        Bad{with_model("{'transformer':{'layers':2.5,'hidden':64,'heads':4}}"),
            {"not_integer@workload.model.transformer.layers"}},
        Bad{with_model("{'transformer':{'layers':2,'hidden':64,'heads':4,'norm':'batch'}}"),
            {"unknown_value@workload.model.transformer.norm"}},
        Bad{with_model("{'transformer':{'layers':2,'hidden':64,'heads':4,'kv_heads':8}}"),
            {"out_of_range@workload.model.transformer.kv_heads"}},
        Bad{with_model(
                "{'transformer':{'layers':2,'hidden':64,'heads':4,'moe':{'experts':4,'top_k':5}}}"),
            {"out_of_range@workload.model.transformer.moe.top_k"}},
        Bad{with_model("{'vision':{'params':1e6}}"),
            {"missing@workload.model.vision.macs_per_sample"}},
        Bad{with_model("{'vision':{'params':1e6,'macs_per_sample':1e9,'image_size':[1,2,3]}}"),
            {"wrong_type@workload.model.vision.image_size"}},
        Bad{with_model("{'vision':{'params':1e6,'macs_per_sample':1e9,'family':'rnn'}}"),
            {"unknown_value@workload.model.vision.family"}},
        Bad{with_model("{'measured':{'gpu':'rtx-9999','hours':1}}"),
            {"unknown_id@workload.model.measured.gpu"}},
        Bad{with_model("{'measured':{'gpu':'rtx-4090-24gb'}}"),
            {"missing@workload.model.measured.hours"}},
        Bad{with_model("{'measured':{'gpu':'rtx-4090-24gb','hours':0}}"),
            {"out_of_range@workload.model.measured.hours"}},
        Bad{with_model("{'hf_config':7}"), {"wrong_type@workload.model.hf_config"}}));

INSTANTIATE_TEST_SUITE_P(
    Workload, BadRequest,
    testing::Values(
        Bad{with_workload("'kind':'pretrain'"), {"unknown_value@workload.kind"}},
        Bad{with_workload("'data':{'tokens':-3}"), {"out_of_range@workload.data.tokens"}},
        Bad{with_workload("'data':{'tokens':0}"), {"out_of_range@workload.data.tokens"}},
        Bad{with_workload("'data':{'tokens':1e300}"), {"out_of_range@workload.data.tokens"}},
        Bad{with_workload("'data':{'tokens':'1e9'}"), {"wrong_type@workload.data.tokens"}},
        Bad{with_workload("'data':{'tokens':1e9,'samples':5}"), {"conflict@workload.data.samples"}},
        Bad{with_workload("'data':{'dataset':'coco'}"), {"unknown_id@workload.data.dataset"}},
        Bad{with_workload("'data':{'samples':5,'epochs':-1}"),
            {"out_of_range@workload.data.epochs"}},
        Bad{"{'version':1,'workload':{'model':{'id':'resnet50'},'data':{'tokens':5}}}",
            {"conflict@workload.data.tokens"}},
        Bad{"{'version':1,'workload':{'model':{'id':'resnet50'},'kind':'inference'}}",
            {"conflict@workload.kind"}},
        Bad{with_workload("'seq_len':0"), {"out_of_range@workload.seq_len"}},
        Bad{with_workload("'seq_len':1e12"), {"out_of_range@workload.seq_len"}},
        Bad{with_workload("'seq_len':2.5"), {"not_integer@workload.seq_len"}},
        Bad{with_workload("'mean_tokens':100"), {"conflict@workload.mean_tokens"}},
        Bad{with_workload("'micro_batch':8,'global_batch':4"), {"conflict@workload.micro_batch"}},
        Bad{with_workload("'precision':'int8'"), {"unknown_value@workload.precision"}},
        Bad{with_workload("'optimizer_precision':'fp16'"),
            {"unknown_value@workload.optimizer_precision"}},
        Bad{with_workload("'grad_precision':'fp8'"), {"unknown_value@workload.grad_precision"}},
        Bad{with_workload("'packed':'yes'"), {"wrong_type@workload.packed"}},
        Bad{with_workload("'image_size':'big'"), {"wrong_type@workload.image_size"}},
        Bad{with_workload("'lora':{'base':'fp8','rank':0}"),
            {"out_of_range@workload.lora.rank", "unknown_value@workload.lora.base"}},
        Bad{with_workload("'inference':{'weights':'nf4-dq','kv_cache':'int4','concurrency':0}"),
            {"out_of_range@workload.inference.concurrency",
             "unknown_value@workload.inference.kv_cache",
             "unknown_value@workload.inference.weights"}},
        Bad{with_workload("'flops_convention':'half','framework':'jax','recompute':'some'"),
            {"unknown_value@workload.flops_convention", "unknown_value@workload.framework",
             "unknown_value@workload.recompute"}}));

INSTANTIATE_TEST_SUITE_P(
    Rest, BadRequest,
    testing::Values(
        Bad{with("'hardware':{'gpus':['rtx4909',7]}"),
            {"unknown_id@hardware.gpus[0]", "wrong_type@hardware.gpus[1]"}},
        Bad{with("'hardware':{'gpus':'rtx-4090-24gb'}"), {"wrong_type@hardware.gpus"}},
        Bad{with("'hardware':{'counts':[0,1.5,1e9,'x']}"),
            {"not_integer@hardware.counts[1]", "out_of_range@hardware.counts[0]",
             "out_of_range@hardware.counts[2]", "wrong_type@hardware.counts[3]"}},
        Bad{with("'hardware':{'plan':{'zero':4,'tensor':0,'offload':'disk'}}"),
            {"out_of_range@hardware.plan.tensor", "out_of_range@hardware.plan.zero",
             "unknown_value@hardware.plan.offload"}},
        Bad{with("'hardware':{'link':'usb','network_gbit_s':-1}"),
            {"out_of_range@hardware.network_gbit_s", "unknown_value@hardware.link"}},
        Bad{with("'decision':{'budget':{'amount':-5,'currency':'CNY'}}"),
            {"out_of_range@decision.budget.amount"}},
        Bad{with("'decision':{'budget':500}"), {"wrong_type@decision.budget"}},
        Bad{with("'decision':{'budget':{'amount':5,'currency':'XYZ'}}"),
            {"bad_currency@decision.budget.currency"}},
        Bad{with("'decision':{'currency':'yuan'}"), {"bad_currency@decision.currency"}},
        Bad{with("'decision':{'currency':'EUR'}"), {"bad_currency@decision.currency"}},
        Bad{with("'decision':{'deadline_hours':-1,'rank_by':'speed','acquire':'steal'}"),
            {"out_of_range@decision.deadline_hours", "unknown_value@decision.acquire",
             "unknown_value@decision.rank_by"}},
        Bad{with("'decision':{'offers':{'providers':['AutoDLL'],'regions':['Mars'],'billing':['"
                 "free'],"
                 "'currencies':['usd'],'max_age_days':-1}}"),
            {"bad_currency@decision.offers.currencies[0]",
             "out_of_range@decision.offers.max_age_days", "unknown_id@decision.offers.providers[0]",
             "unknown_id@decision.offers.regions[0]", "unknown_value@decision.offers.billing[0]"}},
        Bad{with("'decision':{'own':{'residual':2,'pue':0.5,'years':0}}"),
            {"out_of_range@decision.own.pue", "out_of_range@decision.own.residual",
             "out_of_range@decision.own.years"}},
        Bad{with("'host':{'cuda':'latest','ram_gb':-1}"),
            {"out_of_range@host.ram_gb", "unknown_value@host.cuda"}},
        Bad{with("'overrides':{'efficiency':1.5}"), {"out_of_range@overrides.efficiency"}},
        Bad{with("'overrides':{'fx':{'USDCNY':7}}"), {"bad_currency@overrides.fx.USDCNY"}},
        Bad{with("'overrides':{'gpus':[{'id':'x'}]}"),
            {"missing@overrides.gpus[0].bandwidth_gb_s", "missing@overrides.gpus[0].memory_gb",
             "missing@overrides.gpus[0].tflops"}},
        Bad{with("'overrides':{'gpus':[{'id':'a','memory_gb':8,'bandwidth_gb_s':9,'tflops':{'fp32':"
                 "1}},"
                 "{'id':'a','memory_gb':8,'bandwidth_gb_s':9,'tflops':{'fp32':1}}]}"),
            {"duplicate_id@overrides.gpus[1].id"}}));

// What is wrong with one's own offers and prices is told with its path; the rest counts.
TEST(BadInput, OwnOffersAreRefusedOneByOne) {
  const auto offer = [](std::string_view id, std::string_view fields) {
    return "{'id':'" + std::string(id) + "','gpu_count':1," + std::string(fields) + "}";
  };
  const std::string yuan = "'price_per_hour':{'amount':1,'currency':'CNY'}";
  const auto asked = request(with(
      "'overrides':{'offers':[" + offer("gpu", "'gpu':'nothing'," + yuan) + "," +
      offer("none", "'gpu':'t4-16gb'") + "," +
      offer("zero", "'gpu':'t4-16gb','price_per_hour':{'amount':0,'currency':'CNY'}") + "," +
      offer("yen", "'gpu':'t4-16gb','price_per_hour':{'amount':1,'currency':'JPY'}") + "," +
      offer("later", "'gpu':'t4-16gb','as_of':'2030'," + yuan) + "," +
      offer("good", "'gpu':'T4'," + yuan) + "," + offer("good", "'gpu':'t4-16gb'," + yuan) +
      "],'prices':[{'gpu':'t4-16gb','price':{'amount':0,'currency':'CNY'}},"
      "{'gpu':'T4','price':{'amount':5,'currency':'JPY'}},"
      "{'gpu':'t4-16gb','condition':'second-hand','price':{'amount':900,'currency':'CNY'}}]}"));
  const std::vector<std::string> wanted{"bad_currency@overrides.offers[3].price_per_hour.currency",
                                        "bad_currency@overrides.prices[1].price.currency",
                                        "bad_date@overrides.offers[4].as_of",
                                        "duplicate_id@overrides.offers[6].id",
                                        "missing@overrides.offers[1].price_per_hour",
                                        "out_of_range@overrides.offers[2].price_per_hour.amount",
                                        "out_of_range@overrides.prices[0].price.amount",
                                        "unknown_id@overrides.offers[0].gpu"};
  EXPECT_EQ(test::codes_at_paths(asked.refused), wanted);
  ASSERT_EQ(asked.overrides.offers.size(), 1U);
  EXPECT_EQ(asked.overrides.offers[0].gpu, "t4-16gb");
  ASSERT_EQ(asked.overrides.prices.size(), 1U);
  EXPECT_EQ(asked.overrides.prices[0].price.amount, 900);
  std::size_t told = 0;
  for (const Note& note : asked.notes) told += note.code == NoteCode::kEntryRefused;
  EXPECT_EQ(told, wanted.size());
}

TEST(BadInput, TenThousandDeep) {
  const std::string deep = std::string(10000, '[') + std::string(10000, ']');
  EXPECT_EQ(issues(deep).front().code, IssueCode::kTooDeep);
  EXPECT_EQ(issues(with("'x':" + deep)).front().code, IssueCode::kTooDeep);
}

TEST(BadInput, EveryProblemIsToldAtOnce) {
  const auto all = issues(
      "{'version':3,'workload':{'kind':'x','model':{'id':'nope'},'seq_len':-1},'hardware':{'counts'"
      ":"
      "[-1]},'decision':{'currency':'!!'},'host':{'ram_gb':'much'}}");
  EXPECT_EQ(all.size(), 7U);
}

TEST(BadInput, TheNearestNameIsSuggested) {
  const auto suggestion = [](std::string_view text) {
    const auto found = issues(text);
    for (const Arg& arg : found.front().args) {
      if (arg.name == "nearest") return std::get<std::string>(arg.value);
    }
    return std::string{};
  };
  EXPECT_EQ(suggestion(with("'hardware':{'gpus':['rtx-4099-24gb']}")), "rtx-4090-24gb");
  EXPECT_EQ(suggestion(with_model("{'id':'lama-2-7b'}")), "llama-2-7b");
  EXPECT_EQ(suggestion(with_workload("'data':{'dataset':'coco-2018'}")), "coco-2017");
  EXPECT_EQ(suggestion(with("'decision':{'offers':{'providers':['AIStudo']}}")), "AIStudio");
}

TEST(BadInput, LongTextsAreCutInMessages) {
  const auto found = issues(with("'hardware':{'gpus':['" + std::string(10000, 'x') + "']}"));
  EXPECT_LT(std::get<std::string>(found.front().args[1].value).size(), 100U);
}

}  // namespace
}  // namespace xuanka
