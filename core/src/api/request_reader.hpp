// Shared by the parts of the request parser. Each part reads one object of the contract into the
// typed request; whatever is wrong goes to `issues` and the reading goes on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/json_view.hpp"
#include "xuanka/api/request.hpp"
#include "xuanka/base/clip.hpp"

namespace xuanka::request_json {

/// What the parts share.
struct Reader {
  const Catalog& catalog;
  Request& request;
  json::Issues& issues;

  /// A default was taken for this path.
  void assume(std::string_view path) { request.assumed.emplace_back(path); }
  /// The GPU named so: the request's own first, then the catalog's, by id, else by a display name
  /// or alias that no other card carries.
  [[nodiscard]] const Gpu* find_gpu(std::string_view name) const;
  /// Keeps the problems of an own offer that is left out; the rest of the request is used.
  void refuse(json::Issues& problems);
  /// Rates of the catalog with the request's own put in.
  [[nodiscard]] FxTable rates() const;
  /// Reports kUnknownId for `where`, with the nearest of `known`.
  void unknown_id(json::Value where, std::string_view kind, std::vector<std::string_view> known);
};

/// Equal but for the case of ASCII letters.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// `value_of(view)` if `key` is present, else the default with its path noted as assumed.
template <class T>
void set_or_assume(Reader& reader, const json::View& view, std::string_view key,
                   const std::optional<T>& value, T& target) {
  if (value) {
    target = *value;
  } else if (!view.has(key)) {
    reader.assume(view.value().path_of(key));
  }
}

void read_overrides(Reader& reader, const json::View& root);
void read_workload(Reader& reader, const json::View& root);
void read_hardware(Reader& reader, const json::View& root);
void read_decision(Reader& reader, const json::View& root);
void read_host(Reader& reader, const json::View& root);

/// `workload.model`: exactly one of the six forms.
void read_model(Reader& reader, const json::View& workload);
/// `workload.data`; the model must have been read.
void read_data(Reader& reader, const json::View& workload);
/// A number or `[height, width]`, pixels; both 0 when absent or wrong.
struct ImageSize {
  double height = 0, width = 0;
};
[[nodiscard]] ImageSize read_image_size(const json::View& view, std::string_view key);

/// A word of a closed vocabulary of which only some are allowed here.
template <class E>
std::optional<E> word_among(const json::View& view, std::string_view key,
                            std::initializer_list<E> allowed) {
  const auto text = view.string(key);
  if (!text) return std::nullopt;
  const auto value = value_of<E>(*text);
  std::string words;
  for (const E one : allowed) {
    if (value == one) return value;
    words += words.empty() ? "" : ", ";
    words += name_of(one);
  }
  view.report(IssueCode::kUnknownValue, key, {{"got", clip(*text)}, {"allowed", words}});
  return std::nullopt;
}

}  // namespace xuanka::request_json
