// Gives a pod its seat in a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "extender/gang_plan/plan_in_force.h"

namespace fairlead::extender {

struct SeatRequest {
  std::string_view uid;
  std::optional<std::uint32_t> rank;
  std::span<const std::string_view> sites;  // of the nodes offered; order and repeats ignored
  bool full = true;  // everything the scheduler could offer, not one node it has in mind
};

enum class SeatOutcome {
  kSeated,      // the seat may be at a site that is not offered where the request is not full
  kNotOffered,  // a full request offers no site with a seat left for this pod
  kNoneLeft,    // every seat is another pod's
};

// Removes or changes a seat, with the counts of its site.
void FreeSeat(PlanInForce& in_force, std::string_view uid);
void PutSeat(PlanInForce& in_force, std::string_view uid, Seat seat);

// The pod's seat: the one it has, unless a full request does not offer its site; else that of its
// rank; else one at the first site of the ring that is offered and has a seat left. A pod without a
// rank may take any seat, so that it follows the one node it is offered where a seat is left there;
// a pod with a rank keeps to its block unless a full request offers none of it. Of two pods with
// one rank, the later one takes the seat of one that is not bound and has no node.
SeatOutcome TakeSeat(PlanInForce& in_force, const SeatRequest& request, MonotonicTime now);

}  // namespace fairlead::extender
