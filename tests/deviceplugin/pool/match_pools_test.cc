#include "deviceplugin/pool/match_pools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fairlead::deviceplugin {
namespace {

Hca Named(const std::string& name, const std::string& driver) {
  Hca hca;
  hca.name = name;
  hca.driver = driver;
  hca.uverbs = "uverbs_" + name;
  hca.ports.resize(1);
  hca.ports[0].link_layer = LinkLayer::kEthernet;
  return hca;
}

NodeInventory Node() {
  NodeInventory node;
  node.rdma_cm = true;
  node.hcas = {Named("bnxt_re0", "bnxt_en"), Named("mlx5_0", "mlx5_core"),
               Named("mlx5_1", "mlx5_core"), Named("rxe0", "rxe")};
  return node;
}

PoolConfig Pool(const std::string& resource, std::vector<std::string> drivers = {}) {
  PoolConfig pool;
  pool.resource = resource;
  pool.select.drivers = std::move(drivers);
  return pool;
}

PoolConfig PriorityOf(const std::string& resource, const std::string& base) {
  PoolConfig pool = Pool(resource);
  pool.priority_of = base;
  return pool;
}

using Positions = std::vector<std::vector<std::size_t>>;

TEST(MatchPools, GivesTheDefaultPoolEverythingUsable) {
  NodeInventory node = Node();
  node.hcas[1].uverbs.clear();
  const PoolMatch match = MatchPools(node, DevicepluginConfig().pools);
  EXPECT_EQ(match.hcas, (Positions{{0, 2, 3}}));
  ASSERT_EQ(match.left_out.size(), 1U);
  EXPECT_EQ(match.left_out[0].hca, 1U);
  ASSERT_EQ(match.left_out[0].rejections.size(), 1U);
  EXPECT_EQ(match.left_out[0].rejections[0].pool, "rdma/hca");
  EXPECT_EQ(match.left_out[0].rejections[0].reason, RejectReason::kNoUverbs);
  EXPECT_TRUE(match.overlaps.empty());
}

TEST(MatchPools, TellsEachPoolsReason) {
  const PoolMatch match = MatchPools(
      Node(),
      {Pool("a/mlx", {"mlx5_core"}), PriorityOf("a/bulk", "a/mlx"), Pool("a/soft", {"rxe"})});
  EXPECT_EQ(match.hcas, (Positions{{1, 2}, {1, 2}, {3}}));
  ASSERT_EQ(match.left_out.size(), 1U);
  const std::vector<Rejection>& why = match.left_out[0].rejections;
  ASSERT_EQ(why.size(), 2U);
  EXPECT_EQ(why[0].pool, "a/mlx");
  EXPECT_EQ(why[1].pool, "a/soft");
  EXPECT_EQ(why[1].sentence, "Pool a/soft wants as driver rxe; bnxt_re0 has bnxt_en.");
}

TEST(MatchPools, LeavesAnHcaThatTwoSelectToTheFirst) {
  const PoolMatch match =
      MatchPools(Node(), {Pool("a/mlx", {"mlx5_core"}), Pool("a/all"), Pool("a/too", {"rxe"})});
  EXPECT_EQ(match.hcas, (Positions{{1, 2}, {0, 3}, {}}));
  EXPECT_TRUE(match.left_out.empty());
  ASSERT_EQ(match.overlaps.size(), 3U);
  EXPECT_EQ(match.overlaps[0].hca, 1U);
  EXPECT_EQ(match.overlaps[0].kept_by, "a/mlx");
  EXPECT_EQ(match.overlaps[2].wanted_by, std::vector<std::string>{"a/too"});
  EXPECT_EQ(match.overlaps[2].sentence,
            "rxe0 is selected by pool a/all and by pool a/too; a/all, listed first, has it. Narrow "
            "the selectors, or declare priorityOf where both are to share it.");
}

TEST(MatchPools, TakesPrioritiesInAnyOrder) {
  const PoolMatch match =
      MatchPools(Node(), {PriorityOf("a/bulk", "a/mlx"), Pool("a/mlx", {"mlx5_core"})});
  EXPECT_EQ(match.hcas, (Positions{{1, 2}, {1, 2}}));
  EXPECT_TRUE(match.overlaps.empty());
}

TEST(MatchPools, LeavesAllOutWithoutPools) {
  const PoolMatch match = MatchPools(Node(), {});
  EXPECT_TRUE(match.hcas.empty());
  ASSERT_EQ(match.left_out.size(), 4U);
  EXPECT_TRUE(match.left_out[0].rejections.empty());
  EXPECT_TRUE(MatchPools(NodeInventory(), {Pool("a/a")}).hcas[0].empty());
}

// The names that each pool gets and that are left out, for comparison over orders.
std::vector<std::vector<std::string>> Names(const NodeInventory& node, const PoolMatch& match) {
  std::vector<std::vector<std::string>> out;
  for (const auto& pool : match.hcas) {
    auto& names = out.emplace_back();
    for (const std::size_t i : pool) names.push_back(node.hcas[i].name);
    std::sort(names.begin(), names.end());
  }
  auto& left = out.emplace_back();
  for (const LeftOut& one : match.left_out) left.push_back(node.hcas[one.hca].name);
  std::sort(left.begin(), left.end());
  return out;
}

TEST(MatchPools, DoesNotDependOnTheOrderOfTheHcas) {
  const std::vector<PoolConfig> pools{Pool("a/mlx", {"mlx5_core"}), Pool("a/soft", {"rxe"})};
  NodeInventory node = Node();
  const auto want = Names(node, MatchPools(node, pools));
  const auto by_name = [](const Hca& a, const Hca& b) { return a.name < b.name; };
  int orders = 0;
  while (std::next_permutation(node.hcas.begin(), node.hcas.end(), by_name)) {
    EXPECT_EQ(Names(node, MatchPools(node, pools)), want);
    ++orders;
  }
  EXPECT_EQ(orders, 23);
}

}  // namespace
}  // namespace fairlead::deviceplugin
