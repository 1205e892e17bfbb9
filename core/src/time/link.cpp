#include "xuanka/time/link.hpp"

namespace xuanka {
namespace {

/// The link kind that `link: auto` stands for on this card.
LinkKind natural_link(const Gpu& gpu) {
  if (gpu.nvlink && gpu.nvlink->topology != FastLink::Topology::kBridgePair) {
    return LinkKind::kNvSwitch;
  }
  if (gpu.nvlink) return LinkKind::kNvPairs;
  return gpu.p2p_ok ? LinkKind::kPcieP2p : LinkKind::kPcieHost;
}

LinkKind chosen_link(const Gpu& gpu, LinkChoice choice) {
  switch (choice) {
    case LinkChoice::kNvlink:
      return LinkKind::kNvSwitch;
    case LinkChoice::kNvlinkPairs:
      return LinkKind::kNvPairs;
    case LinkChoice::kPcie:
      return LinkKind::kPcieP2p;
    case LinkChoice::kPcieNoP2p:
      return LinkKind::kPcieHost;
    case LinkChoice::kAuto:
      break;
  }
  return natural_link(gpu);
}

}  // namespace

Topology make_topology(const Gpu& gpu, LinkChoice choice, double gpus_per_node,
                       double network_gbit_s) {
  // A card without a listed link: PCIe 3.0 x16 is what any host offers.
  const BytesPerSec pcie = gpu.pcie ? gpu.pcie->bidirectional * 0.5 : gigabytes_per_sec(16);
  const BytesPerSec fast = gpu.nvlink ? gpu.nvlink->total * 0.5 : pcie;
  Topology topology;
  topology.inside = chosen_link(gpu, choice);
  topology.gpus_per_node = gpus_per_node < 1 ? 1 : gpus_per_node;
  topology.network = gigabits_per_sec(network_gbit_s);
  topology.host = pcie;
  switch (topology.inside) {
    case LinkKind::kNvSwitch:
      topology.inside_bandwidth = fast;
      topology.mesh = gpu.vendor == Vendor::kAmd ||
                      (gpu.nvlink && gpu.nvlink->topology == FastLink::Topology::kMesh);
      break;
    case LinkKind::kNvPairs:
      topology.inside_bandwidth = pcie;
      topology.pair_bandwidth = fast;
      break;
    case LinkKind::kPcieP2p:
    case LinkKind::kPcieHost:
    case LinkKind::kNone:
      topology.inside_bandwidth = pcie;
      break;
  }
  return topology;
}

}  // namespace xuanka
