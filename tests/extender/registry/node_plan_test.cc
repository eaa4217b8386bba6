#include "extender/registry/node_plan.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

ProbeIdentity Probe(const std::string& site, std::uint64_t epoch) {
  ProbeIdentity identity;
  identity.site = site;
  identity.epoch = epoch;
  identity.session_address = site + ".example:7471";
  return identity;
}

class NodePlans : public testing::Test {
 protected:
  std::map<std::string, NodePlan> Make() {
    std::vector<ProbeNode> nodes;
    for (const auto& [name, identity] : probes_) {
      nodes.push_back({.node = name, .site = identity.site, .alive = true, .has_hca = true});
    }
    auto plans = MakeNodePlans(probes_, MakeProbeMesh(nodes, {}), lines_, keys_);
    EXPECT_TRUE(plans);
    return plans ? *plans : std::map<std::string, NodePlan>{};
  }

  const PlanPeer& Peer(const std::map<std::string, NodePlan>& plans, const std::string& node,
                       const std::string& peer) {
    for (const PlanPeer& each : plans.at(node).peers) {
      if (each.node == peer) return each;
    }
    ADD_FAILURE() << node << " has no peer " << peer;
    static const PlanPeer none;
    return none;
  }

  std::map<std::string, ProbeIdentity> probes_{
      {"a", Probe("hk", 1)}, {"b", Probe("sg", 2)}, {"c", Probe("tyo", 3)}};
  LineCatalogue lines_{{{.name = "hk", .coordinates = Coordinates{22.3, 114.2}},
                        {.name = "sg", .coordinates = Coordinates{1.35, 103.8}},
                        {.name = "tyo", .coordinates = std::nullopt}},
                       {}};
  PairKeys keys_;
};

TEST_F(NodePlans, BothSidesOfAPairHoldTheSameKey) {
  const auto plans = Make();
  for (const auto& [node, plan] : plans) {
    for (const PlanPeer& peer : plan.peers) {
      const PlanPeer& back = Peer(plans, peer.node, node);
      EXPECT_EQ(peer.key, back.key);
      EXPECT_EQ(peer.key_id, back.key_id);
    }
  }
}

TEST_F(NodePlans, DifferentPairsHoldDifferentKeys) {
  const auto plans = Make();
  EXPECT_NE(Peer(plans, "a", "b").key, Peer(plans, "a", "c").key);
}

TEST_F(NodePlans, TellSiteAddressAndFloor) {
  const auto plans = Make();
  EXPECT_EQ(plans.at("a").site, "hk");
  const PlanPeer& peer = Peer(plans, "a", "b");
  EXPECT_EQ(peer.site, "sg");
  EXPECT_EQ(peer.session_address, "sg.example:7471");
  EXPECT_TRUE(peer.probe);
  EXPECT_GT(peer.floor_rtt, Milliseconds(25));
  EXPECT_LT(peer.floor_rtt, Milliseconds(26));
  EXPECT_EQ(Peer(plans, "a", "c").floor_rtt, Nanoseconds(0));
}

TEST_F(NodePlans, SameProbesMakeTheSamePlan) {
  const auto before = Make();
  const auto after = Make();
  EXPECT_TRUE(before.at("a").SameContent(after.at("a")));
}

TEST_F(NodePlans, ARestartChangesOnlyThePairsOfThatProbe) {
  const auto before = Make();
  probes_.at("c").epoch = 9;
  const auto after = Make();
  EXPECT_EQ(Peer(before, "a", "b").key, Peer(after, "a", "b").key);
  EXPECT_NE(Peer(before, "a", "c").key, Peer(after, "a", "c").key);
}

TEST_F(NodePlans, ATestedLineIsToldToBothItsEndsAndMakesAnotherPlan) {
  auto plans = Make();
  const auto before = plans;
  for (auto& [node, plan] : plans) MarkTestedLines({{"sg", "hk"}}, plan);
  EXPECT_TRUE(Peer(plans, "a", "b").line_tested);
  EXPECT_TRUE(Peer(plans, "b", "a").line_tested);
  EXPECT_FALSE(Peer(plans, "a", "c").line_tested);
  EXPECT_FALSE(plans.at("a").SameContent(before.at("a")));
  EXPECT_TRUE(plans.at("c").SameContent(before.at("c")));
  MarkTestedLines({}, plans.at("a"));
  EXPECT_TRUE(plans.at("a").SameContent(before.at("a")));
}

TEST_F(NodePlans, ANodeThatLeavesIsInNoPlan) {
  Make();
  probes_.erase("c");
  const auto plans = Make();
  EXPECT_FALSE(plans.contains("c"));
  for (const auto& [node, plan] : plans) {
    for (const PlanPeer& peer : plan.peers) EXPECT_NE(peer.node, "c");
  }
  EXPECT_EQ(keys_.size(), 1U);
}

}  // namespace
}  // namespace fairlead::extender
