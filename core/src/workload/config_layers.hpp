// Readers of config.json by layout; each fills the groups and tables of a Model.
#pragma once

#include "workload/config_fields.hpp"
#include "workload/model_builder.hpp"
#include "workload/model_families.hpp"

namespace xuanka {

/// Largest sizes accepted; beyond them a config is an error, not a model.
inline constexpr double kMaxLayers = 10000, kMaxHidden = 1 << 20, kMaxHeads = 65536,
                        kMaxFfn = 1 << 24, kMaxVocab = 1e8, kMaxExperts = 65536,
                        kMaxPositions = 1e9;

/// What every transformer config has.
struct CommonSizes {
  double layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0;
};
/// Layers, h, a, d (h / a unless given), f (4 h where the family says so), V. Reports what is
/// missing; 0 stands for it.
[[nodiscard]] CommonSizes read_common(const ConfigFields& fields, const Family& family);

void read_decoder(const ConfigFields& fields, const Family& family, Model& model);
void read_encoder(const ConfigFields& fields, const Family& family, Model& model);
void read_t5(const ConfigFields& fields, const Family& family, Model& model);
void read_bart(const ConfigFields& fields, const Family& family, Model& model);
void read_whisper(const ConfigFields& fields, const Family& family, Model& model);
void read_vit(const ConfigFields& fields, const Family& family, Model& model);
void read_mamba(const ConfigFields& fields, const Family& family, Model& model);

}  // namespace xuanka
