// The presets: enough of each kind, every one with a source, every config read with the parameters
// its source states.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catalog_fixture.hpp"
#include "json/json_view.hpp"
#include "xuanka/workload/hf_config.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(CatalogModels, CountsByGroup) {
  std::map<std::string, int> groups;
  for (const ModelPreset& model : shipped_catalog().models) ++groups[model.group];
  EXPECT_GE(groups["language"], 60);
  EXPECT_GE(groups["vision"], 60);
  EXPECT_GE(groups["detection"], 12);
  EXPECT_GE(groups["diffusion"] + groups["speech"], 6);
}

TEST(CatalogModels, EveryPresetHasASourceAndOneForm) {
  for (const ModelPreset& model : shipped_catalog().models) {
    EXPECT_FALSE(model.sources.empty()) << model.id;
    EXPECT_NE(model.config_text.empty(), !model.vision.has_value()) << model.id;
    for (const std::string& source : model.sources) {
      EXPECT_NE(shipped_catalog().find_source(source), nullptr) << model.id << " " << source;
    }
    if (model.vision) {
      EXPECT_GT(model.vision->params, 0) << model.id;
      EXPECT_GT(model.vision->macs_per_sample, 0) << model.id;
      EXPECT_GT(model.vision->activations_per_sample, 0) << model.id;
      const bool sized = model.group != "speech";
      EXPECT_EQ(model.vision->image_size > 0, sized) << model.id;
    }
  }
}

TEST(CatalogModels, EveryConfigHasThePublishedParameters) {
  int exact = 0;
  for (const ModelPreset& preset : shipped_catalog().models) {
    if (preset.config_text.empty()) continue;
    const auto model = read_hf_config(preset.config_text, preset.id);
    ASSERT_TRUE(model.has_value()) << preset.id;
    ASSERT_TRUE(preset.expected_params.has_value()) << preset.id;
    EXPECT_EQ(model->params, *preset.expected_params) << preset.id;
    ++exact;
  }
  EXPECT_GE(exact, 120);
}

// Well-known totals, independent of the files: parameters in the models' cards and papers.
TEST(CatalogModels, WellKnownTotals) {
  const std::pair<const char*, double> kParams[] = {
      {"llama-2-7b", 6738415616},     {"llama-2-13b", 13015864320}, {"llama-2-70b", 68976648192},
      {"llama-3-70b", 70553706496},   {"gpt2", 124439808},          {"qwen2.5-7b", 7615616512},
      {"gpt-oss-120b", 116829156672}, {"smollm2-135m", 134515008},  {"mixtral-8x7b", 46702792704}};
  for (const auto& [id, params] : kParams) {
    const ModelPreset* preset = shipped_catalog().find_model(id);
    ASSERT_NE(preset, nullptr) << id;
    EXPECT_EQ(read_hf_config(preset->config_text, id)->params, params) << id;
  }
  const ModelPreset& resnet = *shipped_catalog().find_model("resnet50");
  EXPECT_EQ(resnet.vision->params, 25557032);
  EXPECT_NEAR(resnet.vision->macs_per_sample, 4.089e9, 1e6);
  EXPECT_NEAR(resnet.vision->activations_per_sample, 11.1e6, 0.1e6);
  EXPECT_EQ(shipped_catalog().find_model("sdxl")->vision->params, 2567463684);
  EXPECT_EQ(shipped_catalog().find_model("stable-diffusion-1.5")->vision->params, 859520964);
}

TEST(CatalogModels, EveryCollectedConfigIsAPreset) {
  int files = 0;
  for (const ModelPreset& preset : shipped_catalog().models) {
    const std::string text =
        read_file(std::string(XUANKA_SOURCE_DIR) + "/tests/data/configs/" + preset.id + ".json");
    if (text.empty()) continue;
    ++files;
    const auto document = json::parse_strict(text);
    ASSERT_TRUE(document.has_value()) << preset.id;
    const auto stated = document->root().find("_params_total");
    ASSERT_TRUE(stated.has_value()) << preset.id;
    EXPECT_EQ(read_hf_config(text, "")->params, stated->number()) << preset.id;
    EXPECT_EQ(preset.expected_params, stated->number()) << preset.id;
  }
  EXPECT_EQ(files, 62);
}

TEST(CatalogModels, DatasetsHaveAnAmountAndASource) {
  EXPECT_GE(shipped_catalog().datasets.size(), 30U);
  for (const Dataset& dataset : shipped_catalog().datasets) {
    EXPECT_TRUE(dataset.samples || dataset.tokens) << dataset.id;
    EXPECT_TRUE(dataset.disk_gb.has_value()) << dataset.id;
    EXPECT_GT(dataset.usual_epochs, 0) << dataset.id;
    EXPECT_FALSE(dataset.name_zh.empty()) << dataset.id;
    for (const std::string& source : dataset.sources) {
      EXPECT_NE(shipped_catalog().find_source(source), nullptr) << dataset.id << " " << source;
    }
  }
}

}  // namespace
}  // namespace xuanka
