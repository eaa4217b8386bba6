#include "extender/plan/probe_mesh.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <random>
#include <set>

#include "extender/plan/rendezvous.h"

namespace fairlead::extender {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<ProbeNode> Site(const std::string& site, int count, bool hca = true) {
  std::vector<ProbeNode> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back({site + std::to_string(i), site, true, hca});
  return nodes;
}

std::vector<ProbeNode> Sites(std::initializer_list<std::vector<ProbeNode>> sites) {
  std::vector<ProbeNode> all;
  for (const auto& site : sites) all.insert(all.end(), site.begin(), site.end());
  return all;
}

std::string SiteOf(const std::string& node) {
  return node.substr(0, node.find_first_of("0123456789"));
}

TEST(MakeProbeMesh, OneNodeASiteProbesAllOthersBothWays) {
  const ProbeMesh mesh = MakeProbeMesh(Sites({Site("hk", 1), Site("sg", 1), Site("tyo", 1)}), {});
  EXPECT_THAT(
      mesh.assignments,
      ElementsAre(ProbeAssignment{"hk0", "sg0", true}, ProbeAssignment{"hk0", "tyo0", true},
                  ProbeAssignment{"sg0", "hk0", true}, ProbeAssignment{"sg0", "tyo0", true},
                  ProbeAssignment{"tyo0", "hk0", true}, ProbeAssignment{"tyo0", "sg0", true}));
  EXPECT_THAT(mesh.pairs, ElementsAre(NodePair{"hk0", "sg0"}, NodePair{"hk0", "tyo0"},
                                      NodePair{"sg0", "tyo0"}));
}

TEST(MakeProbeMesh, NobodyNoPlan) {
  EXPECT_THAT(MakeProbeMesh({}, {}).assignments, IsEmpty());
  EXPECT_THAT(MakeProbeMesh(Site("hk", 1), {}).assignments, IsEmpty());
}

TEST(MakeProbeMesh, OnlyRepresentativesCrossSites) {
  const ProbeMesh mesh = MakeProbeMesh(Sites({Site("hk", 20), Site("sg", 20)}),
                                       {.representatives_per_site = 3, .neighbours_in_site = 0});
  EXPECT_THAT(mesh.representatives.at("hk"), SizeIs(3));
  EXPECT_THAT(mesh.representatives.at("sg"), SizeIs(3));
  EXPECT_THAT(mesh.assignments, SizeIs(2 * 3 * 3));
  EXPECT_THAT(mesh.pairs, SizeIs(3 * 3));
}

TEST(MakeProbeMesh, InsideASiteEachProbesItsNeighboursAndPeersAnswer) {
  const ProbeMesh mesh =
      MakeProbeMesh(Site("hk", 12), {.representatives_per_site = 3, .neighbours_in_site = 2});
  std::map<std::string, int> probes;
  std::set<std::pair<std::string, std::string>> known;
  for (const ProbeAssignment& a : mesh.assignments) {
    EXPECT_NE(a.node, a.peer);
    if (a.probe) ++probes[a.node];
    EXPECT_TRUE(known.insert({a.node, a.peer}).second) << "assigned twice";
  }
  EXPECT_EQ(probes.size(), 12U);
  for (const auto& [node, count] : probes) EXPECT_EQ(count, 2) << node;
  for (const auto& [node, peer] : known) EXPECT_TRUE(known.contains({peer, node}));
  for (const NodePair& pair : mesh.pairs) {
    EXPECT_LT(pair.first, pair.second);
    EXPECT_TRUE(known.contains({pair.first, pair.second}));
  }
  EXPECT_EQ(mesh.pairs.size() * 2, mesh.assignments.size());
}

TEST(MakeProbeMesh, FewerNeighboursThanWantedIsAllThereAre) {
  const ProbeMesh mesh = MakeProbeMesh(Site("hk", 2), {.neighbours_in_site = 5});
  EXPECT_THAT(mesh.assignments, ElementsAre(ProbeAssignment{"hk0", "hk1", true},
                                            ProbeAssignment{"hk1", "hk0", true}));
}

TEST(MakeProbeMesh, TheDeadAndTheSitelessTakeNoPart) {
  auto nodes = Sites({Site("hk", 2), Site("sg", 1)});
  nodes[0].alive = false;
  nodes.push_back({"lost", "", true, true});
  nodes.push_back({"", "hk", true, true});
  const ProbeMesh mesh = MakeProbeMesh(nodes, {});
  EXPECT_THAT(mesh.assignments, ElementsAre(ProbeAssignment{"hk1", "sg0", true},
                                            ProbeAssignment{"sg0", "hk1", true}));
}

TEST(MakeProbeMesh, NodesWithAnHcaRepresentWhereThereAreAny) {
  auto nodes = Site("hk", 10, false);
  nodes[4].has_hca = true;
  EXPECT_THAT(MakeProbeMesh(nodes, {}).representatives.at("hk"), ElementsAre("hk4"));
  EXPECT_THAT(MakeProbeMesh(Site("hk", 10, false), {}).representatives.at("hk"), SizeIs(3));
}

TEST(MakeProbeMesh, ZeroRepresentativesStillLeavesOne) {
  EXPECT_THAT(
      MakeProbeMesh(Site("hk", 4), {.representatives_per_site = 0}).representatives.at("hk"),
      SizeIs(1));
}

TEST(MakeProbeMesh, TheOrderOfNodesDoesNotMatter) {
  auto nodes = Sites({Site("hk", 7), Site("sg", 5), Site("tyo", 3)});
  const ProbeMesh first = MakeProbeMesh(nodes, {});
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(nodes, random);
    const ProbeMesh mesh = MakeProbeMesh(nodes, {});
    EXPECT_EQ(mesh.assignments, first.assignments);
    EXPECT_EQ(mesh.pairs, first.pairs);
    EXPECT_EQ(mesh.representatives, first.representatives);
  }
}

TEST(MakeProbeMesh, ADeathChangesOnlyItsOwnShare) {
  const auto nodes = Sites({Site("hk", 10), Site("sg", 10)});
  const ProbeMesh before = MakeProbeMesh(nodes, {});
  for (std::size_t dead = 0; dead < nodes.size(); ++dead) {
    auto fewer = nodes;
    fewer[dead].alive = false;
    const ProbeMesh after = MakeProbeMesh(fewer, {});
    for (const auto& [site, was] : before.representatives) {
      const auto& is = after.representatives.at(site);
      for (const std::string& node : was) {
        if (node != nodes[dead].node) {
          EXPECT_THAT(is, Contains(node));
        }
      }
      EXPECT_THAT(is, Not(Contains(nodes[dead].node)));
    }
    for (const ProbeAssignment& a : before.assignments) {
      if (!a.probe || a.node == nodes[dead].node || a.peer == nodes[dead].node) continue;
      EXPECT_THAT(after.assignments, Contains(a)) << SiteOf(a.node);
    }
  }
}

TEST(RendezvousHash, SpreadsNodesEvenly) {
  std::map<std::string, int> chosen;
  std::vector<std::string> nodes;
  for (int i = 0; i < 10; ++i) nodes.push_back("node-" + std::to_string(i));
  for (int site = 0; site < 3000; ++site) {
    ++chosen[HighestHashes("site-" + std::to_string(site), nodes, 1).front()];
  }
  ASSERT_EQ(chosen.size(), 10U);
  for (const auto& [node, count] : chosen) {
    // 300 expected, standard deviation 16.4
    EXPECT_GT(count, 215) << node;
    EXPECT_LT(count, 385) << node;
  }
}

TEST(RendezvousHash, IsTheSameInEveryRelease) {
  // FNV-1a of "a", 0x00 and "b", then MurmurHash3's mixer, computed by an independent program.
  EXPECT_EQ(RendezvousHash("a", "b"), 0xab78f5eca36d0e2bULL);
  EXPECT_NE(RendezvousHash("ab", ""), RendezvousHash("a", "b"));
}

}  // namespace
}  // namespace fairlead::extender
