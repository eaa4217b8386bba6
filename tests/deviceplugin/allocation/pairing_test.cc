#include "deviceplugin/allocation/pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "deviceplugin/allocation/assignment.h"
#include "tests/deviceplugin/allocation/machines.h"

namespace fairlead::deviceplugin {
namespace {

std::int64_t CheapestByTrying(const std::vector<std::vector<std::int64_t>>& cost) {
  std::vector<std::size_t> columns(cost.front().size());
  std::iota(columns.begin(), columns.end(), 0);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  do {
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < cost.size(); ++row) sum += cost[row][columns[row]];
    least = std::min(least, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return least;
}

TEST(CheapestAssignment, IsAsCheapAsTheBestOfAll) {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int64_t> price(0, 20);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + round % 4;
    std::vector<std::vector<std::int64_t>> cost(rows, std::vector<std::int64_t>(rows + round % 3));
    for (auto& row : cost) std::generate(row.begin(), row.end(), [&] { return price(random); });
    const std::vector<std::size_t> chosen = CheapestAssignment(cost);
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += cost[row][chosen[row]];
    EXPECT_EQ(sum, CheapestByTrying(cost));
    std::vector<std::size_t> once = chosen;
    std::sort(once.begin(), once.end());
    EXPECT_EQ(std::unique(once.begin(), once.end()), once.end());
  }
  EXPECT_TRUE(CheapestAssignment({}).empty());
}

std::vector<OfferedHca> Offered(const NodeInventory& node) {
  std::vector<OfferedHca> out;
  for (const Hca& hca : node.hcas) {
    out.push_back({std::make_shared<const Hca>(hca), hca.name, true, true});
  }
  return out;
}

std::map<PciDistance, int> Distances(const std::vector<Pair>& pairs) {
  std::map<PciDistance, int> count;
  for (const Pair& pair : pairs) ++count[pair.distance];
  return count;
}

using Count = std::map<PciDistance, int>;

TEST(PairUp, PutsEachGpuWithTheHcaOfItsSwitch) {
  const NodeInventory node = Machine(4, 2, 2);
  const std::vector<Pair> pairs = PairUp(node.gpus, Offered(node), 1);
  ASSERT_EQ(pairs.size(), 8U);
  EXPECT_EQ(Distances(pairs), (Count{{PciDistance::kSwitch, 8}}));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].gpu, i);
    EXPECT_EQ(pairs[i].hca, i);  // of equal ones the first
  }
}

TEST(PairUp, SharesAnHcaOnlyWhereItHasSlots) {
  const NodeInventory node = Machine(4, 1, 2);
  EXPECT_EQ(PairUp(node.gpus, Offered(node), 1).size(), 4U);
  const std::vector<Pair> shared = PairUp(node.gpus, Offered(node), 2);
  ASSERT_EQ(shared.size(), 8U);
  EXPECT_EQ(Distances(shared), (Count{{PciDistance::kSwitch, 8}}));
}

TEST(PairUp, SpreadsOverHcasBeforeItTakesSecondSlots) {
  const NodeInventory node = Machine(2, 4, 4);
  for (const Pair& pair : PairUp(node.gpus, Offered(node), 8)) EXPECT_EQ(pair.slot, 0U);
}

TEST(PairUp, AvoidsTheFarthestPairBeforeItSeeksTheNearest) {
  // Both GPUs are next to mlx5_0. Only the first shares a NUMA node with mlx5_1, so it has to go
  // there, though it could have the nearer one.
  NodeInventory node = Machine(2, 1, 0);
  node.hcas[1].numa_node = 0;
  node.gpus = {GpuAt(0, 0, 14, 0), GpuAt(1, 0, 15, -1)};
  const std::vector<Pair> pairs = PairUp(node.gpus, Offered(node), 1);
  EXPECT_EQ(Distances(pairs), (Count{{PciDistance::kSwitch, 1}, {PciDistance::kNode, 1}}));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].hca, 1U);
  EXPECT_EQ(pairs[1].hca, 0U);
}

TEST(PairUp, PairsWhatIsNotOnThePciBusToo) {
  NodeInventory node = Machine(1, 0, 1);
  node.hcas = {RoceHca("rxe0", {})};
  const std::vector<Pair> pairs = PairUp(node.gpus, Offered(node), 1);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].distance, PciDistance::kSystem);
  EXPECT_TRUE(PairUp({}, Offered(node), 1).empty());
  EXPECT_TRUE(PairUp(node.gpus, {}, 1).empty());
}

}  // namespace
}  // namespace fairlead::deviceplugin
