// Reads the `sweep` of a line and cuts the request where its values go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/json_view.hpp"
#include "shell/batch/sweep.hpp"

namespace xuanka::batch {

/// The request as a tree of texts, so that a value can be put at any path.
struct Node {
  enum class Kind { kText, kObject, kArray, kSlot };
  std::string key, text;
  Kind kind = Kind::kText;
  std::size_t axis = 0, path = 0;  ///< of a slot
  std::vector<Node> children;
};

class Reader {
 public:
  Reader(const Api& api, Lang lang) : api_(api), lang_(lang) {}
  [[nodiscard]] Line read(std::string text);

 private:
  void read_axis(json::Value entry, json::Issues& issues);
  void read_list(Axis& axis, json::Value list, json::Issues& issues);
  void read_range(Axis& axis, const json::View& range);
  void check_paths(json::Value sweep, json::Issues& issues) const;
  void place(Node& root, json::Value entry, std::size_t axis, json::Issues& issues) const;
  void cut(const Node& node);
  void check_count(json::Value sweep, json::Issues& issues);
  void read_part(const json::View& root);
  void check_known(json::Value sweep, json::Issues& issues) const;
  void refuse(json::Value root, const std::vector<Issue>& issues);

  const Api& api_;
  Lang lang_;
  Line line_;
};

}  // namespace xuanka::batch
