// From the wizard's state to a request of the JSON door, and which inputs matter for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/state.hpp"
#include "xuanka/api/api.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka::web {

/// What the state means, looked up once: decides which inputs are shown and sent.
struct Facts {
  std::string group =
      "language";           ///< of the model: language, vision, detection, diffusion, speech, timed
  bool per_sample = false;  ///< work is counted in images or clips, not tokens
  bool adapter = false, quantised = false, inference = false, training = true;
  bool preset = true;
  std::string model_name;  ///< in the catalog's English spelling; empty when not a preset
  double preset_params = 0;
  std::vector<std::string>
      gpus;  ///< what is asked for: the chosen ones, or those with the must-haves; empty = all
};
[[nodiscard]] Facts facts_of(const Catalog& catalog, const State& state);

/// The input plays a part in what is asked (otherwise it is hidden and not sent, but kept).
[[nodiscard]] bool relevant(FieldId id, const State& state, const Facts& facts);

/// What is wrong with an entry before the core sees it.
struct FieldFault {
  FieldId id;
  std::string code;  ///< `ui.e.<code>`: not_a_number, not_json
};

/// The request as one line of JSON. Entries that cannot be read are left out and listed in
/// `faults`.
[[nodiscard]] std::string write_request(const State& state, const Facts& facts,
                                        std::vector<FieldFault>* faults = nullptr);

/// A JSON string literal.
[[nodiscard]] std::string json_string(std::string_view text);
/// The text is one JSON value (of an array or object when `brackets` says so: "[" or "{").
[[nodiscard]] bool is_json(std::string_view text, char bracket);

/// Reads a request (contract v1) into the inputs of `state`; what has no input is dropped and named
/// in a notice. False when the text is not a JSON object with a workload.
bool read_request(std::string_view json, State& state);
/// Reads an overlay ({"gpus":[..],"offers":[..],"fx":{..}, ...} or {"overrides":{..}}) into
/// `state`.
bool read_overlay(std::string_view json, State& state);
/// Whether a file is a report of `xuanka probe`.
[[nodiscard]] bool is_probe(std::string_view json);
/// Puts what a probe measured into `state`; the notice says for which cards, or why not.
Notice read_probe_file(const Api& api, Lang lang, std::string_view name, std::string_view json,
                       State& state);
/// The user's own figures as an overlay file.
[[nodiscard]] std::string write_overlay(const State& state);

}  // namespace xuanka::web
