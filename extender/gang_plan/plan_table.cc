#include "extender/gang_plan/plan_table.h"

#include <algorithm>
#include <optional>

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kSweepEvery = Seconds(1);  // over all seats

// What a newly bound member says against the plan; nothing when it is where the plan has it.
std::string Against(const PlanInForce& in_force, const BoundMember& member) {
  const std::uint32_t planned = in_force.plan.MembersIn(member.site);
  const auto own = in_force.seats.find(member.uid);
  const bool seated = own != in_force.seats.end() && own->second.site == member.site;
  const auto found = in_force.taken.find(member.site);
  const std::uint32_t taken = found == in_force.taken.end() ? 0 : found->second;
  if (!seated && taken >= planned) {
    return "a member is bound in " + member.site + ", where the plan has no seat left of " +
           std::to_string(planned);
  }
  if (!member.rank) return {};
  const auto block = in_force.plan.SiteOfRank(*member.rank);
  if (!block || *block == member.site) return {};
  return "rank " + std::to_string(*member.rank) + " is bound in " + member.site +
         ", where the plan has it in " + *block;
}

void PutBound(PlanInForce& in_force, const BoundMember& member, MonotonicTime now) {
  PutSeat(
      in_force, member.uid,
      {.site = member.site, .rank = member.rank, .node = member.node, .bound = true, .since = now});
}

// Members that will come to each site of the plan.
SiteCounts Awaited(const PlanInForce& in_force) {
  SiteCounts awaited;
  for (const PlannedSite& site : in_force.plan.sites) {
    const auto found = in_force.settled.find(site.site);
    const std::uint32_t settled = found == in_force.settled.end() ? 0 : found->second;
    if (settled < site.members) awaited[site.site] += site.members - settled;
  }
  return awaited;
}

}  // namespace

PlanTable::PlanTable(Nanoseconds ttl, std::size_t max_plans, std::size_t max_seats)
    : ttl_(ttl), max_plans_(std::max<std::size_t>(max_plans, 1)), max_seats_(max_seats) {}

const PlanInForce* PlanTable::Find(const GangKey& gang) const {
  const auto found = plans_.find(gang);
  return found == plans_.end() ? nullptr : &found->second;
}

void PlanTable::Erase(Plans::iterator plan) {
  seats_ -= plan->second.seats.size();
  promises_.Erase(plan->first);
  for (const auto& line : plan->second.plan.lines) {
    const auto count = crossings_.find(line);
    if (--count->second == 0) crossings_.erase(count);
  }
  by_progress_.erase({plan->second.progress, plan->first});
  plans_.erase(plan);
}

void PlanTable::Recount(Plans::iterator plan, std::size_t before) {
  seats_ += plan->second.seats.size();
  seats_ -= before;
  promises_.Set(plan->first, Awaited(plan->second));
}

void PlanTable::Progress(Plans::iterator plan, MonotonicTime now) {
  by_progress_.erase({plan->second.progress, plan->first});
  plan->second.progress = std::max(plan->second.progress, now);
  by_progress_.emplace(plan->second.progress, plan->first);
}

void PlanTable::MakeRoom(const GangKey& except) {
  while ((plans_.size() > max_plans_ || seats_ > max_seats_) && plans_.size() > 1) {
    auto oldest = by_progress_.begin();
    if (oldest->second == except) ++oldest;
    Erase(plans_.find(oldest->second));
  }
}

void PlanTable::Keep(const GangKey& gang, GangPlan plan, PodNeeds needs,
                     std::span<const BoundMember> bound, MonotonicTime now) {
  const GangKey first{gang.kind, gang.namespace_name, gang.id, {}};
  PlanInForce next;
  for (auto at = plans_.lower_bound(first); at != plans_.end();) {
    const GangKey& key = at->first;
    if (key.kind != gang.kind || key.namespace_name != gang.namespace_name || key.id != gang.id) {
      break;
    }
    if (key == gang) {
      for (auto& [uid, seat] : at->second.seats) {
        if (seat.HasNode()) PutSeat(next, uid, std::move(seat));
      }
    }
    Erase(at++);
  }
  for (const BoundMember& member : bound) {
    if (!member.uid.empty()) PutBound(next, member, now);
  }
  next.plan = std::move(plan);
  next.needs = std::move(needs);
  next.progress = now;
  promises_.Add(gang, next.needs);
  for (const auto& line : next.plan.lines) ++crossings_[line];
  Recount(plans_.emplace(gang, std::move(next)).first, 0);
  by_progress_.emplace(now, gang);
  MakeRoom(gang);
}

void PlanTable::Observe(const GangKey& gang, std::span<const BoundMember> bound,
                        MonotonicTime now) {
  const auto found = plans_.find(gang);
  if (found == plans_.end()) return;
  PlanInForce& in_force = found->second;
  const std::size_t before = in_force.seats.size();
  std::set<std::string_view> there;
  bool progress = false;
  for (const BoundMember& member : bound) {
    if (member.uid.empty() || !there.insert(member.uid).second) continue;
    const auto own = in_force.seats.find(member.uid);
    const bool known =
        own != in_force.seats.end() && own->second.bound && own->second.node == member.node;
    if (known) continue;
    std::string against = Against(in_force, member);
    if (!against.empty()) in_force.contradiction = std::move(against);
    PutBound(in_force, member, now);
    progress = true;
  }
  for (auto at = in_force.seats.begin(); at != in_force.seats.end();) {
    const auto one = at++;
    if (one->second.bound && !there.contains(one->first)) {
      const std::string uid = one->first;
      FreeSeat(in_force, uid);
    }
  }
  Recount(found, before);
  if (progress) Progress(found, now);
  MakeRoom(gang);
}

SeatOutcome PlanTable::Take(const GangKey& gang, const SeatRequest& request, MonotonicTime now) {
  const auto found = plans_.find(gang);
  if (found == plans_.end()) return SeatOutcome::kNoneLeft;
  const std::size_t before = found->second.seats.size();
  const SeatOutcome outcome = TakeSeat(found->second, request, now);
  Recount(found, before);
  MakeRoom(gang);
  return outcome;
}

void PlanTable::Assume(const GangKey& gang, std::string_view uid, std::string_view node,
                       MonotonicTime now) {
  const auto found = plans_.find(gang);
  if (found == plans_.end()) return;
  PlanInForce& in_force = found->second;
  const auto known = in_force.seats.find(uid);
  if (known == in_force.seats.end() || known->second.bound) return;
  if (known->second.node.empty() && !node.empty()) Progress(found, now);
  Seat seat = known->second;
  seat.node = node;
  seat.since = now;
  PutSeat(in_force, uid, std::move(seat));
  Recount(found, in_force.seats.size());
}

void PlanTable::Forget(const GangKey& gang, std::string_view uid) {
  const auto found = plans_.find(gang);
  if (found == plans_.end()) return;
  const std::size_t before = found->second.seats.size();
  FreeSeat(found->second, uid);
  Recount(found, before);
}

void PlanTable::Drop(const GangKey& gang) {
  const auto found = plans_.find(gang);
  if (found != plans_.end()) Erase(found);
}

void PlanTable::Expire(MonotonicTime now) {
  while (!by_progress_.empty() && now - by_progress_.begin()->first >= ttl_) {
    Erase(plans_.find(by_progress_.begin()->second));
  }
  if (now - swept_ < kSweepEvery) return;
  swept_ = now;
  for (auto plan = plans_.begin(); plan != plans_.end(); ++plan) {
    PlanInForce& in_force = plan->second;
    const std::size_t before = in_force.seats.size();
    for (auto at = in_force.seats.begin(); at != in_force.seats.end();) {
      const auto one = at++;
      if (one->second.bound || now - one->second.since < ttl_) continue;
      const std::string uid = one->first;
      FreeSeat(in_force, uid);
    }
    Recount(plan, before);
  }
}

LineOccupancy PlanTable::Crossings(const GangKey& except) const {
  LineOccupancy crossings = crossings_;
  const PlanInForce* const own = Find(except);
  if (own == nullptr) return crossings;
  for (const auto& line : own->plan.lines) {
    const auto count = crossings.find(line);
    if (--count->second == 0) crossings.erase(count);
  }
  return crossings;
}

}  // namespace fairlead::extender
