// Links of a card and the file of constants.
#include "unit/time_fixture.hpp"

namespace xuanka {
namespace {

using testing::shipped_efficiency;
using testing::shipped_gpu;
using testing::shipped_text;

Topology natural(std::string_view id, double network = 100) {
  return make_topology(shipped_gpu(id), LinkChoice::kAuto, 8, network);
}

// Vendors add both directions: 600 GB/s of an A100 are 300 one way.
TEST(TimeLink, BandwidthIsOneWay) {
  EXPECT_DOUBLE_EQ(natural("a100-sxm-80gb").inside_bandwidth.value(), 300e9);
  EXPECT_DOUBLE_EQ(natural("h100-sxm-80gb").inside_bandwidth.value(), 450e9);
  EXPECT_DOUBLE_EQ(natural("rtx-4090-24gb").inside_bandwidth.value(), 32e9);
  EXPECT_DOUBLE_EQ(natural("a100-sxm-80gb", 400).network.value(), 50e9);
}

TEST(TimeLink, AutoFollowsTheCard) {
  EXPECT_EQ(natural("a100-sxm-80gb").inside, LinkKind::kNvSwitch);
  EXPECT_EQ(natural("rtx-3090-24gb").inside, LinkKind::kNvPairs);
  EXPECT_EQ(natural("l40s-48gb").inside, LinkKind::kPcieP2p);
  EXPECT_EQ(natural("rtx-4090-24gb").inside, LinkKind::kPcieHost);
}

TEST(TimeLink, AnExplicitChoiceIsTakenAsItIs) {
  const Gpu& gpu = shipped_gpu("a100-sxm-80gb");
  EXPECT_EQ(make_topology(gpu, LinkChoice::kPcieNoP2p, 8, 100).inside, LinkKind::kPcieHost);
  EXPECT_EQ(make_topology(gpu, LinkChoice::kPcie, 8, 100).inside, LinkKind::kPcieP2p);
  EXPECT_DOUBLE_EQ(make_topology(gpu, LinkChoice::kPcie, 8, 100).inside_bandwidth.value(), 32e9);
}

TEST(TimeLink, NoPeerAccessIsSlowerThanPeerAccessThanNvlink) {
  const EfficiencyModel& model = shipped_efficiency();
  const auto kind = [](LinkKind k) { return static_cast<std::size_t>(k); };
  EXPECT_LT(model.link_reached[kind(LinkKind::kPcieHost)],
            model.link_reached[kind(LinkKind::kPcieP2p)]);
  EXPECT_LT(model.link_reached[kind(LinkKind::kPcieP2p)],
            model.link_reached[kind(LinkKind::kNvSwitch)]);
}

TEST(TimeConstants, AMissingAndAnUnknownOneAreRefused) {
  std::string text(shipped_text("efficiency.json"));
  const auto at = text.find("\"gemm_roof\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, "\"gemm_rook\"");
  const auto loaded = load_efficiency(text);
  ASSERT_FALSE(loaded);
  std::vector<std::string> found;
  for (const Issue& issue : loaded.error()) {
    found.push_back(std::string(issue_code_name(issue.code)) + "@" + issue.path);
  }
  EXPECT_NE(std::find(found.begin(), found.end(), "missing@constants.gemm_roof"), found.end());
  EXPECT_NE(std::find(found.begin(), found.end(), "unknown_field@constants.gemm_rook"),
            found.end());
}

TEST(TimeConstants, CardsBelongToGenerations) {
  EXPECT_EQ(gpu_class(shipped_gpu("a100-pcie-40gb")), GpuClass::kAmpereServer);
  EXPECT_EQ(gpu_class(shipped_gpu("a10-24gb")), GpuClass::kAmpere);
  EXPECT_EQ(gpu_class(shipped_gpu("rtx-5090-32gb")), GpuClass::kBlackwell);
  EXPECT_EQ(gpu_class(shipped_gpu("b200-sxm-180gb")), GpuClass::kBlackwellServer);
  EXPECT_EQ(gpu_class(shipped_gpu("ascend-910b-64gb")), GpuClass::kOther);
}

TEST(TimeConstants, TheNearestBandIsTaken) {
  const EfficiencyModel& model = shipped_efficiency();
  const NearBands near = near_bands(model, "decoder", {"nvswitch", "carrier pigeon", "network"},
                                    GpuClass::kAmpereServer);
  ASSERT_NE(near.place[0], nullptr);
  EXPECT_EQ(near.place[0]->key, "decoder/nvswitch");
  EXPECT_EQ(near.place[1]->key, "decoder");
  EXPECT_EQ(near.place[2]->key, "decoder/network");
  EXPECT_TRUE(near.card_seen);
  const NearBands far =
      near_bands(model, "unheard of", {"one", "pcie", "network"}, GpuClass::kOther);
  EXPECT_EQ(far.place[0]->key, "all");
  EXPECT_FALSE(far.card_seen);
}

}  // namespace
}  // namespace xuanka
