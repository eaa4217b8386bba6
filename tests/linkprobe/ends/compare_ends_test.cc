// Two ends that are alike, and every way in which they are not.
#include "linkprobe/ends/compare_ends.h"

#include <gtest/gtest.h>

#include <functional>

#include "common/rdma/gid.h"

namespace fairlead::linkprobe {
namespace {

Endpoint End(const std::string& gid) {
  Endpoint end;
  end.kind = TransportKind::kRdmaUd;
  end.gid = ParseGid(gid).value().bytes;
  end.path_mtu_bytes = 4096;
  end.traffic_class = 106;
  end.roce_version = 2;
  return end;
}

PathEnds Alike() {
  return {.here = End("10.0.0.1"),
          .there = End("10.1.0.1"),
          .forward_arrived = 106,
          .reverse_arrived = 106};
}

TEST(CompareEnds, FindsNothingInEndsThatAreAlike) {
  EXPECT_TRUE(CompareEnds(Alike()).empty());
  EXPECT_TRUE(CompareEnds({}).empty());
}

TEST(CompareEnds, FindsEachDifference) {
  const struct {
    std::function<void(PathEnds&)> change;
    EndDifference difference;
    std::string sentence;
  } kCases[] = {
      {[](PathEnds& e) { e.there.roce_version = 1; },
       {EndTrait::kRoceVersion, "v2", "v1"},
       "RoCE is v2 here and v1 at sg-1."},
      {[](PathEnds& e) { e.there.path_mtu_bytes = 1024; },
       {EndTrait::kPathMtu, "4096", "1024"},
       "The path MTU is 4096 here and 1024 at sg-1."},
      {[](PathEnds& e) { e.here.gid = End("2001:db8::1").gid; },
       {EndTrait::kGidFamily, "IPv6", "IPv4"},
       "The GID is IPv6 here and IPv4 at sg-1."},
      {[](PathEnds& e) { e.there.gid = End("fe80::1").gid; },
       {EndTrait::kGidFamily, "IPv4", "link-local IPv6"},
       "The GID is IPv4 here and link-local IPv6 at sg-1."},
      {[](PathEnds& e) { e.there.traffic_class = e.reverse_arrived = 0; },
       {EndTrait::kTrafficClass, "106", "0"},
       "The traffic class is 106 here and 0 at sg-1."},
      {[](PathEnds& e) { e.forward_arrived = 2; },
       {EndTrait::kTrafficClassForward, "106", "2"},
       "The traffic class of packets to sg-1 is 106 when sent and 2 when they arrive."},
      {[](PathEnds& e) { e.forward_arrived = 104; },  // ECN bits cleared
       {EndTrait::kTrafficClassForward, "106", "104"},
       "The traffic class of packets to sg-1 is 106 when sent and 104 when they arrive."},
      {[](PathEnds& e) { e.reverse_arrived = 0; },
       {EndTrait::kTrafficClassReverse, "0", "106"},
       "The traffic class of packets from sg-1 is 106 when sent and 0 when they arrive."},
  };
  for (const auto& c : kCases) {
    PathEnds ends = Alike();
    c.change(ends);
    EXPECT_EQ(CompareEnds(ends), std::vector{c.difference}) << c.sentence;
    EXPECT_EQ(DifferenceSentence(c.difference, "sg-1"), c.sentence);
  }
}

TEST(CompareEnds, TakesAMarkOfCongestionForWhatItIs) {
  PathEnds ends = Alike();
  ends.forward_arrived = ends.reverse_arrived = 107;
  EXPECT_TRUE(CompareEnds(ends).empty());
  ends.here.traffic_class = ends.there.traffic_class = 104;  // does not understand marks
  EXPECT_EQ(CompareEnds(ends).size(), 2U);
  ends.forward_arrived = ends.reverse_arrived = 106;  // the NICs say that they do
  EXPECT_TRUE(CompareEnds(ends).empty());
}

TEST(CompareEnds, WhatOneEndDoesNotTellIsNoDifference) {
  PathEnds ends = Alike();
  ends.there.roce_version = 0;
  ends.there.path_mtu_bytes = 0;
  ends.there.gid = {};
  ends.there.traffic_class.reset();
  ends.forward_arrived.reset();
  ends.reverse_arrived = 0;
  EXPECT_TRUE(CompareEnds(ends).empty());
}

TEST(CompareEnds, OverUdpOnlyTheTrafficClassIsThere) {
  PathEnds ends = Alike();
  ends.here.kind = ends.there.kind = TransportKind::kUdp;
  ends.there.path_mtu_bytes = 1024;
  EXPECT_TRUE(CompareEnds(ends).empty());
  ends.there.traffic_class = ends.reverse_arrived = 8;
  EXPECT_EQ(CompareEnds(ends).size(), 1U);
}

}  // namespace
}  // namespace fairlead::linkprobe
