#include "extender/gang_plan/capacity.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

NodeCapacity Node(std::string name = "n1", std::string site = "hk") {
  NodeCapacity node;
  node.name = std::move(name);
  node.site = std::move(site);
  node.free = {.milli_cpu = 64'000,
               .memory_bytes = std::int64_t{512} << 30,
               .ephemeral_storage_bytes = std::int64_t{1} << 40,
               .extended = {{"rdma/hca", 8}, {"nvidia.com/gpu", 8}}};
  node.pods = 110;
  node.labels = {{"zone", "a"}, {"gen", "9"}, {"kubernetes.io/hostname", "n1"}};
  return node;
}

PodNeeds Needs(std::int64_t hcas = 1) {
  PodNeeds needs;
  needs.requests.extended["rdma/hca"] = hcas;
  return needs;
}

std::uint32_t Room(const PodNeeds& needs, const NodeCapacity& node) {
  return MembersThatFit(needs, std::vector{node}).by_node[0];
}

TEST(MembersThatFit, TheScarcestResourceDecides) {
  EXPECT_EQ(Room(Needs(), Node()), 8U);
  EXPECT_EQ(Room(Needs(8), Node()), 1U);
  EXPECT_EQ(Room(Needs(9), Node()), 0U);
  PodNeeds needs = Needs();
  needs.requests.milli_cpu = 20'000;
  EXPECT_EQ(Room(needs, Node()), 3U);
  needs.requests.memory_bytes = std::int64_t{300} << 30;
  EXPECT_EQ(Room(needs, Node()), 1U);
  needs.requests.ephemeral_storage_bytes = std::int64_t{2} << 40;
  EXPECT_EQ(Room(needs, Node()), 0U);
}

TEST(MembersThatFit, AResourceThatTheNodeDoesNotHaveIsNone) {
  PodNeeds needs = Needs();
  needs.requests.extended["example.com/fpga"] = 1;
  EXPECT_EQ(Room(needs, Node()), 0U);
  needs.requests.extended["example.com/fpga"] = 0;
  EXPECT_EQ(Room(needs, Node()), 8U);
}

TEST(MembersThatFit, PodsBoundAPodThatAsksForNothing) {
  NodeCapacity node = Node();
  EXPECT_EQ(Room({}, node), 110U);
  node.pods = 0;
  EXPECT_EQ(Room({}, node), 0U);
  node.pods = -3;
  EXPECT_EQ(Room({}, node), 0U);
}

TEST(MembersThatFit, AnOvercommittedNodeHoldsNone) {
  NodeCapacity node = Node();
  node.free.extended["rdma/hca"] = -2;
  EXPECT_EQ(Room(Needs(), node), 0U);
}

TEST(MembersThatFit, WhatCannotBeReadHoldsNone) {
  NodeCapacity node = Node();
  node.room_known = false;
  EXPECT_EQ(Room(Needs(), node), 0U);
  EXPECT_EQ(MatchNode(Needs(), node), NodeMatch::kRoomUnknown);
  PodNeeds needs = Needs();
  needs.unreadable = "cpu \"much\"";
  EXPECT_EQ(Room(needs, Node()), 0U);
  EXPECT_EQ(MatchNode(needs, Node()), NodeMatch::kRoomUnknown);
}

TEST(MembersThatFit, OnePerHost) {
  PodNeeds needs = Needs();
  needs.one_per_host = true;
  NodeCapacity node = Node();
  EXPECT_EQ(Room(needs, node), 1U);
  node.has_member = true;
  EXPECT_EQ(Room(needs, node), 0U);
}

TEST(MembersThatFit, SumsBySiteAndKeepsSitesWithoutRoom) {
  std::vector nodes{Node("a", "hk"), Node("b", "hk"), Node("c", "sg"), Node("d", "")};
  nodes[2].ready = false;
  const MemberRoom room = MembersThatFit(Needs(), nodes);
  EXPECT_EQ(room.by_site, (SiteCounts{{"hk", 16}, {"sg", 0}}));
  EXPECT_EQ(room.by_node, (std::vector<std::uint32_t>{8, 8, 0, 0}));
  EXPECT_EQ(room.match[2], NodeMatch::kNotReady);
  EXPECT_EQ(room.match[3], NodeMatch::kNoSite);
}

TEST(MembersThatFit, PromisedMembersAreLaidFirst) {
  const std::vector nodes{Node("a", "hk"), Node("b", "hk"), Node("c", "sg")};
  const PodNeeds big = Needs(8);
  const std::vector<PromisedMembers> promised{{"hk", 1, &big}, {"sg", 5, &big}};
  const MemberRoom room = MembersThatFit(Needs(), nodes, promised);
  EXPECT_EQ(room.by_node, (std::vector<std::uint32_t>{0, 8, 0}));
  EXPECT_EQ(room.by_site, (SiteCounts{{"hk", 8}, {"sg", 0}}));
}

TEST(MembersThatFit, TwoPromisesShareANode) {
  const std::vector nodes{Node("a", "hk")};
  const PodNeeds three = Needs(3);
  const std::vector<PromisedMembers> promised{{"hk", 1, &three}, {"hk", 1, &three}};
  EXPECT_EQ(MembersThatFit(Needs(), nodes, promised).by_node[0], 2U);
}

struct TolerationCase {
  const char* name;
  Toleration toleration;
  Taint taint;
  bool tolerated;
};

class TolerationOf : public ::testing::TestWithParam<TolerationCase> {};

TEST_P(TolerationOf, ATaint) {
  EXPECT_EQ(Tolerates(GetParam().toleration, GetParam().taint), GetParam().tolerated);
}

using enum TolerationOperator;
using enum TaintEffect;

INSTANTIATE_TEST_SUITE_P(
    Cases, TolerationOf,
    ::testing::Values(
        TolerationCase{"equal", {"gpu", kEqual, "yes", {}}, {"gpu", "yes", kNoSchedule}, true},
        TolerationCase{
            "other_value", {"gpu", kEqual, "no", {}}, {"gpu", "yes", kNoSchedule}, false},
        TolerationCase{"other_key", {"tpu", kEqual, "yes", {}}, {"gpu", "yes", kNoSchedule}, false},
        TolerationCase{"both_values_empty", {"gpu", kEqual, "", {}}, {"gpu", "", kNoExecute}, true},
        TolerationCase{"exists", {"gpu", kExists, "", {}}, {"gpu", "yes", kNoSchedule}, true},
        TolerationCase{
            "exists_of_other_key", {"a", kExists, "", {}}, {"b", "", kNoSchedule}, false},
        TolerationCase{"all", {"", kExists, "", {}}, {"any", "thing", kNoExecute}, true},
        TolerationCase{"no_key_but_equal", {"", kEqual, "", {}}, {"any", "", kNoExecute}, false},
        TolerationCase{"effect", {"g", kExists, "", kNoSchedule}, {"g", "", kNoSchedule}, true},
        TolerationCase{
            "other_effect", {"g", kExists, "", kNoSchedule}, {"g", "", kNoExecute}, false},
        TolerationCase{"greater", {"sla", kGreater, "950", {}}, {"sla", "990", kNoSchedule}, true},
        TolerationCase{
            "greater_not", {"sla", kGreater, "950", {}}, {"sla", "950", kNoSchedule}, false},
        TolerationCase{"less", {"cost", kLess, "10", {}}, {"cost", "9", kNoSchedule}, true},
        TolerationCase{
            "less_of_no_number", {"c", kLess, "10", {}}, {"c", "x", kNoSchedule}, false}),
    [](const auto& test) { return test.param.name; });

TEST(MatchNode, PreferNoScheduleRefusesNothing) {
  NodeCapacity node = Node();
  node.taints = {{"a", "", kPreferNoSchedule}};
  EXPECT_EQ(MatchNode(Needs(), node), NodeMatch::kMatches);
  node.taints.push_back({"b", "", kNoExecute});
  EXPECT_EQ(MatchNode(Needs(), node), NodeMatch::kTaint);
  PodNeeds needs = Needs();
  needs.tolerations = {{"b", kExists, "", {}}};
  EXPECT_EQ(MatchNode(needs, node), NodeMatch::kMatches);
}

TEST(MatchNode, UnschedulableIsATaintThatCanBeTolerated) {
  NodeCapacity node = Node();
  node.schedulable = false;
  EXPECT_EQ(MatchNode(Needs(), node), NodeMatch::kUnschedulable);
  PodNeeds needs = Needs();
  needs.tolerations = {{"node.kubernetes.io/unschedulable", kExists, "", kNoSchedule}};
  EXPECT_EQ(MatchNode(needs, node), NodeMatch::kMatches);
}

TEST(MatchNode, EveryLabelOfTheSelectorMustBeThere) {
  PodNeeds needs = Needs();
  needs.node_selector = {{"zone", "a"}};
  EXPECT_EQ(MatchNode(needs, Node()), NodeMatch::kMatches);
  needs.node_selector["gen"] = "8";
  EXPECT_EQ(MatchNode(needs, Node()), NodeMatch::kSelector);
  needs.node_selector = {{"absent", ""}};
  EXPECT_EQ(MatchNode(needs, Node()), NodeMatch::kSelector);
}

struct AffinityCase {
  const char* name;
  std::vector<SelectorTerm> terms;
  bool matches;
};

SelectorTerm Label(std::string key, SelectorOperator op, std::vector<std::string> values = {}) {
  return {.labels = {{std::move(key), op, std::move(values)}}, .fields = {}};
}

SelectorTerm Field(std::string key, SelectorOperator op, std::vector<std::string> values) {
  return {.labels = {}, .fields = {{std::move(key), op, std::move(values)}}};
}

class NodeAffinityOf : public ::testing::TestWithParam<AffinityCase> {};

TEST_P(NodeAffinityOf, ANode) {
  PodNeeds needs = Needs();
  needs.node_affinity = GetParam().terms;
  EXPECT_EQ(MatchNode(needs, Node()) == NodeMatch::kMatches, GetParam().matches);
}

using Op = SelectorOperator;

INSTANTIATE_TEST_SUITE_P(
    Cases, NodeAffinityOf,
    ::testing::Values(
        AffinityCase{"no_terms", {}, false}, AffinityCase{"empty_term", {{}}, false},
        AffinityCase{"in", {Label("zone", Op::kIn, {"b", "a"})}, true},
        AffinityCase{"in_others", {Label("zone", Op::kIn, {"b"})}, false},
        AffinityCase{"in_absent", {Label("none", Op::kIn, {"a"})}, false},
        AffinityCase{"in_nothing", {Label("zone", Op::kIn)}, false},
        AffinityCase{"not_in", {Label("zone", Op::kNotIn, {"b"})}, true},
        AffinityCase{"not_in_own", {Label("zone", Op::kNotIn, {"a"})}, false},
        AffinityCase{"not_in_absent", {Label("none", Op::kNotIn, {"a"})}, true},
        AffinityCase{"not_in_nothing", {Label("zone", Op::kNotIn)}, false},
        AffinityCase{"exists", {Label("zone", Op::kExists)}, true},
        AffinityCase{"exists_absent", {Label("none", Op::kExists)}, false},
        AffinityCase{"does_not_exist", {Label("none", Op::kDoesNotExist)}, true},
        AffinityCase{"does_not_exist_but_does", {Label("zone", Op::kDoesNotExist)}, false},
        AffinityCase{"greater", {Label("gen", Op::kGreater, {"8"})}, true},
        AffinityCase{"greater_by_number_not_by_letter", {Label("gen", Op::kLess, {"10"})}, true},
        AffinityCase{"greater_than_itself", {Label("gen", Op::kGreater, {"9"})}, false},
        AffinityCase{"greater_of_a_word", {Label("zone", Op::kGreater, {"1"})}, false},
        AffinityCase{"greater_than_two", {Label("gen", Op::kGreater, {"1", "2"})}, false},
        AffinityCase{"one_term_is_enough",
                     {Label("zone", Op::kIn, {"b"}), Label("gen", Op::kIn, {"9"})},
                     true},
        AffinityCase{
            "all_of_a_term",
            {{.labels = {{"zone", Op::kIn, {"a"}}, {"gen", Op::kIn, {"8"}}}, .fields = {}}},
            false},
        AffinityCase{"by_name", {Field("metadata.name", Op::kIn, {"n1"})}, true},
        AffinityCase{"by_other_name", {Field("metadata.name", Op::kIn, {"n2"})}, false},
        AffinityCase{"not_by_name", {Field("metadata.name", Op::kNotIn, {"n1"})}, false},
        AffinityCase{"two_names", {Field("metadata.name", Op::kIn, {"n1", "n2"})}, false},
        AffinityCase{"other_field", {Field("spec.podCIDR", Op::kIn, {"n1"})}, false}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fairlead::extender
