// Simple questions without JSON: flags -> the JSON request of the contract. Nothing is decided
// here; the text goes through the one door like any other request.
#pragma once

#include <string>
#include <vector>

#include "shell/cli/shell.hpp"

namespace xuanka::cli {

/// A JSON object under construction, members in the order of their first use.
class JsonObject {
 public:
  /// Puts JSON text at a dotted path, e.g. ("workload.data.tokens", "5e7").
  void set(std::string_view path, std::string json_value);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool empty() const { return members_.empty(); }

 private:
  struct Member;
  std::vector<Member> members_;
};
struct JsonObject::Member {
  std::string key, value;  // value is empty for an object
  JsonObject object;
};

/// `text` as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);
/// A number as people write it ("5e7", "50M", "1.4T", "7B", "2k") as JSON text; nullopt otherwise.
[[nodiscard]] std::optional<std::string> json_number(std::string_view text);

/// The flags of `rank` and `explain`.
struct RequestFlags {
  std::string file;  ///< REQUEST.json or "-"
  /// One per use of a flag: path in the request, what it holds, the flag's own name.
  struct Given {
    std::string flag, path, text;
  };
  std::vector<Given> given;
  std::string config_file, data, price, budget, overlay;
  std::vector<std::string> set;  ///< "path=value"
  bool show = false;             ///< print the request instead of asking
};

/// Declares the flags on a command.
void add_request_flags(CLI::App& command, const Shell& shell, RequestFlags& flags);

/// The request's text: the file's, or the one the flags make. Errors are complained about; the
/// status to leave with is in `status`.
[[nodiscard]] std::optional<std::string> request_text(const Shell& shell, const RequestFlags& flags,
                                                      int& status);

/// Complains about a request's issues, naming flags where flags were used; returns kBadUsage.
int complain_about_request(const Shell& shell, const RequestFlags& flags,
                           const std::vector<Issue>& issues);

}  // namespace xuanka::cli
