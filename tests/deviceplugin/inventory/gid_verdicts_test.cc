#include "deviceplugin/inventory/gid_verdicts.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

HcaPort Port() {
  HcaPort port;
  port.link_layer = LinkLayer::kEthernet;
  port.netdevs = {"eth0", "eth0.100"};
  port.gids = {{0, ParseGid("fe80::1").value(), GidType::kRoceV2, "eth0", true},
               {1, ParseGid("10.0.0.1").value(), GidType::kRoceV2, "net1", true},
               {2, ParseGid("10.0.0.2").value(), GidType::kRoceV2, "eth0.100", true},
               {3, ParseGid("10.0.0.3").value(), GidType::kRoceV2, "", true},
               {4, ParseGid("10.0.0.4").value(), GidType::kRoceV2, "eth0", false}};
  return port;
}

std::vector<std::uint32_t> Usable(const std::vector<RankedGid>& ranked) {
  std::vector<std::uint32_t> out;
  for (const RankedGid& gid : ranked) {
    if (gid.usable) out.push_back(gid.index);
  }
  return out;
}

TEST(JudgeGids, LeavesOutOtherNamespaces) {
  const auto ranked = JudgeGids(Port(), RdmaProtocol::kRoce, {});
  ASSERT_EQ(ranked.size(), 5U);
  EXPECT_EQ(Usable(ranked), (std::vector<std::uint32_t>{2, 3, 0}));
  EXPECT_EQ(ranked[3].index, 1U);
  EXPECT_EQ(ranked[3].reason, "The network device net1 is in another network namespace.");
  EXPECT_EQ(ranked[4].reason, "The network device eth0 is down.");
}

TEST(JudgeGids, AppliesThePolicyWithThePortsOwnLinkLayer) {
  GidPolicy policy;
  policy.link_layer = LinkLayer::kInfiniband;
  policy.allow = {ParseGidPrefix("10.0.0.2").value()};
  EXPECT_EQ(Usable(JudgeGids(Port(), RdmaProtocol::kRoce, policy)),
            (std::vector<std::uint32_t>{2}));
}

TEST(JudgeGids, TakesNoneWhereGidsAreNoAddresses) {
  for (const RdmaProtocol protocol : {RdmaProtocol::kIwarp, RdmaProtocol::kEfa}) {
    const auto ranked = JudgeGids(Port(), protocol, {});
    ASSERT_EQ(ranked.size(), 5U);
    for (std::uint32_t i = 0; i < 5; ++i) {
      EXPECT_EQ(ranked[i].index, i);
      EXPECT_FALSE(ranked[i].usable);
      EXPECT_EQ(ranked[i].rank, 0U);
      EXPECT_TRUE(ranked[i].reason.ends_with("not by GID."));
    }
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
