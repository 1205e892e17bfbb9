// JSON objects -> entries of the catalog. Shared by the loader, `check_text` and the overrides of a
// request, so that all three accept the same fields.
#pragma once

#include <optional>

#include "json/json_view.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka::catalog_json {

/// Who wrote the entry: shipped data must be complete, a user's own needs only what is computed
/// with (GPU: id, memory_gb, bandwidth_gb_s, tflops; offer: id, gpu, gpu_count, price_per_hour).
enum class Origin { kShipped, kOwn };

// Each returns nullopt after reporting what is wrong, and reports unknown keys. References to other
// entries are left unresolved.
[[nodiscard]] std::optional<Source> read_source(const json::View& view);
[[nodiscard]] std::optional<Gpu> read_gpu(const json::View& view, Origin origin);
[[nodiscard]] std::optional<Offer> read_offer(const json::View& view, Origin origin);
[[nodiscard]] std::optional<PurchasePrice> read_purchase_price(const json::View& view,
                                                               Origin origin);
[[nodiscard]] std::optional<PriceSeries> read_price_series(const json::View& view);
[[nodiscard]] std::optional<Depreciation> read_depreciation(const json::View& view);
[[nodiscard]] std::optional<FxRate> read_fx_rate(const json::View& view);
[[nodiscard]] std::optional<Tariff> read_tariff(const json::View& view);
[[nodiscard]] std::optional<EconomicDefault> read_economic_default(const json::View& view);
[[nodiscard]] std::optional<Dataset> read_dataset(const json::View& view);
[[nodiscard]] std::optional<ModelPreset> read_model(const json::View& view);

/// The text of `value` again, without white space: a config.json inside models.json.
[[nodiscard]] std::string to_text(json::Value value);

}  // namespace xuanka::catalog_json
