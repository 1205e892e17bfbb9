// Models for tests: from a config's text, from a file of tests/data/configs, or from a shape.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "xuanka/workload/hf_config.hpp"

namespace xuanka::testing {

inline std::string config_file(std::string_view name) {
  const std::string path =
      std::string(XUANKA_SOURCE_DIR "/tests/data/configs/") + std::string(name) + ".json";
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

/// Single quotes stand for double ones.
inline std::string quoted_config(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\'', '"');
  return out;
}

inline Model model_of_json(std::string_view json, std::string_view path = "") {
  auto model = read_hf_config(json, path);
  if (!model) {
    for (const Issue& issue : model.error()) {
      ADD_FAILURE() << issue_code_name(issue.code) << " at " << issue.path;
    }
    return {};
  }
  return std::move(*model);
}

/// From single-quoted text.
inline Model model_of(std::string_view text, std::string_view path = "") {
  return model_of_json(quoted_config(text), path);
}

inline Model model_from_file(std::string_view name) { return model_of_json(config_file(name)); }

/// "code@path" of every issue of a config that must be refused.
inline std::vector<std::string> refusals(std::string_view text, std::string_view path = "") {
  auto model = read_hf_config(quoted_config(text), path);
  if (model) {
    ADD_FAILURE() << "was read: " << text;
    return {};
  }
  std::vector<std::string> out;
  for (const Issue& issue : model.error()) {
    out.push_back(std::string(issue_code_name(issue.code)) + "@" + issue.path);
  }
  return out;
}

}  // namespace xuanka::testing
