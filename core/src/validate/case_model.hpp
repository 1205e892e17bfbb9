// Model, precision and method of a case, from the fields and words of its source.
#pragma once

#include <string_view>

#include "json/json_document.hpp"
#include "xuanka/validate/validate.hpp"

namespace xuanka {

/// What is stated beside the numbers, in lower case.
struct CaseWords {
  std::string precision, method, technique, notes, title, where, interconnect, framework, recompute;
  /// The class of software that the source ran.
  [[nodiscard]] Framework software() const;
  /// True when the code predates fused attention (arXiv 2205.14135, May 2022) or lacks it.
  [[nodiscard]] bool unfused_attention() const;
};

/// Fills workload.model from the `model` object; sets `skipped` when it cannot.
void read_case_model(const Catalog& catalog, json::Value model, std::string_view gpu_words,
                     MeasuredCase& out);
/// A model of the catalog by a printed name ("llama-3.1-8b", "ResNet-50 v1.5"); nullopt unknown.
[[nodiscard]] std::optional<Model> model_by_printed_name(const Catalog& catalog,
                                                         std::string_view printed);
/// Precision, kind, optimizer, adapters and switches stated in words.
void read_case_words(const CaseWords& words, const Gpu& gpu, MeasuredCase& out);
/// Memory habits of the program behind a source (memory_words.cpp).
void read_memory_words(const CaseWords& words, MeasuredCase& out);
/// Link and network stated in words.
void read_case_links(const CaseWords& words, Gpu& gpu, MeasuredCase& out);
/// "decoder", "encoder", "moe", "lora", "conv", ...: as the bands of the time model.
[[nodiscard]] std::string case_family(const MeasuredCase& measured);
/// Vision family of a model by its printed name.
[[nodiscard]] VisionFamily family_by_name(std::string_view name);

/// What a unit means: quantity, scale to its base unit, memory scope. False: not understood.
bool read_case_unit(std::string_view unit, MeasuredCase& out);

/// Whole training runs of ordinary code read and augment images on the CPU, with the eight logical
/// cores a GPU that machines for rent have; benchmarks with DALI or synthetic images do not.
void settle_host(const CaseWords& words, MeasuredCase& out);

}  // namespace xuanka
