#include "shell/batch/sweep_reader.hpp"

#include <algorithm>
#include <cmath>

#include "json/json_text.hpp"
#include "xuanka/base/clip.hpp"
#include "xuanka/base/nearest.hpp"

namespace xuanka::batch {
namespace {

constexpr double kSlack = 1e-9;  // of a step: "to" counts as reached in spite of rounding

// "a.b[2].c" -> "a", "b", "[2]", "c"; empty when it is not a path.
std::vector<std::string> steps_of(std::string_view path) {
  std::vector<std::string> steps;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    std::string_view part = path.substr(at, dot - at);
    const std::size_t bracket = std::min(part.find('['), part.size());
    if (bracket == 0) return {};
    steps.emplace_back(part.substr(0, bracket));
    for (part.remove_prefix(bracket); !part.empty();) {
      const std::size_t end = part.find(']');
      if (part.front() != '[' || end == part.npos || end < 2 || end > 7) return {};
      if (part.find_first_not_of("0123456789", 1) != end) return {};
      steps.emplace_back(part.substr(0, end + 1));
      part.remove_prefix(end + 1);
    }
    at = dot + 1;
  }
  return steps;
}

std::vector<std::string> paths_of(std::string_view key) {
  std::vector<std::string> paths;
  for (std::size_t at = 0; at <= key.size();) {
    const std::size_t comma = std::min(key.find(',', at), key.size());
    std::string_view path = key.substr(at, comma - at);
    while (!path.empty() && path.front() == ' ') path.remove_prefix(1);
    while (!path.empty() && path.back() == ' ') path.remove_suffix(1);
    paths.emplace_back(path);
    at = comma + 1;
  }
  return paths;
}

// Whether one of the paths is the other or lies inside it.
bool overlap(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.substr(0, a.size()) != a) return false;
  return a.size() == b.size() || b[a.size()] == '.' || b[a.size()] == '[';
}

Node tree_of(json::Value value) {
  Node node;
  node.key = value.key();
  if (!value.is_object() && !value.is_array()) {
    json::append_text(value, node.text);
    return node;
  }
  node.kind = value.is_object() ? Node::Kind::kObject : Node::Kind::kArray;
  for (const json::Value child : value.children()) node.children.push_back(tree_of(child));
  return node;
}

// The member or element that a step names; an absent or null member of an object is made.
Node* child_at(Node& node, const std::string& step) {
  if (step.front() == '[') {
    if (node.kind != Node::Kind::kArray) return nullptr;
    const std::size_t index = std::stoul(step.substr(1));
    return index < node.children.size() ? &node.children[index] : nullptr;
  }
  if (node.kind == Node::Kind::kText && (node.text.empty() || node.text == "null")) {
    node.kind = Node::Kind::kObject;
  }
  if (node.kind != Node::Kind::kObject) return nullptr;
  for (Node& child : node.children) {
    if (child.key == step) return &child;
  }
  node.children.push_back({});
  node.children.back().key = step;
  return &node.children.back();
}

}  // namespace

void Reader::read_list(Axis& axis, json::Value list, json::Issues& issues) {
  if (list.size() == 0) {
    issues.add(IssueCode::kMissing, list);
    return;
  }
  const std::size_t together = axis.paths.size();
  for (const json::Value value : list.children()) {
    if (together == 1) {
      json::append_text(value, axis.values.emplace_back());
      continue;
    }
    if (!value.is_array()) {
      issues.add(
          IssueCode::kWrongType, value,
          {{"want", std::string("array")}, {"got", std::string(json::kind_name(value.kind()))}});
    } else if (value.size() != together) {
      const auto want = static_cast<double>(together);
      issues.add(IssueCode::kOutOfRange, value,
                 {{"min", want}, {"max", want}, {"got", static_cast<double>(value.size())}});
    } else {
      for (const json::Value one : value.children())
        json::append_text(one, axis.values.emplace_back());
    }
  }
  axis.count = list.size();
}

void Reader::read_range(Axis& axis, const json::View& range) {
  range.only({"from", "to", "step", "times", "points", "scale"}, true);
  const auto from = range.need_number("from");
  const auto to = range.need_number("to", {from.value_or(json::kAny.min), json::kAny.max});
  const bool has_step = range.has("step"), has_times = range.has("times");
  const auto step = range.number("step", json::kPositive);
  const auto times = range.number("times", {1 + kSlack, 1e9});
  const auto points = range.integer("points", {1, kMaxPoints});
  const auto scale = range.string("scale");
  const bool log = scale && *scale == "log";
  if (scale && !log && *scale != "linear") {
    range.report(IssueCode::kUnknownValue, "scale",
                 {{"got", clip(*scale)}, {"allowed", std::string("linear, log")}});
  }
  if (has_step + has_times + range.has("points") != 1) {
    if (has_step + has_times + range.has("points") == 0) {
      range.report(IssueCode::kMissing, "step", {{"need", std::string("step, times | points")}});
    } else {
      range.report(IssueCode::kConflict, has_times ? "times" : "points",
                   {{"other", std::string(has_step ? "step" : "points")}});
    }
    return;
  }
  if (!from || !to) return;
  if ((times || log) && *from <= 0) {
    range.report(IssueCode::kOutOfRange, "from", {{"above", 0.0}, {"got", *from}});
    return;
  }
  axis.from = *from;
  double count = 0;
  if (step) {
    axis.step = *step;
    count = std::floor((*to - *from) / *step + kSlack) + 1;
  } else if (times) {
    axis.factor = *times;
    count = std::floor(std::log(*to / *from) / std::log(*times) + kSlack) + 1;
  } else if (points) {
    count = *points;
    if (count > 1 && log) axis.factor = std::pow(*to / *from, 1 / (count - 1));
    if (count > 1 && !log) axis.step = (*to - *from) / (count - 1);
  }
  if (!(count <= kMaxPoints)) {
    range.issues().add(IssueCode::kTooLarge, range.value(), {{"max", kMaxPoints}, {"got", count}});
    return;
  }
  axis.count = static_cast<std::uint64_t>(count);
}

void Reader::read_axis(json::Value entry, json::Issues& issues) {
  Axis axis;
  axis.paths = paths_of(entry.key());
  for (const std::string& path : axis.paths) {
    if (steps_of(path).empty()) {
      issues.add(IssueCode::kUnknownField, entry);
      return;
    }
  }
  if (entry.is_array()) {
    read_list(axis, entry, issues);
  } else if (entry.is_object() && axis.paths.size() == 1) {
    read_range(axis, json::View(entry, issues));
  } else {
    issues.add(
        IssueCode::kWrongType, entry,
        {{"want", std::string("array")}, {"got", std::string(json::kind_name(entry.kind()))}});
  }
  line_.axes_.push_back(std::move(axis));
}

void Reader::check_paths(json::Value sweep, json::Issues& issues) const {
  std::vector<std::string_view> seen;
  for (const json::Value entry : sweep.children()) {
    for (const std::string& path : paths_of(entry.key())) {
      if (overlap(path, "sweep") || overlap(path, "sweep_part") || path == "version") {
        issues.add(IssueCode::kUnknownField, entry);
      }
    }
  }
  for (const Axis& axis : line_.axes_) {
    for (const std::string& path : axis.paths) {
      for (const std::string_view other : seen) {
        if (!overlap(path, other)) continue;
        issues.add(IssueCode::kConflict, sweep, path, {{"other", "sweep." + std::string(other)}});
      }
      seen.push_back(path);
    }
  }
}

void Reader::place(Node& root, json::Value entry, std::size_t axis, json::Issues& issues) const {
  const Axis& from = line_.axes_[axis];
  for (std::size_t i = 0; i < from.paths.size(); ++i) {
    Node* node = &root;
    for (const std::string& step : steps_of(from.paths[i])) {
      node = child_at(*node, step);
      if (node == nullptr) break;
    }
    if (node == nullptr) {
      issues.add(IssueCode::kUnknownField, entry);
      continue;
    }
    node->kind = Node::Kind::kSlot;
    node->axis = axis;
    node->path = i;
    node->children.clear();
  }
}

void Reader::cut(const Node& node) {
  std::string& text = line_.pieces_.back();
  switch (node.kind) {
    case Node::Kind::kText:
      text += node.text;
      return;
    case Node::Kind::kSlot:
      line_.slots_.push_back({node.axis, node.path});
      line_.pieces_.emplace_back();
      return;
    default:
      break;
  }
  const bool object = node.kind == Node::Kind::kObject;
  text += object ? '{' : '[';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) line_.pieces_.back() += ',';
    if (object) {
      json::append_string(node.children[i].key, line_.pieces_.back());
      line_.pieces_.back() += ':';
    }
    cut(node.children[i]);
  }
  line_.pieces_.back() += object ? '}' : ']';
}

void Reader::check_count(json::Value sweep, json::Issues& issues) {
  double count = 1;
  for (const Axis& axis : line_.axes_) count *= static_cast<double>(axis.count);
  if (count > kMaxPoints) {
    issues.add(IssueCode::kTooLarge, sweep, {{"max", kMaxPoints}, {"got", count}});
    return;
  }
  line_.count_ = line_.total_ = static_cast<std::uint64_t>(count);
}

void Reader::read_part(const json::View& root) {
  const auto part = root.array("sweep_part");
  if (!part) return;
  const auto numbers = root.numbers("sweep_part", {0, kMaxPoints});
  const auto total = static_cast<double>(line_.total_);
  const bool whole = numbers.size() == 2 && numbers[0] == std::floor(numbers[0]) &&
                     numbers[1] == std::floor(numbers[1]);
  if (!whole) {
    root.report(IssueCode::kWrongType, "sweep_part",
                {{"want", std::string("[first, count]")}, {"got", std::string("array")}});
  } else if (numbers[1] < 1 || numbers[0] + numbers[1] > total) {
    root.report(IssueCode::kOutOfRange, "sweep_part",
                {{"max", total}, {"got", numbers[0] + numbers[1]}});
  } else {
    line_.first_ = static_cast<std::uint64_t>(numbers[0]);
    line_.count_ = static_cast<std::uint64_t>(numbers[1]);
  }
}

// A field that the request does not have would be let pass with a warning, a million times.
void Reader::check_known(json::Value sweep, json::Issues& issues) const {
  for (const std::uint64_t k : {std::uint64_t{0}, line_.count_ - 1}) {
    const auto request = parse_request(api_.knowledge().catalog, line_.request(k));
    if (!request) continue;
    for (const Note& note : request->notes) {
      if (note.code != NoteCode::kUnknownField || note.args.empty()) continue;
      const auto* unknown = std::get_if<std::string>(&note.args.front().value);
      for (const json::Value entry : sweep.children()) {
        for (const std::string& path : paths_of(entry.key())) {
          if (unknown == nullptr || !overlap(path, *unknown) || path.size() < unknown->size())
            continue;
          issues.add(IssueCode::kUnknownField, entry, Args(note.args.begin() + 1, note.args.end()));
        }
      }
    }
    return;
  }
}

void Reader::refuse(json::Value root, const std::vector<Issue>& issues) {
  std::string id;
  const auto given = root.find("id");
  const bool has_id = given && (given->is_string() || given->is_number());
  if (has_id && given->is_string()) id = std::string(given->string());
  if (has_id && given->is_number()) json::append_number(given->number(), id);
  line_ = Line();
  line_.refusal_ =
      issues_json(id, has_id, has_id && given->is_number(), issues, api_.messages(), lang_);
}

Line Reader::read(std::string text) {
  json::Parsed parsed = json::parse(text);
  line_.text_ = std::move(text);
  // Not JSON, or not an object: the core says so in the usual form.
  if (!parsed.document || !parsed.issues.empty()) return std::move(line_);
  const json::Value root = parsed.document->root();
  const auto sweep = root.find("sweep");
  if (!root.is_object() || !sweep) return std::move(line_);
  json::Issues issues;
  if (!sweep->is_object() || sweep->size() == 0) {
    const bool empty = sweep->is_object();
    issues.add(empty ? IssueCode::kMissing : IssueCode::kWrongType, *sweep,
               empty ? Args{}
                     : Args{{"want", std::string("object")},
                            {"got", std::string(json::kind_name(sweep->kind()))}});
  } else {
    for (const json::Value entry : sweep->children()) read_axis(entry, issues);
    check_paths(*sweep, issues);
  }
  if (issues.empty()) check_count(*sweep, issues);
  if (issues.empty()) read_part(json::View(root, issues));
  if (issues.empty()) {
    Node tree = tree_of(root);
    std::erase_if(tree.children,
                  [](const Node& node) { return node.key == "sweep" || node.key == "sweep_part"; });
    std::size_t axis = 0;
    for (const json::Value entry : sweep->children()) place(tree, entry, axis++, issues);
    line_.pieces_.emplace_back();
    cut(tree);
    if (issues.empty()) check_known(*sweep, issues);
  }
  if (!issues.empty()) refuse(root, issues.take());
  return std::move(line_);
}

}  // namespace xuanka::batch
