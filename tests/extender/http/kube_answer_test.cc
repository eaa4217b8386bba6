#include "extender/http/kube_answer.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

ExtenderArgs Names(std::vector<std::string_view> names) {
  ExtenderArgs args;
  args.has_node_names = true;
  for (const std::string_view name : names) {
    args.nodes.push_back({.name = name, .site = {}, .raw = {}});
  }
  return args;
}

TEST(HostPriorityList, IsABareArrayOfIntegers) {
  EXPECT_EQ(WriteHostPriorityList(Names({"n1", "n\"2"}), {7, 0}),
            R"([{"Host":"n1","Score":7},{"Host":"n\"2","Score":0}])");
  EXPECT_EQ(WriteHostPriorityList(Names({}), {}), "[]");
}

TEST(FilterResult, AnswersNamesWithNames) {
  const FilterDecision decision{.why_not = {0, 1, 0}, .refusals = {{"line \"a\" down"}}};
  EXPECT_EQ(WriteFilterResult(Names({"n1", "n2", "n3"}), decision),
            R"({"Nodes":null,"NodeNames":["n1","n3"],"FailedNodes":{},)"
            R"("FailedAndUnresolvableNodes":{"n2":"line \"a\" down"},"Error":""})");
}

TEST(FilterResult, WhatAPlanRefusesMayBeMended) {
  const FilterDecision decision{.why_not = {1, 2, 0},
                                .refusals = {{.sentence = "off the plan", .final = false},
                                             {.sentence = "down", .final = true}}};
  EXPECT_EQ(WriteFilterResult(Names({"n1", "n2", "n3"}), decision),
            R"({"Nodes":null,"NodeNames":["n3"],"FailedNodes":{"n1":"off the plan"},)"
            R"("FailedAndUnresolvableNodes":{"n2":"down"},"Error":""})");
}

TEST(FilterResult, AnswersNodesWithTheirBytes) {
  ExtenderArgs args;
  args.has_nodes = true;
  args.nodes_metadata = R"({"resourceVersion":"1"})";
  args.nodes = {{.name = "a", .site = {}, .raw = R"({"metadata":{"name":"a"}, "x":1.0})"},
                {.name = "b", .site = {}, .raw = R"({"metadata":{"name":"b"}})"}};
  const FilterDecision decision{.why_not = {0, 1}, .refusals = {{"why"}}};
  EXPECT_EQ(
      WriteFilterResult(args, decision),
      R"({"Nodes":{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}, "x":1.0}]},)"
      R"("NodeNames":null,"FailedNodes":{},"FailedAndUnresolvableNodes":{"b":"why"},"Error":""})");
}

TEST(FilterResult, BothFormsNameEveryNodeOnceInEach) {
  ExtenderArgs args = Names({"a\"", "b", "c", "d"});
  args.has_nodes = true;
  args.nodes[1].raw = R"({"metadata":{"name":"b"},"x":1})";
  args.nodes[2].raw = R"({"metadata":{"name":"c"}})";
  EXPECT_EQ(WriteFilterResult(args, {.why_not = {0, 0, 1, 1}, .refusals = {{"why"}}}),
            R"({"Nodes":{"metadata":{},"items":[{"metadata":{"name":"a\""}},)"
            R"({"metadata":{"name":"b"},"x":1}]},"NodeNames":["a\"","b"],"FailedNodes":{},)"
            R"("FailedAndUnresolvableNodes":{"c":"why","d":"why"},"Error":""})");
}

TEST(FilterResult, BothFormsAnswerBoth) {
  ExtenderArgs args = Names({"a"});
  args.has_nodes = true;
  args.nodes[0].raw = R"({"metadata":{"name":"a"}})";
  EXPECT_EQ(WriteFilterResult(args, {.why_not = {0}, .refusals = {}}),
            R"({"Nodes":{"metadata":{},"items":[{"metadata":{"name":"a"}}]},"NodeNames":["a"],)"
            R"("FailedNodes":{},"FailedAndUnresolvableNodes":{},"Error":""})");
}

TEST(FilterResult, NothingOfferedIsAnEmptyListNotNull) {
  EXPECT_EQ(
      WriteFilterResult(ExtenderArgs{}, FilterDecision{}),
      R"({"Nodes":null,"NodeNames":[],"FailedNodes":{},"FailedAndUnresolvableNodes":{},"Error":""})");
}

}  // namespace
}  // namespace fairlead::extender
