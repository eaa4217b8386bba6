#include "deviceplugin/doctor/nccl_advice.h"

#include <gmock/gmock.h>

#include "tests/deviceplugin/doctor/facts.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

NcclAdvice AdviceFor(const NodeFacts& facts, std::optional<std::uint64_t> message = {}) {
  return AdviseNccl(facts,
                    {.line = HeaviestLine(facts, NodeRate(facts)), .message_bytes = message});
}

const NcclSetting& Setting(const NcclAdvice& advice, const std::string& variable) {
  for (const NcclSetting& setting : advice.settings) {
    if (setting.variable == variable) return setting;
  }
  throw std::runtime_error("no " + variable);
}

TEST(NcclAdviceTest, ALongFastLineNeedsBuffersAndChannels) {
  const NcclAdvice advice = AdviceFor(WellNode());
  EXPECT_EQ(ValueOf(advice, "NCCL_BUFFSIZE"), "33554432");  // 375 MB
  EXPECT_EQ(ValueOf(advice, "NCCL_MIN_CTAS"), "12");
  EXPECT_THAT(Setting(advice, "NCCL_MIN_CTAS").why, HasSubstr("would give 2.237 Gbps"));
  EXPECT_EQ(ValueOf(advice, "NCCL_IB_TIMEOUT"), "20");
  EXPECT_EQ(ValueOf(advice, "NCCL_IB_RETRY_CNT"), "7");
  EXPECT_EQ(ValueOf(advice, "NCCL_IB_TC"), "106");
  EXPECT_THAT(Setting(advice, "NCCL_IB_TC").why, HasSubstr("gives it priority 3"));
  EXPECT_EQ(ValueOf(advice, "NCCL_IB_QPS_PER_CONNECTION"), "");
  EXPECT_EQ(ValueOf(advice, "NCCL_SOCKET_IFNAME"), "");  // the pool's pods have their own network
}

TEST(NcclAdviceTest, AShortOrSlowLineIsLeftToNccl) {
  NodeFacts facts = WellNode();
  facts.lines = SiteLines{.site = "hk", .lines = {LineTo("sg", Milliseconds(30), 1'000'000'000)}};
  const NcclAdvice advice = AdviceFor(facts);
  EXPECT_EQ(ValueOf(advice, "NCCL_BUFFSIZE"), "");
  EXPECT_EQ(ValueOf(advice, "NCCL_MIN_CTAS"), "");
}

TEST(NcclAdviceTest, WithoutALineNothingIsGuessed) {
  const NcclAdvice advice = AdviseNccl(WellNode(), {});
  for (const char* variable : {"NCCL_BUFFSIZE", "NCCL_MIN_CTAS", "NCCL_ALGO", "NCCL_PROTO"}) {
    EXPECT_EQ(ValueOf(advice, variable), "") << variable;
  }
  EXPECT_EQ(ValueOf(advice, "NCCL_IB_TIMEOUT"), "20");
}

TEST(NcclAdviceTest, TreeOnlyWhereTheRttIsMostOfTheTime) {
  EXPECT_EQ(ValueOf(AdviceFor(WellNode(), 1'000'000), "NCCL_ALGO"), "allreduce:tree");
  EXPECT_EQ(ValueOf(AdviceFor(WellNode(), 2'000'000'000), "NCCL_ALGO"), "");
  EXPECT_EQ(ValueOf(AdviceFor(WellNode()), "NCCL_ALGO"), "");
}

TEST(NcclAdviceTest, QueuePairsForBondsAndSoftRoceOnly) {
  NodeFacts facts = WellNode();
  facts.inventory.hcas[0].bonded = true;
  EXPECT_EQ(ValueOf(AdviceFor(facts), "NCCL_IB_QPS_PER_CONNECTION"), "2");
  facts.inventory.hcas[0].driver = "rxe";
  // 375 MB in 12 channels of queue pairs with 128 x 4096 bytes each
  EXPECT_EQ(ValueOf(AdviceFor(facts), "NCCL_IB_QPS_PER_CONNECTION"), "60");
}

TEST(NcclAdviceTest, OnTheHostsNetworkTheDefaultRouteIsNamed) {
  NodeFacts facts = WellNode();
  facts.pools[0].network = PodNetwork::kHost;
  EXPECT_EQ(ValueOf(AdviceFor(facts), "NCCL_SOCKET_IFNAME"), "=eno1");
  facts.host.default_route = Known<std::string>::Not("/proc/net/route: no");
  EXPECT_EQ(ValueOf(AdviceFor(facts), "NCCL_SOCKET_IFNAME"), "");
}

TEST(NcclAdviceTest, GuidesHoldOnlyWhereTheArithmeticGivesTheSame) {
  NodeFacts facts = WellNode();
  const auto holds = [](const NcclAdvice& advice, const std::string& assignment) {
    for (const GuideValue& guide : advice.guides) {
      EXPECT_FALSE(guide.why.empty());
      if (guide.assignment == assignment) return guide.holds;
    }
    ADD_FAILURE() << assignment;
    return false;
  };
  const NcclAdvice advice = AdviceFor(facts);
  EXPECT_TRUE(holds(advice, "NCCL_IB_TC=106"));
  EXPECT_FALSE(holds(advice, "NCCL_IB_TIMEOUT=22"));
  EXPECT_FALSE(holds(advice, "NCCL_BUFFSIZE=8388608"));
  EXPECT_FALSE(holds(advice, "NCCL_ALGO=Tree"));
  EXPECT_FALSE(holds(advice, "NCCL_PROTO=Simple"));
  EXPECT_FALSE(holds(advice, "NCCL_IB_QPS_PER_CONNECTION=4"));
  facts.outage = Seconds(100);
  facts.lines = SiteLines{.site = "hk", .lines = {LineTo("sg", Milliseconds(30), 30'000'000'000)}};
  const NcclAdvice other = AdviceFor(facts);
  EXPECT_TRUE(holds(other, "NCCL_IB_TIMEOUT=22"));
  EXPECT_TRUE(holds(other, "NCCL_BUFFSIZE=8388608"));  // 112.5 MB
}

}  // namespace
}  // namespace fairlead::deviceplugin
