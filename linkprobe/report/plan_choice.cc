#include "linkprobe/report/plan_choice.h"

#include <algorithm>
#include <utility>

namespace fairlead::linkprobe {

bool PlanChoice::Led() const {
  return in_force_ && std::any_of(replicas_.begin(), replicas_.end(), [this](const auto& entry) {
           return entry.second.plan && entry.second.plan->term >= term_;
         });
}

void PlanChoice::NoteLed(MonotonicTime now) {
  if (Led()) led_until_ = now;
}

void PlanChoice::Opened(std::string_view replica) {
  replicas_.insert_or_assign(std::string(replica), Replica{});
}

void PlanChoice::Closed(std::string_view replica, MonotonicTime now) {
  NoteLed(now);
  if (const auto found = replicas_.find(replica); found != replicas_.end()) replicas_.erase(found);
}

PlanVerdict PlanChoice::Arrived(std::string_view replica, Plan plan, MonotonicTime now) {
  NoteLed(now);
  Replica& from = replicas_[std::string(replica)];
  if (plan.term < from.term) return PlanVerdict::kStaleTerm;
  if (plan.term == from.term && plan.revision < from.revision) return PlanVerdict::kStaleRevision;
  if (plan.term == from.term && plan.revision == from.revision) return PlanVerdict::kSame;
  const bool stale = in_force_ && plan.term < term_;
  from = {.plan = std::move(plan), .arrived_at = now};
  from.term = from.plan->term;
  from.revision = from.plan->revision;
  // It is kept all the same, for the case that the higher term is heard of no more.
  return stale ? PlanVerdict::kStaleTerm : PlanVerdict::kHeard;
}

void PlanChoice::Follows(std::string_view replica, MonotonicTime now) {
  NoteLed(now);
  replicas_[std::string(replica)].plan.reset();
}

std::optional<Plan> PlanChoice::Turn(MonotonicTime now) {
  std::optional<Plan> next = Choose(now);
  if (next) leased_ = next->lease ? next : std::nullopt;
  return next;
}

std::optional<Plan> PlanChoice::WithoutLease() {
  const auto granter = replicas_.find(leader_);
  const bool heard =
      granter != replicas_.end() && granter->second.plan && granter->second.plan->term == term_;
  if (!leased_ || heard) return std::nullopt;
  leased_->lease.reset();
  return std::exchange(leased_, std::nullopt);
}

std::optional<Plan> PlanChoice::Choose(MonotonicTime now) {
  NoteLed(now);
  const Replicas::value_type* best = nullptr;  // the first of several in the map's order
  for (const auto& entry : replicas_) {
    if (!entry.second.plan) continue;
    if (best == nullptr || entry.second.plan->term > best->second.plan->term) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  const Plan& plan = *best->second.plan;
  if (in_force_ && plan.term < term_ &&
      (best->second.arrived_at <= led_until_ || now - led_until_ < kTermMemory)) {
    return std::nullopt;
  }
  leader_ = best->first;
  if (in_force_ && plan.term == term_ && plan.revision == revision_) return std::nullopt;
  in_force_ = true;
  term_ = plan.term;
  revision_ = plan.revision;
  led_until_ = now;
  return plan;
}

}  // namespace fairlead::linkprobe
