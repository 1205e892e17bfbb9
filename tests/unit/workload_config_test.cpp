// config.json -> exact parameters: every shipped config, the spellings families use, families whose
// size is published, and what must be refused.
#include <cmath>
#include <filesystem>

#include "json/json_document.hpp"
#include "workload_fixture.hpp"

namespace xuanka {
namespace {

using testing::config_file;
using testing::model_from_file;
using testing::model_of;
using testing::refusals;

double stated(const std::string& text, std::string_view key) {
  const json::Parsed parsed = json::parse(text);
  const auto value = parsed.document ? parsed.document->root().find(key) : std::nullopt;
  return value ? value->number() : -1;
}

// Tolerance: none. Counts are integers below 2^53.
TEST(WorkloadConfig, EveryConfigIsExact) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(XUANKA_SOURCE_DIR "/tests/data/configs")) {
    const std::string name = entry.path().stem().string();
    const std::string text = config_file(name);
    const Model model = testing::model_of_json(text);
    EXPECT_EQ(model.params, stated(text, "_params_total")) << name;
    EXPECT_EQ(model.active_params, stated(text, "_params_active_per_token")) << name;
    EXPECT_GT(model.matmul_params, 0) << name;
    EXPECT_LE(model.matmul_params, model.active_params) << name;
    ++count;
  }
  EXPECT_GE(count, 60);
}

struct Published {
  const char* name;
  double params;
  const char* config;
};
// Sizes that the publishers print (safetensors headers and model cards), families not in the files.
const Published kPublished[] = {
    {"gpt-oss-20b", 20914757184,
     "{'model_type':'gpt_oss','hidden_size':2880,'num_hidden_layers':24,'num_attention_heads':64,"
     "'num_key_value_heads':8,'head_dim':64,'intermediate_size':2880,'vocab_size':201088,"
     "'num_local_experts':32,'num_experts_per_tok':4,'attention_bias':true}"},
    {"Qwen1.5-MoE-A2.7B", 14315784192,
     "{'model_type':'qwen2_moe','hidden_size':2048,'num_hidden_layers':24,"
     "'num_attention_heads':16,'num_key_value_heads':16,'intermediate_size':5632,"
     "'vocab_size':151936,'num_experts':60,'num_experts_per_tok':4,'moe_intermediate_size':1408,"
     "'shared_expert_intermediate_size':5632}"},
    {"starcoder2-3b", 3030371328,
     "{'model_type':'starcoder2','hidden_size':3072,'num_hidden_layers':30,"
     "'num_attention_heads':24,'num_key_value_heads':2,'intermediate_size':12288,"
     "'vocab_size':49152,'use_bias':true}"},
    {"gpt-j-6b", 6050882784,
     "{'model_type':'gptj','n_embd':4096,'n_layer':28,'n_head':16,'n_inner':null,"
     "'vocab_size':50400,'n_positions':2048}"},
    {"mpt-7b", 6649286656,
     "{'model_type':'mpt','d_model':4096,'n_layers':32,'n_heads':32,'expansion_ratio':4,"
     "'vocab_size':50432,'max_seq_len':2048,'no_bias':true}"},
    {"command-r", 34980831232,
     "{'model_type':'cohere','hidden_size':8192,'num_hidden_layers':40,'num_attention_heads':64,"
     "'num_key_value_heads':64,'intermediate_size':22528,'vocab_size':256000}"},
    {"dbrx", 131596523520,
     "{'model_type':'dbrx','d_model':6144,'n_layers':40,'n_heads':48,'vocab_size':100352,"
     "'attn_config':{'kv_n_heads':8},'ffn_config':{'ffn_hidden_size':10752,"
     "'moe_num_experts':16,'moe_top_k':4}}"},
    {"Phi-3-mini", 3821079552,
     "{'model_type':'phi3','hidden_size':3072,'num_hidden_layers':32,'num_attention_heads':32,"
     "'num_key_value_heads':32,'intermediate_size':8192,'vocab_size':32064}"},
    {"mamba-130m", 129135360,
     "{'model_type':'mamba','hidden_size':768,'num_hidden_layers':24,'vocab_size':50280,"
     "'state_size':16,'expand':2,'conv_kernel':4,'time_step_rank':48}"},
    {"flan-t5-xxl", 11135332352,
     "{'model_type':'t5','d_model':4096,'d_ff':10240,'d_kv':64,'num_layers':24,'num_heads':64,"
     "'vocab_size':32128,'feed_forward_proj':'gated-gelu','tie_word_embeddings':false}"},
    {"bart-large", 406291456,
     "{'model_type':'bart','d_model':1024,'encoder_layers':12,'decoder_layers':12,"
     "'encoder_attention_heads':16,'decoder_attention_heads':16,'encoder_ffn_dim':4096,"
     "'decoder_ffn_dim':4096,'vocab_size':50265,'max_position_embeddings':1024}"},
    {"whisper-large-v3", 1543490560,
     "{'model_type':'whisper','d_model':1280,'encoder_layers':32,'decoder_layers':32,"
     "'encoder_attention_heads':20,'encoder_ffn_dim':5120,'vocab_size':51866,'num_mel_bins':128}"},
    {"distilbert", 66362880,
     "{'model_type':'distilbert','dim':768,'n_layers':6,'n_heads':12,'hidden_dim':3072,"
     "'vocab_size':30522,'max_position_embeddings':512}"},
    {"roberta-base", 124645632,
     "{'model_type':'roberta','hidden_size':768,'num_hidden_layers':12,'num_attention_heads':12,"
     "'intermediate_size':3072,'vocab_size':50265,'max_position_embeddings':514,"
     "'type_vocab_size':1}"},
    {"falcon-40b", 41303293952,
     "{'model_type':'falcon','hidden_size':8192,'num_hidden_layers':60,'num_attention_heads':128,"
     "'num_kv_heads':8,'new_decoder_architecture':true,'vocab_size':65024,'bias':false}"},
    {"opt-350m", 331196416,
     "{'model_type':'opt','hidden_size':1024,'num_hidden_layers':24,'num_attention_heads':16,"
     "'ffn_dim':4096,'vocab_size':50272,'max_position_embeddings':2048,"
     "'word_embed_proj_dim':512,'do_layer_norm_before':false}"},
    {"Qwen-7B", 7721324544,
     "{'model_type':'qwen','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,"
     "'intermediate_size':22016,'vocab_size':151936,'kv_channels':128}"},
    {"glm-4-9b", 9399951360,
     "{'model_type':'chatglm','hidden_size':4096,'num_layers':40,'num_attention_heads':32,"
     "'ffn_hidden_size':13696,'padded_vocab_size':151552,'multi_query_attention':true,"
     "'multi_query_group_num':2,'kv_channels':128,'add_qkv_bias':true}"},
    {"Llama-4-Scout (text)", 107769861120,
     "{'model_type':'llama4_text','hidden_size':5120,'num_hidden_layers':48,"
     "'num_attention_heads':40,'num_key_value_heads':8,'head_dim':128,'intermediate_size':8192,"
     "'intermediate_size_mlp':16384,'num_local_experts':16,'num_experts_per_tok':1,"
     "'interleave_moe_layer_step':1,'vocab_size':202048}"},
};

TEST(WorkloadConfig, FamiliesOfPublishedSize) {
  for (const Published& entry : kPublished) {
    EXPECT_EQ(model_of(entry.config).params, entry.params) << entry.name;
  }
}

// The same model in the spellings of different families: every pair must count the same.
TEST(WorkloadConfig, SpellingsOfOneQuantity) {
  const std::string tail =
      "'num_attention_heads':8,'intermediate_size':1024,'vocab_size':1000,"
      "'max_position_embeddings':64}";
  const auto with = [&](const std::string& head) {
    return model_of("{'model_type':'llama'," + head + "," + tail).params;
  };
  const double layers = with("'hidden_size':256,'num_hidden_layers':4");
  for (const char* key :
       {"n_layer", "n_layers", "num_layers", "num_decoder_layers", "decoder_layers", "depth"}) {
    EXPECT_EQ(with("'hidden_size':256,'" + std::string(key) + "':4"), layers) << key;
  }
  for (const char* key : {"n_embd", "d_model", "model_dim", "dim", "embed_dim"}) {
    EXPECT_EQ(with("'num_hidden_layers':4,'" + std::string(key) + "':256"), layers) << key;
  }
  const std::string base = "{'model_type':'llama','hidden_size':256,'num_hidden_layers':4,";
  const auto also = [&](const std::string& rest) { return model_of(base + rest + "}").params; };
  for (const char* key : {"n_head", "n_heads", "num_heads"}) {
    EXPECT_EQ(also("'" + std::string(key) + "':8,'intermediate_size':1024,'vocab_size':1000"),
              layers)
        << key;
  }
  for (const char* key : {"n_inner", "ffn_dim", "d_ff", "ffn_hidden_size", "decoder_ffn_dim"}) {
    EXPECT_EQ(also("'num_attention_heads':8,'" + std::string(key) + "':1024,'vocab_size':1000"),
              layers)
        << key;
  }
  for (const char* key : {"padded_vocab_size", "n_vocab"}) {
    EXPECT_EQ(
        also("'num_attention_heads':8,'intermediate_size':1024,'" + std::string(key) + "':1000"),
        layers)
        << key;
  }
  const std::string grouped = "'num_attention_heads':8,'intermediate_size':1024,'vocab_size':1000,";
  const double two = also(grouped + "'num_key_value_heads':2");
  EXPECT_LT(two, layers);
  for (const char* key :
       {"num_kv_heads", "n_head_kv", "n_kv_heads", "multi_query_group_num", "num_query_groups"}) {
    EXPECT_EQ(also(grouped + "'" + key + "':2"), two) << key;
  }
  const double wide = also(grouped + "'head_dim':64");
  for (const char* key : {"kv_channels", "d_kv", "attention_head_dim"}) {
    EXPECT_EQ(also(grouped + "'" + key + "':64"), wide) << key;
  }
  const double experts = also(grouped + "'num_local_experts':4,'num_experts_per_tok':2");
  for (const char* key : {"n_routed_experts", "num_experts", "moe_num_experts"}) {
    EXPECT_EQ(also(grouped + "'" + key + "':4,'moe_topk':2"), experts) << key;
  }
}

TEST(WorkloadConfig, AbsentTieTakesTheFamilysDefault) {
  const char* shape =
      "'hidden_size':64,'num_hidden_layers':2,'num_attention_heads':4,'intermediate_size':256,"
      "'vocab_size':1000,'max_position_embeddings':128";
  for (const char* type : {"gpt2", "gemma", "gemma2", "bloom", "falcon", "opt", "cohere"}) {
    EXPECT_TRUE(
        model_of("{'model_type':'" + std::string(type) + "'," + shape + "}").tied_embeddings)
        << type;
  }
  for (const char* type :
       {"llama", "mistral", "qwen2", "qwen3", "phi", "gpt_neox", "mixtral", "internlm2"}) {
    const Model untied = model_of("{'model_type':'" + std::string(type) + "'," + shape + "}");
    EXPECT_FALSE(untied.tied_embeddings) << type;
    const Model tied = model_of("{'model_type':'" + std::string(type) + "'," + shape +
                                ",'tie_word_embeddings':true}");
    EXPECT_EQ(untied.params - tied.params, 64000) << type;
  }
}

TEST(WorkloadConfig, WindowsAlternate) {
  const Model gemma2 = model_from_file("gemma-2-9b");
  ASSERT_EQ(gemma2.groups.size(), 2U);
  EXPECT_EQ(gemma2.groups[0].count, 21);
  EXPECT_EQ(gemma2.groups[1].count, 21);
  const Model gemma3 = model_from_file("gemma-3-1b");  // five local layers, then a global one
  double local = 0;
  for (const LayerGroup& group : gemma3.groups) {
    if (group.attention.window > 0) local += group.count;
  }
  EXPECT_EQ(local, 22);
  const Model listed = model_of(
      "{'model_type':'llama','hidden_size':64,'num_hidden_layers':3,'num_attention_heads':4,"
      "'intermediate_size':256,'vocab_size':100,'sliding_window':32,"
      "'layer_types':['sliding_attention','full_attention','sliding_attention']}");
  ASSERT_EQ(listed.groups.size(), 2U);
  EXPECT_EQ(listed.groups[0].count, 1);
  EXPECT_EQ(listed.groups[1].attention.window, 32);
}

TEST(WorkloadConfig, UnknownFamilyIsAPlainDecoderAndSaysSo) {
  const Model model = model_of(
      "{'model_type':'brandnew','hidden_size':4096,'num_hidden_layers':32,"
      "'num_attention_heads':32,'intermediate_size':11008,'vocab_size':32000}");
  EXPECT_EQ(model.params, 6738415616);
  ASSERT_EQ(model.notes.size(), 1U);
  EXPECT_EQ(model.notes[0].code, NoteCode::kModelFallback);
  EXPECT_EQ(std::get<std::string>(model.notes[0].args.at(0).value), "brandnew");
  EXPECT_TRUE(model_from_file("llama-2-7b").notes.empty());
}

TEST(WorkloadConfig, MultimodalConfigReadsItsTextPart) {
  const Model model = model_of(
      "{'model_type':'llava','vision_config':{'hidden_size':1024},'text_config':{"
      "'model_type':'llama','hidden_size':4096,'num_hidden_layers':32,'num_attention_heads':32,"
      "'intermediate_size':11008,'vocab_size':32000}}");
  EXPECT_EQ(model.params, 6738415616);
  EXPECT_FALSE(model.notes.empty());
}

using Refusals = std::vector<std::string>;

TEST(WorkloadConfig, MissingFieldsAreAllNamed) {
  EXPECT_EQ(refusals("{'model_type':'brandnew','hidden_size':4096}", "workload.model.hf_config"),
            (Refusals{"missing@workload.model.hf_config.num_hidden_layers",
                      "missing@workload.model.hf_config.num_attention_heads",
                      "missing@workload.model.hf_config.intermediate_size",
                      "missing@workload.model.hf_config.vocab_size"}));
  EXPECT_EQ(refusals("{'model_type':'t5','d_model':512}").size(), 4U);
}

TEST(WorkloadConfig, AbsurdValuesAreRefusedWithTheirPath) {
  const auto with = [](const char* change) {
    return refusals("{'model_type':'llama','intermediate_size':256,'vocab_size':100," +
                        std::string(change) + "}",
                    "m");
  };
  EXPECT_EQ(with("'hidden_size':64,'num_attention_heads':4,'num_hidden_layers':-3"),
            Refusals{"out_of_range@m.num_hidden_layers"});
  EXPECT_EQ(with("'hidden_size':1e300,'num_attention_heads':4,'num_hidden_layers':3"),
            Refusals{"out_of_range@m.hidden_size"});
  EXPECT_EQ(with("'hidden_size':'64','num_attention_heads':4,'num_hidden_layers':3"),
            Refusals{"wrong_type@m.hidden_size"});
  EXPECT_EQ(with("'hidden_size':64,'num_attention_heads':0,'num_hidden_layers':3"),
            Refusals{"out_of_range@m.num_attention_heads"});
  EXPECT_EQ(with("'hidden_size':64,'num_attention_heads':4,'num_hidden_layers':2.5"),
            Refusals{"not_integer@m.num_hidden_layers"});
  EXPECT_EQ(with("'hidden_size':64,'num_attention_heads':5,'num_hidden_layers':3"),
            Refusals{"conflict@m.num_attention_heads"});
  EXPECT_EQ(
      with(
          "'hidden_size':64,'num_attention_heads':4,'num_key_value_heads':8,'num_hidden_layers':3"),
      Refusals{"conflict@m.num_key_value_heads"});
  EXPECT_EQ(with("'hidden_size':64,'num_attention_heads':4,'num_hidden_layers':3,'num_experts':4,'"
                 "num_experts_per_tok':9"),
            Refusals{"conflict@m.num_experts_per_tok"});
}

TEST(WorkloadConfig, StructuresThatCannotBeCountedAreNamed) {
  EXPECT_EQ(refusals("{'model_type':'jamba','hidden_size':64}"),
            Refusals{"unsupported_model@model_type"});
  EXPECT_EQ(refusals("{'model_type':'llama','hidden_size':64,'num_hidden_layers':2,"
                     "'num_attention_heads':4,'intermediate_size':256,'vocab_size':100,"
                     "'layer_types':['linear_attention','full_attention']}"),
            Refusals{"unsupported_model@layer_types"});
}

TEST(WorkloadConfig, TextThatIsNoObjectIsRefused) {
  EXPECT_FALSE(read_hf_config("[1,2]", ""));
  EXPECT_FALSE(read_hf_config("{\"hidden_size\":", ""));
  EXPECT_FALSE(read_hf_config("", ""));
  EXPECT_FALSE(read_hf_config("{\"model_type\":5}", ""));
}

TEST(WorkloadShape, PartsGivenInNumbers) {
  const TransformerShape llama{.layers = 32, .hidden = 4096, .heads = 32, .ffn = 11008};
  const auto model = model_from_shape(llama, "workload.model.transformer");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->params, 6738415616);
  TransformerShape named = llama;
  named.params = 7e9;
  EXPECT_EQ(model_from_shape(named, "")->params, 7e9);
  TransformerShape bad = llama;
  bad.heads = 0;
  bad.layers = -1;
  const auto refused = model_from_shape(bad, "t");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().size(), 2U);
  EXPECT_EQ(refused.error()[0].path, "t.layers");
}

TEST(WorkloadShape, SizeAloneKeepsItsTotals) {
  for (const double params : {1e6, 1.3e8, 7e9, 7e10, 1e12}) {
    const Model dense = model_from_params(params, 0);
    EXPECT_EQ(dense.params, params);
    EXPECT_NEAR(dense.active_params / params, 1, 1e-9);
    const Model sparse = model_from_params(params, params / 5);
    EXPECT_EQ(sparse.params, params);
    EXPECT_EQ(sparse.active_params, params / 5);
    EXPECT_TRUE(std::isfinite(sparse.matmul_params));
  }
}

}  // namespace
}  // namespace xuanka
