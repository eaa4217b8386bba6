// A plan that pods are being placed by, and which of its seats are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "extender/gang_plan/gang_plan.h"
#include "extender/gang_plan/node_capacity.h"
#include "extender/placement/placement_request.h"

namespace fairlead::extender {

// One member's place in a plan.
struct Seat {
  std::string site;
  std::optional<std::uint32_t> rank;
  std::string node;       // believed or bound; empty: none yet
  bool bound = false;     // seen in the cluster
  MonotonicTime since{};  // when its pod last asked, or was first seen bound

  bool HasNode() const { return bound || !node.empty(); }
};

// A member that the cluster shows bound.
struct BoundMember {
  std::string uid;
  std::string site;
  std::string node;
  std::optional<std::uint32_t> rank;

  bool operator==(const BoundMember&) const = default;
};

struct PlanInForce {
  GangPlan plan;
  PodNeeds needs;                                  // of one member
  std::map<std::string, Seat, std::less<>> seats;  // by pod uid
  SiteCounts taken;                                // seats by site, never 0
  SiteCounts settled;                              // of them those with a node, by site, never 0
  MonotonicTime progress{};   // when it was made, or a member last got a node or was seen bound
  std::string contradiction;  // what was seen against it since it was made; empty: nothing

  std::uint32_t FreeSeats(std::string_view site) const {
    const auto found = taken.find(site);
    const std::uint32_t used = found == taken.end() ? 0 : found->second;
    const std::uint32_t members = plan.MembersIn(site);
    return members > used ? members - used : 0;
  }
};

}  // namespace fairlead::extender
