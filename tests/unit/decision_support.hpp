// Asking questions in tests: the shipped knowledge, a request's text, the typed answer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/api/api.hpp"

namespace xuanka::test {

inline const Arg* detail_find_arg(const std::vector<Note>& notes, NoteCode code,
                                  std::string_view name) {
  for (const Note& note : notes) {
    if (note.code != code) continue;
    for (const Arg& arg : note.args) {
      if (arg.name == name) return &arg;
    }
  }
  return nullptr;
}

/// The shipped knowledge, loaded once.
inline const Api& api() {
  static const Api loaded = [] {
    auto created = Api::create();
    if (!created) {
      for (const Issue& issue : created.error()) {
        ADD_FAILURE() << issue_code_name(issue.code) << " " << issue.path;
      }
      return Api{};
    }
    return std::move(*created);
  }();
  return loaded;
}

/// `{'key': 1}` with double quotes.
inline std::string quoted(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '\'', '"');
  return out;
}

/// A request with its answer. The report points into the request, so both stay where they are.
struct Answer {
  Request request;
  Report report;

  /// The candidate of a GPU and count; fails the test and returns an empty one if there is none.
  [[nodiscard]] const Candidate& at(std::string_view gpu, int count) const;
  [[nodiscard]] const Candidate& best() const;
};
inline const Candidate& Answer::at(std::string_view gpu, int count) const {
  for (const Candidate& c : report.candidates) {
    if (c.gpu == gpu && c.count == count) return c;
  }
  static const Candidate none;
  ADD_FAILURE() << "no candidate " << gpu << " x " << count;
  return none;
}

inline const Candidate& Answer::best() const {
  if (report.recommended) return report.candidates[*report.recommended];
  static const Candidate none;
  ADD_FAILURE() << "nothing is recommended";
  return none;
}

/// The request alone.
inline Request request(std::string_view text) {
  auto parsed = parse_request(api().knowledge().catalog, quoted(text));
  if (parsed) return std::move(*parsed);
  for (const Issue& issue : parsed.error()) {
    ADD_FAILURE() << api().messages().issue_text(Lang::kEn, issue);
  }
  return {};
}

/// Asks with single-quoted JSON and given knowledge. Fails the test when the request is refused.
inline std::unique_ptr<Answer> ask(const Knowledge& knowledge, std::string_view text) {
  auto answer = std::make_unique<Answer>();
  answer->request = request(text);
  answer->report = rank(knowledge, answer->request);
  return answer;
}

/// Asks the shipped knowledge.
inline std::unique_ptr<Answer> ask(std::string_view text) { return ask(api().knowledge(), text); }

/// The problems of a request that must be refused.
inline std::vector<Issue> issues(std::string_view text) {
  auto parsed = parse_request(api().knowledge().catalog, quoted(text));
  if (!parsed) return parsed.error();
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return {};
}

inline bool has(const std::vector<Note>& notes, NoteCode code) {
  return std::any_of(notes.begin(), notes.end(), [code](const Note& n) { return n.code == code; });
}

/// A number of a note; 0 when it is not there.
inline double number(const std::vector<Note>& notes, NoteCode code, std::string_view name) {
  const Arg* arg = detail_find_arg(notes, code, name);
  const auto* value = arg != nullptr ? std::get_if<double>(&arg->value) : nullptr;
  return value != nullptr ? *value : 0;
}

/// A text of a note; empty when it is not there.
inline std::string text(const std::vector<Note>& notes, NoteCode code, std::string_view name) {
  const Arg* arg = detail_find_arg(notes, code, name);
  const auto* value = arg != nullptr ? std::get_if<std::string>(&arg->value) : nullptr;
  return value != nullptr ? *value : std::string{};
}

/// "out_of_range@workload.data.tokens" for each issue, sorted.
inline std::vector<std::string> codes_at_paths(const std::vector<Issue>& issues) {
  std::vector<std::string> out;
  for (const Issue& issue : issues) {
    out.push_back(std::string(issue_code_name(issue.code)) + "@" + issue.path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace xuanka::test
