// One scheduler question about a member of a gang, answered by the gang's plan.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extender/gang_plan/plan_filter.h"
#include "extender/gang_plan/plan_gang.h"
#include "extender/gang_plan/plan_table.h"

namespace fairlead::extender {

struct SeatQuestion {
  const GangKey& gang;
  std::string_view name;  // of the gang, for sentences
  std::string_view uid;   // of the pod
  std::optional<std::uint32_t> rank;
  std::optional<std::uint32_t> size;  // of the gang, where it is told
  std::span<const BoundMember> bound;
  std::span<const std::string_view> node_sites;  // of each node offered; empty: not known
  bool full = true;  // false: one node that the scheduler has in mind, of several there are
};

// What a plan is made from; asked for only when one is made. Room does not count what the gang's
// own members take that are bound or have a node, nor what is promised to other gangs.
struct PlanInputs {
  CommunicationProfile profile;
  LineMatrix lines;  // over every site that has members or room, or is offered
  SiteCounts room;   // further members that fit
  std::vector<std::string> excluded;
  PodNeeds needs;
};

struct SeatDecision {
  const GangPlan* plan = nullptr;  // in force; valid until the table is next changed
  std::optional<Seat> seat;        // absent: nothing can be said, every node is let through
  PlanFilter filter;               // all nodes on the plan where there is no seat
  std::string replanned;           // why a plan was made; empty: the one in force served
};

// Finds the plan in force, or makes one: at the first member, and again when the gang grew, when
// members are bound elsewhere than planned, when more pods come than there are seats, and when a
// full request offers no node of the plan, then from the sites that it offers. A request for a
// single node never makes a new plan for its sake: its node is off the plan or on it. Answers do
// not commit anyone: the same pod asked again has the same seat.
SeatDecision SeatPod(PlanTable& table, const SeatQuestion& question,
                     const std::function<PlanInputs()>& inputs, MonotonicTime now);

}  // namespace fairlead::extender
