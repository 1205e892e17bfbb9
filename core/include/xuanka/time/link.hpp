// Links between GPUs: what a collective reaches, by topology.
#pragma once

#include "xuanka/base/enums.hpp"
#include "xuanka/base/units.hpp"
#include "xuanka/catalog/catalog.hpp"

namespace xuanka {

enum class LinkKind { kNone, kNvSwitch, kNvPairs, kPcieP2p, kPcieHost };

/// The links of a machine built from one GPU type. Bandwidths are one way, per GPU, as specified
/// (before the achieved fraction of the efficiency model).
struct Topology {
  LinkKind inside = LinkKind::kNone;  ///< between the GPUs of a node
  BytesPerSec inside_bandwidth;
  BytesPerSec pair_bandwidth;  ///< within an NVLink pair; 0 when there is none
  BytesPerSec network;         ///< between nodes, per GPU
  double gpus_per_node = 8;
  bool mesh = false;  ///< direct links only: n GPUs reach (n - 1) / 7 of a node's links
  BytesPerSec host;   ///< GPU to host memory, one way
};

/// Resolves `link: auto` for a card (contract: NVLink switch for SXM, pairs where a bridge is the
/// card's NVLink, else PCIe with the card's P2P). An explicit choice is taken as it is.
[[nodiscard]] Topology make_topology(const Gpu& gpu, LinkChoice choice, double gpus_per_node,
                                     double network_gbit_s);

}  // namespace xuanka
