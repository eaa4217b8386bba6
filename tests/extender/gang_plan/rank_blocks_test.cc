#include "extender/gang_plan/rank_blocks.h"

#include <gmock/gmock.h>

#include <random>

namespace fairlead::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AssignRanks, OneBlockForEachSiteInTheOrderOfTheRing) {
  EXPECT_THAT(AssignRanks({40, 24}, true, {}),
              ElementsAre(PlaceBlock{0, 40, 0}, PlaceBlock{40, 24, 1}));
  EXPECT_THAT(AssignRanks({1, 1, 1}, false, {}),
              ElementsAre(PlaceBlock{0, 1, 0}, PlaceBlock{1, 1, 1}, PlaceBlock{2, 1, 2}));
  EXPECT_THAT(AssignRanks({}, true, {}), IsEmpty());
}

TEST(AssignRanks, TheRingTurnsToWhereRanksArePlaced) {
  // Rank 0 is at the second site, so that one begins.
  EXPECT_THAT(AssignRanks({2, 3}, true, {{0, 1}}),
              ElementsAre(PlaceBlock{0, 3, 1}, PlaceBlock{3, 2, 0}));
  // Ring 0 - 1 - 2 with rank 0 at site 1 and rank 2 at site 0: the other way round.
  EXPECT_THAT(AssignRanks({2, 2, 2}, true, {{0, 1}, {2, 0}}),
              ElementsAre(PlaceBlock{0, 2, 1}, PlaceBlock{2, 2, 0}, PlaceBlock{4, 2, 2}));
}

TEST(AssignRanks, AChainOnlyTurnsRound) {
  EXPECT_THAT(AssignRanks({2, 2}, false, {{0, 1}}),
              ElementsAre(PlaceBlock{0, 2, 1}, PlaceBlock{2, 2, 0}));
}

TEST(AssignRanks, RanksTwiceOutOfRangeOrNowhereAreLeftOut) {
  const auto blocks = AssignRanks({2, 2}, true, {{1, 1}, {1, 0}, {9, 1}, {0, 7}});
  EXPECT_EQ(CountCrossings(blocks, true), 2U);
  EXPECT_THAT(blocks, ElementsAre(PlaceBlock{0, 2, 1}, PlaceBlock{2, 2, 0}));
}

TEST(AssignRanks, EveryRankHasOneSiteAndThosePlacedTheirs) {
  std::mt19937 random(31);
  const auto below = [&random](std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint32_t> members(1 + below(5));
    std::uint32_t ranks = 0;
    for (std::uint32_t& count : members) ranks += count = 1 + below(6);
    std::vector<std::uint32_t> seats = members;
    std::vector<PlacedRank> placed;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::size_t place = below(static_cast<std::uint32_t>(members.size()));
      if (below(3) > 0 || seats[place] == 0) continue;
      --seats[place];
      placed.push_back({rank, place});
    }
    const bool ring = below(2) == 0;
    std::vector<std::uint32_t> counts(members.size());
    std::vector<std::size_t> place_of;
    const auto blocks = AssignRanks(members, ring, placed);
    for (const PlaceBlock& block : blocks) {
      ASSERT_EQ(block.first, place_of.size());
      place_of.insert(place_of.end(), block.count, block.place);
      counts[block.place] += block.count;
    }
    EXPECT_EQ(counts, members);
    for (const PlacedRank& one : placed) EXPECT_EQ(place_of[one.rank], one.place);
    if (placed.empty()) {
      EXPECT_LE(CountCrossings(blocks, ring), members.size());
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
