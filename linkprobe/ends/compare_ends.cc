#include "linkprobe/ends/compare_ends.h"

#include <algorithm>

#include "common/rdma/gid.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint8_t kEcnBits = 3;
constexpr std::uint8_t kCongestionExperienced = 3;  // RFC 3168

std::string Family(const Endpoint& end) {
  switch (ScopeOf(Gid{end.gid})) {
    case GidScope::kIpv4Mapped:
      return "IPv4";
    case GidScope::kLinkLocal:
      return "link-local IPv6";
    case GidScope::kUniqueLocal:
    case GidScope::kGlobal:
      return "IPv6";
    case GidScope::kZero:
      break;
  }
  return "";
}

std::string Version(const Endpoint& end) {
  return end.roce_version == 0 ? "" : "v" + std::to_string(end.roce_version);
}

std::string Mtu(const Endpoint& end) {
  return end.path_mtu_bytes == 0 ? "" : std::to_string(end.path_mtu_bytes);
}

std::string Class(std::optional<std::uint8_t> value) { return value ? std::to_string(*value) : ""; }

// Of the two ECN bits: what says that it understands marks may be marked but must not lose that,
// and what does not say so must not be marked. A NIC may say so by itself, which is no fault.
bool ArrivedAsSent(std::uint8_t sent, std::uint8_t arrived) {
  if ((sent & ~kEcnBits) != (arrived & ~kEcnBits)) return false;
  const int mark = arrived & kEcnBits;
  return (sent & kEcnBits) == 0 ? mark != kCongestionExperienced : mark != 0;
}

std::string_view Subject(EndTrait trait) {
  switch (trait) {
    case EndTrait::kRoceVersion:
      return "RoCE";
    case EndTrait::kPathMtu:
      return "The path MTU";
    case EndTrait::kGidFamily:
      return "The GID";
    case EndTrait::kTrafficClass:
      return "The traffic class";
    case EndTrait::kTrafficClassForward:
    case EndTrait::kTrafficClassReverse:
      break;
  }
  return "The traffic class of packets";
}

}  // namespace

std::string_view EndTraitName(EndTrait trait) {
  switch (trait) {
    case EndTrait::kRoceVersion:
      return "roce_version";
    case EndTrait::kPathMtu:
      return "path_mtu";
    case EndTrait::kGidFamily:
      return "gid_family";
    case EndTrait::kTrafficClass:
      return "traffic_class";
    case EndTrait::kTrafficClassForward:
      return "traffic_class_forward";
    case EndTrait::kTrafficClassReverse:
      return "traffic_class_reverse";
  }
  return "unknown";
}

std::vector<EndDifference> CompareEnds(const PathEnds& ends) {
  std::vector<EndDifference> found;
  const Endpoint& here = ends.here;
  const Endpoint& there = ends.there;
  if (here.kind != there.kind) return found;
  const auto compare = [&](EndTrait trait, std::string one, std::string other) {
    if (one.empty() || other.empty() || one == other) return;
    found.push_back({.trait = trait, .here = std::move(one), .there = std::move(other)});
  };
  if (here.kind == TransportKind::kRdmaUd) {
    compare(EndTrait::kRoceVersion, Version(here), Version(there));
    compare(EndTrait::kPathMtu, Mtu(here), Mtu(there));
    compare(EndTrait::kGidFamily, Family(here), Family(there));
  }
  compare(EndTrait::kTrafficClass, Class(here.traffic_class), Class(there.traffic_class));
  if (here.traffic_class && ends.forward_arrived &&
      !ArrivedAsSent(*here.traffic_class, *ends.forward_arrived)) {
    compare(EndTrait::kTrafficClassForward, Class(here.traffic_class), Class(ends.forward_arrived));
  }
  if (there.traffic_class && ends.reverse_arrived &&
      !ArrivedAsSent(*there.traffic_class, *ends.reverse_arrived)) {
    compare(EndTrait::kTrafficClassReverse, Class(ends.reverse_arrived),
            Class(there.traffic_class));
  }
  return found;
}

std::string DifferenceSentence(const EndDifference& difference, std::string_view peer) {
  const std::string subject(Subject(difference.trait));
  const std::string node(peer);
  switch (difference.trait) {
    case EndTrait::kRoceVersion:
    case EndTrait::kPathMtu:
    case EndTrait::kGidFamily:
    case EndTrait::kTrafficClass:
      return subject + " is " + difference.here + " here and " + difference.there + " at " + node +
             ".";
    case EndTrait::kTrafficClassForward:
      return subject + " to " + node + " is " + difference.here + " when sent and " +
             difference.there + " when they arrive.";
    case EndTrait::kTrafficClassReverse:
      break;
  }
  return subject + " from " + node + " is " + difference.there + " when sent and " +
         difference.here + " when they arrive.";
}

}  // namespace fairlead::linkprobe
