// The plans in force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/cost/line_matrix.h"
#include "extender/gang/gang_key.h"
#include "extender/gang_plan/capacity.h"
#include "extender/gang_plan/plan_in_force.h"
#include "extender/gang_plan/promise_book.h"
#include "extender/gang_plan/seating.h"

namespace fairlead::extender {

// Single-threaded and bounded: when full, the plan without progress for longest makes room. A plan
// is in force for `ttl` after its last progress: it was made, a member got a node, or a member was
// seen bound. Asking alone is no progress, so that a gang that waits is planned anew by the lines
// of then.
class PlanTable {
 public:
  explicit PlanTable(Nanoseconds ttl = Seconds(60), std::size_t max_plans = 4096,
                     std::size_t max_seats = 262'144);

  void set_ttl(Nanoseconds ttl) { ttl_ = ttl; }

  // Null when no plan is in force. Valid until the table is next changed.
  const PlanInForce* Find(const GangKey& gang) const;

  // Puts a plan in force that was made with these members bound, instead of the one before, also of
  // one for another incarnation of the same gang. Of the seats before, those with a node are kept.
  void Keep(const GangKey& gang, GangPlan plan, PodNeeds needs, std::span<const BoundMember> bound,
            MonotonicTime now);

  // Everything of the gang that is bound now. Seats of bound members that are gone are freed. A
  // member newly bound where the plan has no seat for it, or away from its rank's block, is noted
  // as the plan's contradiction.
  void Observe(const GangKey& gang, std::span<const BoundMember> bound, MonotonicTime now);

  // TakeSeat on the gang's plan, which must be in force.
  SeatOutcome Take(const GangKey& gang, const SeatRequest& request, MonotonicTime now);

  // The pod, which has a seat, is believed to go to this node; a later belief supersedes it. No
  // effect on a bound pod or one without a seat.
  void Assume(const GangKey& gang, std::string_view uid, std::string_view node, MonotonicTime now);

  // The pod is gone.
  void Forget(const GangKey& gang, std::string_view uid);
  void Drop(const GangKey& gang);

  // Ends plans without progress for `ttl` and frees seats of pods that were not bound and have not
  // asked for as long.
  void Expire(MonotonicTime now);

  // Members of all other gangs that have neither a node nor are bound but will come: by what they
  // need, then by site. Costs by these, not by plans. Pointers are valid until the table is next
  // changed.
  std::vector<PromisedMembers> Promised(const GangKey& except) const {
    return promises_.Without(except);
  }
  // Lines that the plans of all other gangs cross, none of 0. Costs by lines, not by plans.
  LineOccupancy Crossings(const GangKey& except) const;
  // Whether a plan counts in Crossings, so that the gang is not counted by its members again.
  bool Has(const GangKey& gang) const { return plans_.contains(gang); }

  std::size_t size() const { return plans_.size(); }
  std::size_t seats() const { return seats_; }

 private:
  using Plans = std::map<GangKey, PlanInForce>;

  void Erase(Plans::iterator plan);
  // What is counted over all plans follows what has changed of the seats of one, of which there
  // were `before`.
  void Recount(Plans::iterator plan, std::size_t before);
  void Progress(Plans::iterator plan, MonotonicTime now);
  void MakeRoom(const GangKey& except);

  Nanoseconds ttl_;
  std::size_t max_plans_;
  std::size_t max_seats_;
  Plans plans_;
  std::set<std::pair<MonotonicTime, GangKey>> by_progress_;
  std::size_t seats_ = 0;  // of all plans
  PromiseBook promises_;
  LineOccupancy crossings_;
  MonotonicTime swept_{};
};

}  // namespace fairlead::extender
