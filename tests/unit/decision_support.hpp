// Asking questions in tests: the shipped knowledge, a request's text, the typed answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/api/api.hpp"

namespace xuanka::test {

/// The shipped knowledge, loaded once.
const Api& api();
/// As `{'key': 1}` in tests: single quotes stand for double ones.
std::string quoted(std::string_view text);

/// A request with its answer. The report points into the request, so both stay where they are.
struct Answer {
  Request request;
  Report report;

  /// The candidate of a GPU and count; fails the test and returns an empty one if there is none.
  [[nodiscard]] const Candidate& at(std::string_view gpu, int count) const;
  [[nodiscard]] const Candidate& best() const;
};
/// Asks with single-quoted JSON. Fails the test when the request is refused.
std::unique_ptr<Answer> ask(std::string_view text);
/// The same with other knowledge than shipped.
std::unique_ptr<Answer> ask(const Knowledge& knowledge, std::string_view text);
/// The request alone.
Request request(std::string_view text);
/// The problems of a request that must be refused.
std::vector<Issue> issues(std::string_view text);

bool has(const std::vector<Note>& notes, NoteCode code);
/// A number or text of a note; 0 and empty when it is not there.
double number(const std::vector<Note>& notes, NoteCode code, std::string_view arg);
std::string text(const std::vector<Note>& notes, NoteCode code, std::string_view arg);
/// "out_of_range@workload.data.tokens" for each issue.
std::vector<std::string> codes_at_paths(const std::vector<Issue>& issues);

}  // namespace xuanka::test
