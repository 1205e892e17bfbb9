// What is read but not computed with: a card per architecture, notes on providers, the guides'
// examples. Not part of what a page loads (assets/reference).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xuanka/catalog/load.hpp"
#include "xuanka/text/text.hpp"

namespace xuanka {

/// A text in both languages.
struct Bilingual {
  std::string en, zh;
  [[nodiscard]] const std::string& in(Lang lang) const { return lang == Lang::kZh ? zh : en; }
};

/// A version of a framework that added, dropped or asks something of an architecture.
struct FrameworkChange {
  std::string name;
  std::string change;  ///< added | dropped | needs | recommended | planned
  std::optional<std::string> version, date;
  Bilingual note;
  std::vector<std::string> sources;
};
/// The card of an architecture.
struct Architecture {
  std::string id;
  std::vector<std::string> covers;  ///< names in gpus.json
  std::string vendor, stack;        ///< CUDA, ROCm, CANN, ...
  std::optional<std::string> cuda_first, cuda_last;
  std::vector<std::pair<std::string, std::string>>
      formats;                  ///< native | vector | emulated | absent
  std::string flash_attention;  ///< newest version that runs, or none
  Bilingual brings, switch_on, obsolescence;
  std::vector<FrameworkChange> frameworks;
  std::vector<std::string> sources;
};
/// Instances of a provider whose names begin alike, and the cards in them.
struct ProviderFamily {
  std::string prefix;
  std::vector<std::string> gpus;
  Bilingual note;
};
struct ProviderNote {
  std::string id, name, provider;  ///< `provider` as offers call it
  std::vector<ProviderFamily> families;
  Bilingual slip;  ///< what guides and tables get wrong
  std::vector<std::string> sources;
};
/// A guide's example: `xuanka rank FLAGS` is its answer.
struct GuideExample {
  std::string id, flags;
  std::string request;  ///< what the flags stand for, JSON text
  Bilingual title, says;
  std::vector<std::string> sources;
};
struct Reference {
  std::vector<Architecture> architectures;
  std::vector<ProviderNote> providers;
  std::vector<GuideExample> presets;
  std::vector<Source> sources;

  /// The card that covers a GPU's architecture; nullptr when there is none.
  [[nodiscard]] const Architecture* find_architecture(std::string_view gpu_architecture) const;
};

/// Reads assets/reference; files of other kinds are passed over. Errors: every fault at once.
[[nodiscard]] Result<Reference> load_reference(std::span<const assets::EmbeddedFile> files);

/// Judges a file of kind architectures, providers or presets; nullopt for texts of other kinds,
/// which `check_text` knows. Rules: both languages, sources that resolve, dates not after `today`,
/// CUDA range and formats as the cards of the architecture have them, instances of a family hold
/// its cards and no others.
[[nodiscard]] std::optional<FileCheck> check_reference(std::string_view text,
                                                       const Catalog& catalog,
                                                       std::string_view today);

}  // namespace xuanka
