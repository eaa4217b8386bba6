#include "deviceplugin/cli/attention.h"

#include <gmock/gmock.h>

#include "deviceplugin/cli/describe_node.h"
#include "tests/deviceplugin/cli/host_state.h"

namespace fairlead::deviceplugin {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kDevice = "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/infiniband/mlx5_0";

// A host read again and again.
class AttentionTest : public testing::Test {
 protected:
  NodeState Read(Nanoseconds later = Seconds(0)) {
    now_ += later;
    return JudgeNode(InventoryOf(files_, config_), book_, {}, config_, {now_, now_}).state;
  }
  std::string Text(const NodeState& state) {
    const Offer offer = OfferFor(state, config_);
    return NodeAsText({.state = state, .offer = offer, .pools = config_.pools});
  }

  ManifestFiles files_ = LoadHost("link-local-only");
  DevicepluginConfig config_;
  HealthBook book_{HealthSettings{}};
  MonotonicTime now_{Seconds(100)};
};

TEST_F(AttentionTest, FollowsAPortThroughTheDebounce) {
  const NodeState well = Read();
  ASSERT_EQ(well.watched.size(), 1U);
  const std::string name = well.watched[0].hca.name;
  const std::string state = kDevice + "/ports/1/state = ";
  files_.Change(state + "1: DOWN");
  const NodeState ailing = Read();
  EXPECT_EQ(Attention(ailing).front(), name + " ails (port_down): port 1 is down");
  EXPECT_THAT(Text(ailing), HasSubstr(name + ": ailing, in rdma/hca\n"));
  const NodeState down = Read(Seconds(5));
  EXPECT_EQ(Attention(down).front(), name + " is unhealthy (port_down): port 1 is down");
  EXPECT_THAT(Text(down), HasSubstr(name + ": UNHEALTHY, in rdma/hca\n"));
  files_.Change(state + "4: ACTIVE");
  EXPECT_EQ(Attention(Read()).front(),
            name + " is unhealthy: it is well again, but not for long enough yet");
  EXPECT_EQ(Attention(Read(Seconds(10))), Attention(well));
}

TEST_F(AttentionTest, SaysWhatCannotBeTold) {
  const std::string state = kDevice + "/ports/1/state ";
  files_.Change(state + "!EIO");
  const NodeState unread = Read();
  const std::string name = unread.watched[0].hca.name;
  EXPECT_EQ(Attention(unread).front(),
            name + " counts as healthy (unreadable): the state of port 1 cannot be read");
  EXPECT_THAT(Attention(unread), Contains(HasSubstr("Cannot read")));
  EXPECT_THAT(Text(unread), HasSubstr(name + ": healthy, in rdma/hca\n"));
  EXPECT_THAT(Text(unread), HasSubstr("port 1: not known, ethernet"));
  files_.Change(state + "= 1: DOWN");
  Read();
  Read(Seconds(5));
  files_.Change(state + "!EIO");
  EXPECT_EQ(Attention(Read()).front(),
            name + " stays unhealthy (unreadable): the state of port 1 cannot be read");
}

TEST_F(AttentionTest, NamesADeviceThatIsGone) {
  const std::string name = Read().watched[0].hca.name;
  files_.Remove("/sys/class/infiniband/" + name);
  Read();
  const NodeState gone = Read(Seconds(5));
  EXPECT_EQ(Attention(gone).front(), name + " is unhealthy (removed): the device has vanished");
  EXPECT_THAT(Text(gone), HasSubstr("  gone  "));
}

TEST(AttentionOrderTest, TheWorstFirst) {
  NodeState state;
  WatchedHca& watched = state.watched.emplace_back();
  watched.hca.name = "a";
  watched.hca.problems = {"p"};
  watched.healthy = false;
  watched.reason = "no_gid";
  watched.sentence = "port 1 has none";
  state.inventory.hcas = {watched.hca};
  state.inventory.problems = {"the node's problem"};
  Gpu& gpu = state.inventory.gpus.emplace_back();
  gpu.index = 3;
  gpu.healthy = false;
  gpu.reason = "XID 79";
  state.inventory.gpus.emplace_back();
  state.match.left_out = {{1, {{"rdma/x", RejectReason::kLinkType, "Pool rdma/x wants ..."}}}};
  state.match.overlaps = {{0, "rdma/a", {"rdma/b"}, "a is wanted twice"}};
  state.warnings = {"rdma/hca: a warning"};
  WatchedHca& left_out = state.watched.emplace_back();
  left_out.hca.name = "b";
  state.inventory.hcas.push_back(left_out.hca);
  EXPECT_THAT(
      Attention(state),
      ElementsAre("a is unhealthy (no_gid): port 1 has none", "GPU 3 is unhealthy: XID 79",
                  "b is not in rdma/x (link_type): Pool rdma/x wants ...", "a is wanted twice",
                  "the node's problem", "a: p", "rdma/hca: a warning"));
  state.match.left_out = {{1, {}}};
  EXPECT_THAT(Attention(state)[2], "b is in no pool: none is configured.");
  state = {};
  state.watched.emplace_back();
  EXPECT_THAT(Attention(state), IsEmpty());
  EXPECT_THAT(Attention(NodeState()), ElementsAre(HasSubstr("no RDMA device")));
}

TEST(AttentionOrderTest, OneLineForADeviceThatAilsAndIsInNoPool) {
  NodeState state;
  WatchedHca& watched = state.watched.emplace_back();
  watched.hca.name = "a";
  watched.healthy = false;
  watched.reason = "no_port";
  watched.sentence = "no port of it could be read";
  state.inventory.hcas = {watched.hca};
  state.match.left_out = {{0,
                           {{"rdma/x", RejectReason::kLinkType, "Pool rdma/x wants ..."},
                            {"rdma/y", RejectReason::kDriver, "Pool rdma/y wants ..."}}}};
  EXPECT_THAT(Attention(state),
              ElementsAre("a is not in rdma/x (link_type): Pool rdma/x wants ... It is not in "
                          "rdma/y (driver): Pool rdma/y wants ... It is unhealthy (no_port): no "
                          "port of it could be read"));
  state.match.left_out = {{0, {{"", RejectReason::kNoPort, "a has no port."}}}};
  EXPECT_THAT(Attention(state), ElementsAre("a is not in any pool (no_port): a has no port."));
}

TEST(ListHoldingsTest, SaysWhoHoldsWhat) {
  const NodeState state;
  const Offer offer;
  const std::vector<PoolConfig> pools;
  PodHoldings holdings;
  const NodeListing listing{.state = state, .offer = offer, .pools = pools, .holdings = &holdings};
  EXPECT_THAT(NodeAsText(listing), HasSubstr("kubelet does not tell which pod holds what\n"));
  EXPECT_THAT(NodeAsJson(listing), HasSubstr("\"held\": null"));
  holdings.read_at = MonotonicTime(Seconds(1));
  EXPECT_THAT(NodeAsText(listing), HasSubstr("no pod holds any of them\n"));
  holdings.holdings = {{"team", "trainer-0", "main", "rdma/hca", {"a-s0", "b-s0"}},
                       {"team", "web", "c", "fairlead.dev/probe", {"probe-s1"}}};
  EXPECT_THAT(NodeAsText(listing),
              HasSubstr("POD             CONTAINER  RESOURCE            HOLDS\n"
                        "team/trainer-0  main       rdma/hca            a-s0, b-s0\n"
                        "team/web        c          fairlead.dev/probe  probe-s1\n"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
