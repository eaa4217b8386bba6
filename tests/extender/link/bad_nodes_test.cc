#include "extender/link/bad_nodes.h"

#include <gmock/gmock.h>

#include <deque>

namespace fairlead::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

constexpr auto kHealthy = LinkState::kHealthy;
constexpr auto kSuspect = LinkState::kSuspect;
constexpr auto kDegraded = LinkState::kDegraded;
constexpr auto kDown = LinkState::kDown;

struct Pair {
  std::string node, site, peer, peer_site;
  LinkState state;
};

std::vector<BadNode> Find(const std::deque<Pair>& pairs) {
  std::vector<PairVerdict> verdicts;
  for (const Pair& p : pairs) {
    verdicts.push_back({&p.node, &p.site, &p.peer, &p.peer_site, p.state});
  }
  return FindBadNodes(verdicts);
}

TEST(FindBadNodes, ANodeBadTowardsAllSitesWhileItsMatesAreWell) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDegraded},
                    {"hk1", "hk", "tyo1", "tyo", kDown},
                    {"hk2", "hk", "sg1", "sg", kHealthy},
                    {"hk3", "hk", "tyo1", "tyo", kHealthy}}),
              ElementsAre(Field(&BadNode::node, "hk1")));
}

TEST(FindBadNodes, ABadLineIsNoBadNode) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDegraded},
                    {"hk1", "hk", "tyo1", "tyo", kHealthy},
                    {"hk2", "hk", "sg1", "sg", kDegraded},
                    {"hk2", "hk", "tyo1", "tyo", kHealthy}}),
              IsEmpty());
}

TEST(FindBadNodes, ASiteCutOffIsNoBadNode) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDown},
                    {"hk1", "hk", "tyo1", "tyo", kDown},
                    {"hk2", "hk", "sg1", "sg", kDown},
                    {"hk2", "hk", "tyo1", "tyo", kDown}}),
              IsEmpty());
}

TEST(FindBadNodes, WithoutAMateNothingIsProven) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDown}, {"hk1", "hk", "tyo1", "tyo", kDown}}),
              IsEmpty());
}

TEST(FindBadNodes, OneBadSiteAloneIsTheLinesFault) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDown}, {"hk2", "hk", "sg1", "sg", kHealthy}}),
              IsEmpty());
}

TEST(FindBadNodes, InsideItsOwnSiteCountsAsASite) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kDown},
                    {"hk1", "hk", "hk2", "hk", kDown},
                    {"hk2", "hk", "sg1", "sg", kHealthy}}),
              ElementsAre(Field(&BadNode::node, "hk1")));
}

TEST(FindBadNodes, ASilentPeerIsFoundByThoseWhoProbeIt) {
  EXPECT_THAT(Find({{"sg1", "sg", "hk1", "hk", kDown},
                    {"tyo1", "tyo", "hk1", "hk", kDown},
                    {"sg1", "sg", "hk2", "hk", kHealthy},
                    {"tyo1", "tyo", "hk2", "hk", kHealthy},
                    {"sg2", "sg", "tyo1", "tyo", kHealthy}}),
              ElementsAre(Field(&BadNode::node, "hk1")));
}

TEST(FindBadNodes, SuspectIsNotBadAndUnknownIsNothing) {
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", kSuspect},
                    {"hk1", "hk", "tyo1", "tyo", kDown},
                    {"hk2", "hk", "sg1", "sg", kHealthy},
                    {"hk2", "hk", "tyo1", "tyo", kHealthy}}),
              IsEmpty());
  EXPECT_THAT(Find({{"hk1", "hk", "sg1", "sg", LinkState::kUnknown}}), IsEmpty());
}

}  // namespace
}  // namespace fairlead::extender
