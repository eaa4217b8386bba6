// What differs between the two ends of a path, though both should be set up alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

enum class EndTrait {
  kRoceVersion,
  kPathMtu,
  kGidFamily,
  kTrafficClass,         // as each end sends it
  kTrafficClassForward,  // as this end sends it and as it arrives at the peer
  kTrafficClassReverse,  // as it arrives here and as the peer sends it
};

// Stable words for metrics: "roce_version", "path_mtu", "gid_family", "traffic_class",
// "traffic_class_forward", "traffic_class_reverse".
std::string_view EndTraitName(EndTrait trait);

// Both values as people read them.
struct EndDifference {
  EndTrait trait = EndTrait::kPathMtu;
  std::string here;
  std::string there;

  bool operator==(const EndDifference&) const = default;
};

struct PathEnds {
  Endpoint here;
  Endpoint there;
  // Traffic class byte of the newest packet of each direction as it arrived; absent where the
  // transport does not show it.
  std::optional<std::uint8_t> forward_arrived{};
  std::optional<std::uint8_t> reverse_arrived{};
};

// In the order of the traits. What one end does not tell is no difference, nor is a mark of
// congestion on the way or ECN bits that a NIC sets, and nothing is where the ends are of different
// kinds. Pure.
std::vector<EndDifference> CompareEnds(const PathEnds& ends);

// "The path MTU is 4096 here and 1024 at sg-1." Pure.
std::string DifferenceSentence(const EndDifference& difference, std::string_view peer);

}  // namespace fairlead::linkprobe
