// What ships: GPUs, offers, purchase prices, datasets, model presets and the sources of every
// figure. Plain data, loaded once from the embedded JSON, never changed afterwards; a request's
// overrides make a new Catalog view through `Overlay` (api).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xuanka/base/enums.hpp"
#include "xuanka/base/money.hpp"
#include "xuanka/base/units.hpp"

namespace xuanka {

/// Where figures come from.
struct Source {
  std::string id, title, publisher, address, date;
};

enum class Vendor { kNvidia, kAmd, kIntel, kHuawei, kMooreThreads, kHygon, kCambricon, kOther };
enum class GpuStatus { kCurrent, kEol, kAftermarket, kAnnounced };
/// Every format a peak is stored for; peaks are dense. `_acc16` = FP16 accumulate.
enum class PeakFormat {
  kFp64,
  kFp32,
  kTf32,
  kFp16Vector,
  kFp16Tensor,
  kFp16TensorAcc16,
  kBf16Tensor,
  kFp8Tensor,
  kFp8TensorAcc16,
  kFp4Tensor,
  kInt8,
  kCount_
};

/// The data's name of a format: "fp16_tensor", "fp8_tensor_fp16acc", ...
[[nodiscard]] std::string_view peak_format_name(PeakFormat format);

/// NVLink and its kin, per GPU.
struct FastLink {
  std::string version;
  enum class Topology { kSwitch, kBridgePair, kMesh } topology = Topology::kSwitch;
  BytesPerSec total;  ///< both directions added, as marketed; half of it is one way
};
struct PcieLink {
  std::string gen;
  int lanes = 16;
  BytesPerSec bidirectional;  ///< both directions added; half of it is one way
};
/// Median of user-contributed matmul results on the card; a check on the peaks.
struct MeasuredMatmul {
  std::optional<double> fp32, tf32, fp16, bf16;  ///< TFLOPS
  int samples = 0;
  bool bf16_native = true;
};
/// A source that differs from the catalog's value.
struct Disagreement {
  std::string field, source;
  std::string catalog_value, source_value;  ///< as printed
};

/// An accelerator. `memory_gb` is as marketed (10^9 in value metrics, x 2^30 in what is usable).
struct Gpu {
  std::string id, name;
  std::vector<std::string> aliases;
  std::string vendor_name;
  Vendor vendor = Vendor::kOther;
  std::string architecture;
  std::string launch;                             ///< YYYY-MM
  std::optional<std::string> compute_capability;  ///< "8.9"; NVIDIA only
  std::optional<std::string> cuda_min,
      cuda_last;  ///< first and last toolkit; no last = still supported
  double memory_gb = 0;
  std::string memory_type;
  BytesPerSec bandwidth;
  std::array<std::optional<double>, static_cast<std::size_t>(PeakFormat::kCount_)>
      tflops{};  ///< dense
  std::map<std::string, double>
      sparse_multiplier;  ///< "tensor" for all formats, exceptions by format
  std::optional<MeasuredMatmul> measured_matmul;
  std::optional<FastLink> nvlink;
  std::optional<PcieLink> pcie;
  std::optional<double> tdp_w;
  std::string form_factor;
  std::optional<bool> ecc;
  std::string p2p;     ///< the note as given
  bool p2p_ok = true;  ///< direct GPU-to-GPU access over PCIe with the stock driver
  std::optional<double> msrp_usd, msrp_cny;
  GpuStatus status = GpuStatus::kCurrent;
  bool low_confidence = false;
  std::optional<int> board_gpus;      ///< GPUs on one board, where it holds several (A16)
  std::optional<double> board_tdp_w;  ///< power of that whole board, W
  std::string notes;
  int verified_by = 0;
  std::map<std::string, std::vector<std::string>> sources;  ///< field -> source ids
  std::vector<Disagreement> disagreements;
  std::vector<std::string>
      exceptions;    ///< rules of `check` this entry breaks, the reason in `notes`
  bool own = false;  ///< from the user's overrides

  /// Dense peak of a stored format; nullopt where the card has none.
  [[nodiscard]] std::optional<FlopPerSec> peak(PeakFormat format) const {
    const auto& value = tflops[static_cast<std::size_t>(format)];
    if (!value) return std::nullopt;
    return teraflops(*value);
  }
};

/// The dense peak used for a request's precision, and what it stands for.
struct EffectivePeak {
  FlopPerSec rate;
  PeakFormat format = PeakFormat::kFp32;
  bool emulated = false;  ///< bf16 without bf16 units
  bool tensor = false;    ///< matrix units are used
};
/// Peak at a precision by the contract's rule ("Peak at a precision"); nullopt = unsupported.
[[nodiscard]] std::optional<EffectivePeak> peak_at(const Gpu& gpu, Precision precision);

/// An hourly rental offer. `price_per_hour` is of the whole instance.
struct Offer {
  std::string id, provider, region, instance, gpu;
  int gpu_count = 1;
  std::optional<double> vcpus, ram_gb;
  std::optional<std::string> disk;
  Money price_per_hour;
  Billing billing = Billing::kOnDemand;
  std::optional<std::string> as_of;  ///< date or year; nullopt = undated
  std::vector<std::string> sources;
  std::string note;
  std::optional<double> as_of_day;  ///< `as_of` as day_number counts (Catalog::index_offers)
  bool per_gpu = false;  ///< single-GPU rate that serves 1 to 8 in one node at price x count
  std::optional<double> min_hours;  ///< billed at least, however short the job
  bool own = false;
};

struct PurchasePrice {
  std::string gpu;
  enum class Condition { kNew, kSecondHand, kUnspecified } condition = Condition::kNew;
  enum class Kind { kList, kStreet } kind = Kind::kStreet;
  Money price;
  std::optional<std::string> date;
  std::string market;
  std::vector<std::string> sources;
  std::string note;
  bool own = false;  ///< the user's own quote
};
/// A dated series of prices in one currency (purchase history or rental trend).
struct PriceSeries {
  std::string gpu;
  Currency currency;
  std::string market, unit;
  std::vector<std::string> sources;
  struct Point {
    std::string period;
    double amount = 0;
    std::optional<int> samples;
  };
  std::vector<Point> points;
};
struct Depreciation {
  std::string gpu, start, end;
  Money start_price, end_price;
  double annual_change = 0;  ///< fraction, -0.15 = loses 15 % a year
  std::vector<std::string> sources;
  std::string note;
};
struct Tariff {
  std::string region;
  Money price_per_kwh;
  std::optional<std::string> date;
  std::vector<std::string> sources;
  std::string note;
};
/// A default with its source (hosting, residual value, ...).
struct EconomicDefault {
  std::string name;
  double value = 0;
  std::optional<Currency> currency;
  std::string unit;
  std::vector<std::string> sources;
  std::string note;
};

/// A dataset people name. `tokens` for text, `samples` for images, clips or pairs.
struct Dataset {
  std::string id, name, name_zh;
  Modality modality = Modality::kText;  ///< what a sample of it is
  std::optional<double> samples, tokens;
  std::optional<double> disk_gb;
  double usual_epochs = 1;
  std::optional<double> image_size;
  std::vector<std::string> sources;
  std::string note;
};

/// A model that can be named in a request. Exactly one of `config_text` and `vision` is filled.
struct ModelPreset {
  std::string id, name, name_zh;
  std::vector<std::string> aliases;
  std::string group;        ///< language | vision | detection | diffusion | speech
  std::string config_text;  ///< a Hugging Face config.json (minified), read by `read_hf_config`
  struct Vision {
    double params = 0, macs_per_sample = 0,
           activations_per_sample = 0;         ///< per image at image_size
    double image_size = 224, image_width = 0;  ///< width 0 = square
    VisionFamily family = VisionFamily::kConv;
    /// Bytes kept per counted element beside a network trained whole, with batch norms and
    /// rectifiers in place: below 1 with frozen stages and norms, above with activations that keep
    /// their input.
    double kept_share = 1;
  };
  std::optional<Vision> vision;
  std::optional<double> expected_params;  ///< stated by the source; a test compares
  std::vector<std::string> sources;
  std::string note;
};

/// Where to look for an entry of a list.
struct HashedPosition {
  std::uint32_t hash = 0;
  std::uint32_t position = 0;
};

struct Catalog {
  std::string data_date;     ///< "today" when a request gives no as_of
  std::string data_version;  ///< data_date + "+" + hash of the texts
  std::vector<Source> sources;
  std::vector<Gpu> gpus;
  std::vector<Offer> offers;
  std::vector<PurchasePrice> purchase_prices;
  std::vector<PriceSeries> price_history, rental_trend;
  std::vector<Depreciation> depreciation;
  FxTable fx;
  std::vector<Tariff> electricity;
  std::vector<EconomicDefault> economic_defaults;
  std::vector<Dataset> datasets;
  std::vector<ModelPreset> models;

  // Look-ups by exact id, then by alias (case-insensitive); nullptr when there is none.
  [[nodiscard]] const Gpu* find_gpu(std::string_view id) const;
  [[nodiscard]] const Offer* find_offer(std::string_view id) const;
  [[nodiscard]] const Dataset* find_dataset(std::string_view id) const;
  [[nodiscard]] const ModelPreset* find_model(std::string_view id) const;
  [[nodiscard]] const Source* find_source(std::string_view id) const;
  /// The offers of one GPU, in no order.
  [[nodiscard]] std::vector<const Offer*> offers_of(std::string_view gpu) const;

  /// Makes the look-ups of offers quick. Who reorders or replaces `offers` calls it again.
  void index_offers();

 private:
  std::vector<HashedPosition> offers_by_id_, offers_by_gpu_;  ///< ordered by hash
};

/// The id of `ids` closest to `text` ("rtx4090" -> "rtx-4090-24gb"); empty when nothing is near.
[[nodiscard]] std::string nearest_id(std::string_view text,
                                     const std::vector<std::string_view>& ids);

}  // namespace xuanka
