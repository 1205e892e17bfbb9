// The recipes of CONTRIBUTING.md and README of the catalogue, done as written: the example entry
// passes the check, and moved into the shipped files it loads, is found and can be computed with.
#include <fstream>
#include <sstream>

#include "catalog_fixture.hpp"
#include "json/json_document.hpp"
#include "json/json_text.hpp"

namespace xuanka {
namespace {

using testing::shipped_catalog;
using testing::shipped_text;

constexpr std::string_view kToday = "2026-11-30";

std::string contributing() {
  std::ifstream in(std::string(XUANKA_SOURCE_DIR) + "/CONTRIBUTING.md", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The JSON blocks of a Markdown text, in order; `key` selects those that mention it.
std::vector<std::string> json_blocks(const std::string& markdown, std::string_view key) {
  std::vector<std::string> blocks;
  for (std::size_t at = markdown.find("```json"); at != std::string::npos;
       at = markdown.find("```json", at)) {
    const std::size_t begin = markdown.find('\n', at) + 1;
    const std::size_t end = markdown.find("```", begin);
    const std::string block = markdown.substr(begin, end - begin);
    if (block.find(key) != std::string::npos) blocks.push_back(block);
    at = end + 3;
  }
  return blocks;
}

// The first element of the list `key` in a JSON text, as text.
std::string first_entry(const std::string& text, std::string_view key) {
  const auto document = json::parse_strict(text);
  if (!document) return {};
  const auto list = document->root().find(key);
  if (!list || list->size() == 0) return {};
  std::string out;
  json::append_text(*list->children().begin(), out);
  return out;
}

// A shipped file with one more entry at the front of its list.
std::string with_entry(std::string_view file, std::string_view list, const std::string& entry) {
  std::string text(shipped_text(file));
  const std::string opening = "\"" + std::string(list) + "\":[";
  const std::size_t at = text.find(opening);
  EXPECT_NE(at, std::string::npos);
  return text.insert(at + opening.size(), entry + ",");
}

Result<Catalog> load_with(
    std::initializer_list<std::pair<std::string_view, std::string_view>> changed) {
  std::vector<assets::EmbeddedFile> files(assets::catalog_files().begin(),
                                          assets::catalog_files().end());
  for (auto& file : files) {
    for (const auto& [name, text] : changed) {
      if (file.name == name) file.text = text;
    }
  }
  return load_catalog(files);
}

std::string described(const std::vector<Issue>& issues) {
  std::string out;
  for (const Issue& issue : issues) {
    out += std::string(issue_code_name(issue.code)) + " " + issue.path + "; ";
  }
  return out;
}

TEST(CatalogRecipe, AddAGpuAsContributingSays) {
  const auto blocks = json_blocks(contributing(), "\"gpus\"");
  ASSERT_EQ(blocks.size(), 1U);
  const FileCheck checked = check_text(blocks[0], shipped_catalog(), kToday);
  EXPECT_EQ(checked.entries, 2U);  // the card and its source
  EXPECT_EQ(described(checked.issues), "");

  const std::string gpu = first_entry(blocks[0], "gpus");
  const std::string gpus = with_entry("gpus.json", "gpus", gpu);
  const std::string source_file =
      with_entry("sources.json", "sources", first_entry(blocks[0], "sources"));
  const auto catalog = load_with({{"gpus.json", gpus}, {"sources.json", source_file}});
  ASSERT_TRUE(catalog.has_value()) << described(catalog.error());
  EXPECT_EQ(catalog->gpus.size(), shipped_catalog().gpus.size() + 1);
  const Gpu* card = catalog->find_gpu("Example Card");
  ASSERT_NE(card, nullptr);
  EXPECT_TRUE(peak_at(*card, Precision::kBf16).has_value());
  EXPECT_EQ(described(check_text(gpus, *catalog, kToday).issues), "");
}

TEST(CatalogRecipe, AddAnOfferAsContributingSays) {
  const auto blocks = json_blocks(contributing(), "\"price_per_hour\"");
  ASSERT_EQ(blocks.size(), 1U);
  const std::string offers = with_entry("offers.json", "offers", blocks[0]);
  EXPECT_EQ(described(check_text(offers, shipped_catalog(), kToday).issues), "");
  const auto catalog = load_with({{"offers.json", offers}});
  ASSERT_TRUE(catalog.has_value()) << described(catalog.error());
  EXPECT_EQ(catalog->offers.size(), shipped_catalog().offers.size() + 1);
}

TEST(CatalogRecipe, AddAModelAsContributingSays) {
  const auto blocks = json_blocks(contributing(), "\"config\"");
  ASSERT_EQ(blocks.size(), 1U);
  const std::string models = with_entry("models.json", "models", blocks[0]);
  EXPECT_EQ(described(check_text(models, shipped_catalog(), kToday).issues), "");
  const auto catalog = load_with({{"models.json", models}});
  ASSERT_TRUE(catalog.has_value()) << described(catalog.error());
  EXPECT_EQ(catalog->models.size(), shipped_catalog().models.size() + 1);
}

}  // namespace
}  // namespace xuanka
