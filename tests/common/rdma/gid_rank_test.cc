#include "common/rdma/gid_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace fairlead {
namespace {

GidEntry Entry(std::uint32_t index, std::string_view gid, GidType type,
               std::string netdev = "eth0") {
  return {index, ParseGid(gid).value(), type, std::move(netdev), true};
}

std::vector<std::uint32_t> UsableOrder(const std::vector<RankedGid>& ranked) {
  std::vector<std::uint32_t> out;
  for (const RankedGid& gid : ranked) {
    if (gid.usable) out.push_back(gid.index);
  }
  return out;
}

// What a RoCE port with an IPv4 address typically shows, in the kernel's order.
std::vector<GidEntry> TypicalTable() {
  return {Entry(0, "fe80::5054:ff:fe12:3456", GidType::kRoceV1),
          Entry(1, "fe80::5054:ff:fe12:3456", GidType::kRoceV2),
          Entry(2, "10.0.0.1", GidType::kRoceV1),
          Entry(3, "10.0.0.1", GidType::kRoceV2),
          Entry(4, "2001:db8::1", GidType::kRoceV2),
          Entry(5, "fd00::1", GidType::kRoceV2),
          Entry(6, "::", GidType::kRoceV2)};
}

TEST(RankGids, PrefersRoceV2AndThenReach) {
  const auto ranked = RankGids(TypicalTable(), {});
  EXPECT_EQ(UsableOrder(ranked), (std::vector<std::uint32_t>{3, 4, 5, 1, 2, 0}));
  EXPECT_EQ(ranked.front().reason, "RoCE v2 over IPv4.");
  EXPECT_FALSE(ranked.front().warning);
  EXPECT_FALSE(ranked.back().usable);
  EXPECT_EQ(ranked.back().reason, "The table entry is empty.");
}

TEST(RankGids, WarnsWhereOnlyLinkLocalIsLeft) {
  const std::vector<GidEntry> table{Entry(0, "fe80::1", GidType::kRoceV1),
                                    Entry(1, "fe80::1", GidType::kRoceV2)};
  const auto ranked = RankGids(table, {});
  ASSERT_EQ(UsableOrder(ranked), (std::vector<std::uint32_t>{1, 0}));
  EXPECT_TRUE(ranked[0].warning);
  EXPECT_NE(ranked[0].reason.find("IPv4 or global IPv6"), std::string::npos);
}

TEST(RankGids, AppliesSubnets) {
  GidPolicy policy;
  policy.allow = {ParseGidPrefix("10.0.0.0/8").value(), ParseGidPrefix("2001:db8::/32").value()};
  policy.deny = {ParseGidPrefix("10.0.0.0/24").value()};
  const auto ranked = RankGids(TypicalTable(), policy);
  EXPECT_EQ(UsableOrder(ranked), (std::vector<std::uint32_t>{4}));
  const auto denied = std::find_if(ranked.begin(), ranked.end(),
                                   [](const RankedGid& gid) { return gid.index == 3; });
  EXPECT_EQ(denied->reason, "10.0.0.1 lies in a denied subnet.");
}

TEST(RankGids, AppliesNetworkDevices) {
  std::vector<GidEntry> table{Entry(0, "10.0.0.1", GidType::kRoceV2, "eth0"),
                              Entry(1, "10.0.1.1", GidType::kRoceV2, "eth1"),
                              Entry(2, "10.0.2.1", GidType::kRoceV2, "")};
  GidPolicy policy;
  policy.netdevs = {"eth1"};
  EXPECT_EQ(UsableOrder(RankGids(table, policy)), (std::vector<std::uint32_t>{1}));
  table[0].netdev_up = false;
  EXPECT_EQ(UsableOrder(RankGids(table, {})), (std::vector<std::uint32_t>{1, 2}));
}

TEST(RankGids, LeavesInfinibandInTheOrderOfTheTable) {
  GidPolicy policy;
  policy.link_layer = LinkLayer::kInfiniband;
  const std::vector<GidEntry> table{Entry(0, "fe80::2:c903:0:1", GidType::kInfiniband, ""),
                                    Entry(1, "2001:db8::1", GidType::kInfiniband, ""),
                                    Entry(2, "10.0.0.1", GidType::kRoceV2)};
  const auto ranked = RankGids(table, policy);
  EXPECT_EQ(UsableOrder(ranked), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_FALSE(ranked[0].warning);
  EXPECT_NE(ranked[2].reason.find("infiniband"), std::string::npos);
}

TEST(RankGids, GivesNothingForAnEmptyTable) { EXPECT_TRUE(RankGids({}, {}).empty()); }

TEST(RankGids, JudgesEveryEntryOnceWhateverTheOrder) {
  std::vector<GidEntry> table = TypicalTable();
  const auto expected = RankGids(table, {});
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    std::shuffle(table.begin(), table.end(), random);
    const auto ranked = RankGids(table, {});
    ASSERT_EQ(ranked.size(), expected.size());
    std::uint32_t rank = 0;
    for (std::size_t j = 0; j < ranked.size(); ++j) {
      EXPECT_EQ(ranked[j].index, expected[j].index);
      EXPECT_EQ(ranked[j].rank, ranked[j].usable ? ++rank : 0U);
      EXPECT_TRUE(ranked[j].reason.ends_with('.'));
    }
  }
}

TEST(FindGid, ByIndexNotByPlace) {
  std::vector<GidEntry> entries(2);
  entries[0].index = 3;
  entries[1].index = 7;
  EXPECT_EQ(FindGid(entries, 7), &entries[1]);
  EXPECT_EQ(FindGid(entries, 1), nullptr);
  EXPECT_EQ(FindGid({}, 0), nullptr);
}

}  // namespace
}  // namespace fairlead
