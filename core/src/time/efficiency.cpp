#include "xuanka/time/efficiency.hpp"

#include <algorithm>
#include <cmath>

#include "json/json_view.hpp"
#include "memory/memory_constants.hpp"

namespace xuanka {
namespace {

using Class = GpuClass;
constexpr std::array<std::string_view, kGpuClasses> kClassNames{
    "pascal",           "volta",     "turing", "ampere_server", "ampere", "ada", "hopper",
    "blackwell_server", "blackwell", "cdna",   "other"};
constexpr std::array<std::string_view, kLinkKinds> kLinkNames{"none", "nvswitch", "nvpairs",
                                                              "pcie_p2p", "pcie_host"};

struct Scalar {
  std::string_view name;
  double EfficiencyModel::* member;
};
using M = EfficiencyModel;
constexpr auto kScalars = std::to_array<Scalar>({
    {"gemm_roof", &M::gemm_roof},
    {"gemm_tile", &M::gemm_tile},
    {"vector_peak", &M::vector_peak},
    {"moe_peak", &M::moe_peak},
    {"softmax_flops", &M::softmax_flops},
    {"score_bytes", &M::score_bytes},
    {"compiled_elementwise", &M::compiled_elementwise},
    {"optimizer_traffic", &M::optimizer_traffic},
    {"dequant_bytes", &M::dequant_bytes},
    {"adapter_traffic", &M::adapter_traffic},
    {"lora_launch", &M::lora_launch},
    {"moe_launch", &M::moe_launch},
    {"compiled_launch", &M::compiled_launch},
    {"expert_seconds", &M::expert_seconds},
    {"network_reached", &M::network_reached},
    {"network_latency", &M::network_latency},
    {"switch_reduction", &M::switch_reduction},
    {"gather_exposed", &M::gather_exposed},
    {"pipeline_exposed", &M::pipeline_exposed},
    {"expert_exposed", &M::expert_exposed},
    {"straggler", &M::straggler},
    {"collective_seconds", &M::collective_seconds},
    {"vector_convolution", &M::vector_convolution},
    {"channels_first", &M::channels_first},
    {"input_seconds", &M::input_seconds},
    {"input_pixel_seconds", &M::input_pixel_seconds},
    {"decode_gap_seconds", &M::decode_gap_seconds},
    {"host_copy", &M::host_copy},
    {"host_adam_bandwidth", &M::host_adam_bandwidth},
    {"relative_widening", &M::relative_widening},
    {"size_only_widening", &M::size_only_widening},
});

/// Gives `visit(name, value&)` every constant of the model: the single list of names.
template <class Visit>
void each_constant(EfficiencyModel& model, const Visit& visit) {
  for (const Scalar& entry : kScalars) visit(std::string(entry.name), model.*entry.member);
  const auto by_class = [&](std::string_view name, auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      visit(std::string(name) + "." + std::string(kClassNames[i]), values[i]);
    }
  };
  by_class("matmul_peak", model.matmul_peak);
  by_class("attention_peak", model.attention_peak);
  by_class("bandwidth_reached", model.bandwidth_reached);
  by_class("power_need", model.power_need);
  const auto by_framework = [&](std::string_view name, auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      visit(std::string(name) + "." + std::string(EnumNames<Framework>::kNames[i]), values[i]);
    }
  };
  by_framework("fp8_peak", model.fp8_peak);
  by_framework("elementwise", model.elementwise);
  by_framework("loss_bytes", model.loss_bytes);
  by_framework("layer_seconds", model.layer_seconds);
  by_framework("pass_seconds", model.pass_seconds);
  by_framework("step_seconds", model.step_seconds);
  by_framework("decode_layer_seconds", model.decode_layer_seconds);
  by_framework("data_exposed", model.data_exposed);
  by_framework("tensor_exposed", model.tensor_exposed);
  by_framework("vision_host_seconds", model.vision_host_seconds);
  by_framework("vision_speed", model.vision_speed);
  visit("decode_bandwidth.hbm", model.decode_bandwidth[0]);
  visit("decode_bandwidth.gddr", model.decode_bandwidth[1]);
  by_framework("decode_dequant_bytes", model.decode_dequant_bytes);
  by_framework("decode_cache_passes", model.decode_cache_passes);
  const auto by_family = [&](std::string_view name, auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      visit(std::string(name) + "." + std::string(EnumNames<VisionFamily>::kNames[i]), values[i]);
    }
  };
  by_family("vision_peak", model.vision_peak);
  by_family("vision_traffic", model.vision_traffic);
  by_family("activations_per_mac", model.activations_per_mac);
  by_family("vision_launch", model.vision_launch);
  for (std::size_t i = 1; i < kLinkKinds; ++i) {  // no constant for "no link"
    visit("link_reached." + std::string(kLinkNames[i]), model.link_reached[i]);
    visit("link_latency." + std::string(kLinkNames[i]), model.link_latency[i]);
  }
  each_memory_constant(model, visit);
}

FittedConstant read_constant(json::View view) {
  view.only({"value", "low", "high", "unit", "cases", "note"});
  FittedConstant constant;
  constant.value = view.need_number("value").value_or(0);
  // Unit, and how sure the fit is of it: not embedded, nothing is computed with them.
  constant.low = view.number("low", {-1e300, constant.value}).value_or(constant.value);
  constant.high = view.number("high", {constant.value, 1e300}).value_or(constant.value);
  constant.unit = view.string("unit").value_or("");
  constant.cases = view.strings("cases");
  constant.note = view.string("note").value_or("");
  return constant;
}

void read_constants(json::View root, json::Issues& issues, EfficiencyModel& model) {
  const auto table = root.need_object("constants");
  if (!table) return;
  each_constant(model, [&](const std::string& name, double& target) {
    if (const auto view = table->need_object(name)) {
      FittedConstant constant = read_constant(*view);
      target = constant.value;
      model.constants.emplace(name, std::move(constant));
    }
  });
  for (const json::Value child : table->value().children()) {
    if (!model.constants.contains(std::string(child.key()))) {
      issues.add(IssueCode::kUnknownField, child);
    }
  }
}

void read_bands(json::View root, EfficiencyModel& model) {
  for (const json::View& view : root.objects("bands")) {
    view.only({"key", "low", "high", "cases", "nearest"});
    ResidualBand band;
    band.key = view.need_string("key").value_or("");
    band.low = view.need_number("low", json::kPositive).value_or(1);
    band.high = view.need_number("high", {band.low, 1e6}).value_or(1);
    band.cases = static_cast<int>(view.need_integer("cases", {0, 1e6}).value_or(0));
    band.nearest = view.strings("nearest");
    model.bands.push_back(std::move(band));
  }
}

void read_unseen(json::View root, EfficiencyModel& model) {
  for (const json::View& view : root.objects("unseen")) {
    view.only({"name", "cases", "median", "mean", "p90"});
    UnseenError error;
    error.name = view.need_string("name").value_or("");
    error.cases = static_cast<int>(view.need_integer("cases", {0, 1e6}).value_or(0));
    error.median = view.need_number("median", {0, 1e6}).value_or(0);
    error.mean = view.need_number("mean", {0, 1e6}).value_or(0);
    error.p90 = view.need_number("p90", {0, 1e6}).value_or(0);
    model.unseen.push_back(std::move(error));
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string_view gpu_class_name(GpuClass gpu_class) {
  return kClassNames[static_cast<std::size_t>(gpu_class)];
}

GpuClass gpu_class(const Gpu& gpu) {
  const std::string_view name = gpu.architecture;
  const bool hbm = contains(gpu.memory_type, "HBM");
  if (contains(name, "Pascal") || contains(name, "Maxwell") || contains(name, "Kepler")) {
    return Class::kPascal;
  }
  if (contains(name, "Volta")) return Class::kVolta;
  if (contains(name, "Turing")) return Class::kTuring;
  if (contains(name, "Ampere")) return hbm ? Class::kAmpereServer : Class::kAmpere;
  if (contains(name, "Ada")) return Class::kAda;
  if (contains(name, "Hopper")) return Class::kHopper;
  if (contains(name, "Blackwell")) return hbm ? Class::kBlackwellServer : Class::kBlackwell;
  if (contains(name, "CDNA")) return Class::kCdna;
  return Class::kOther;
}

double power_share(const Gpu& gpu, const EfficiencyModel& model) {
  const double need = model.power_need[static_cast<std::size_t>(gpu_class(gpu))];
  const auto peak = peak_at(gpu, Precision::kFp16);
  if (!gpu.tdp_w || !peak || !peak->tensor || need <= 0) return 1;
  const double watts = *gpu.tdp_w / (peak->rate.value() / 1e12);
  return watts < need ? std::sqrt(watts / need) : 1;
}

FlopPerSec product_rate(const Gpu& gpu, const EffectivePeak& peak, const EfficiencyModel& model,
                        Framework framework) {
  if (!peak.tensor) return peak.rate * model.vector_peak;
  const auto c = static_cast<std::size_t>(gpu_class(gpu));
  const bool fp8 = peak.format == PeakFormat::kFp8Tensor;
  const double cast = fp8 ? model.fp8_peak[static_cast<std::size_t>(framework)] : 1;
  return peak.rate * (model.matmul_peak[c] * power_share(gpu, model) * cast);
}

Result<EfficiencyModel> load_efficiency(std::string_view json_text) {
  XUANKA_TRY(document, json::parse_strict(json_text));
  json::Issues issues;
  EfficiencyModel model;
  if (const auto root = json::object_at(document.root(), issues)) {
    root->only({"model_version", "bands", "constants", "unseen"}, true);
    model.model_version =
        static_cast<int>(root->need_integer("model_version", {1, 1e6}).value_or(1));
    read_constants(*root, issues, model);
    read_bands(*root, model);
    read_unseen(*root, model);
  }
  if (!issues.empty()) return tl::unexpected(issues.take());
  return model;
}

NearBands near_bands(const EfficiencyModel& model, std::string_view family,
                     const std::array<std::string_view, 3>& places, GpuClass card) {
  NearBands near;
  const ResidualBand* whole = nullptr;
  for (const ResidualBand& band : model.bands) {
    const std::string_view key = band.key;
    const std::size_t slash = key.find('/');
    if (slash == key.npos) {
      if (key == family) whole = &band;
      if (key == kEveryCase) near.every = &band;
      continue;
    }
    const std::string_view head = key.substr(0, slash), tail = key.substr(slash + 1);
    if (head == "class" && tail == gpu_class_name(card)) near.card_seen = true;
    for (std::size_t i = 0; head == family && i < places.size(); ++i) {
      if (tail == places[i]) near.place[i] = &band;
    }
  }
  for (const ResidualBand*& band : near.place) {
    if (band == nullptr) band = whole != nullptr ? whole : near.every;
  }
  return near;
}

}  // namespace xuanka
