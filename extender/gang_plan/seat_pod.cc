#include "extender/gang_plan/seat_pod.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fairlead::extender {
namespace {

class Seating {
 public:
  Seating(PlanTable& table, const SeatQuestion& question, const std::function<PlanInputs()>& inputs,
          MonotonicTime now)
      : table_(table), question_(question), inputs_(inputs), now_(now) {
    std::set<std::string_view> sites;
    for (const std::string_view site : question.node_sites) {
      if (!site.empty()) sites.insert(site);
    }
    offered_.assign(sites.begin(), sites.end());
  }

  SeatDecision Run() {
    table_.Expire(now_);
    table_.Observe(question_.gang, question_.bound, now_);
    std::string why = WhyAnew();
    if (!why.empty()) MakePlan(std::move(why), /*only_offered=*/false);
    SeatOutcome outcome = Take();
    if (outcome == SeatOutcome::kNoneLeft && Growing()) {
      MakePlan("more pods came than the plan had seats", /*only_offered=*/false);
      outcome = Take();
    }
    if (outcome != SeatOutcome::kSeated && question_.full && !offered_.empty()) {
      MakePlan(outcome == SeatOutcome::kNotOffered ? "no node of the plan was offered"
                                                   : "the plan had no seat left for this pod",
               /*only_offered=*/true);
      outcome = Take();
    }
    return Decide(outcome);
  }

 private:
  SeatOutcome Take() {
    return table_.Take(
        question_.gang,
        {.uid = question_.uid, .rank = question_.rank, .sites = offered_, .full = question_.full},
        now_);
  }

  std::string WhyAnew() const {
    const PlanInForce* in_force = table_.Find(question_.gang);
    if (in_force == nullptr) return "the gang had no plan";
    if (!in_force->contradiction.empty()) return in_force->contradiction;
    const std::uint32_t size = question_.size.value_or(0);
    if (size > in_force->plan.size) {
      return "the gang grew from " + std::to_string(in_force->plan.size) + " to " +
             std::to_string(size);
    }
    return {};
  }

  // Whether every seat belongs to a pod, so that this one makes the gang larger. Where seats are
  // wanting for lack of room, a plan for more members would have none for them either.
  bool Growing() const {
    const PlanInForce* in_force = table_.Find(question_.gang);
    return in_force != nullptr && in_force->seats.size() >= in_force->plan.size;
  }

  // Members with a node count as placed; this pod and the others without one are to be placed.
  void MakePlan(std::string why, bool only_offered) {
    PlanInputs inputs = inputs_();
    PlanRequest request{.profile = inputs.profile,
                        .lines = inputs.lines,
                        .size = {},
                        .placed = std::vector<std::uint32_t>(inputs.lines.size()),
                        .ranks = {},
                        .room = std::vector<std::uint32_t>(inputs.lines.size()),
                        .excluded = std::vector<bool>(inputs.lines.size())};
    const std::uint32_t placed = CountPlaced(request);
    request.size = std::max(question_.size.value_or(0), placed + 1);
    if (const PlanInForce* before = table_.Find(question_.gang)) {
      const auto known = static_cast<std::uint32_t>(before->seats.size());
      const bool seated = before->seats.contains(question_.uid);
      request.size = std::max(*request.size, known + (seated ? 0 : 1));
    }
    const auto room_of = [&](std::string_view site) {
      const auto room = inputs.room.find(site);
      return room == inputs.room.end() ? 0U : room->second;
    };
    // A node that is offered has room for this pod, whatever was counted. Room that was promised to
    // others is left to them as long as there is any other.
    const bool none_counted =
        std::ranges::none_of(offered_, [&](auto site) { return room_of(site) > 0; });
    for (std::size_t i = 0; i < inputs.lines.size(); ++i) {
      const std::string& site = inputs.lines.site(i);
      request.room[i] = room_of(site);
      const bool offered = std::ranges::binary_search(offered_, std::string_view(site));
      if (offered && question_.full && none_counted) request.room[i] = 1;
      request.excluded[i] = (only_offered && !offered) ||
                            std::ranges::find(inputs.excluded, site) != inputs.excluded.end();
    }
    table_.Forget(question_.gang, question_.uid);
    table_.Keep(question_.gang, PlanGang(request), std::move(inputs.needs), question_.bound, now_);
    replanned_ = std::move(why);
  }

  std::uint32_t CountPlaced(PlanRequest& request) const {
    std::uint32_t placed = 0;
    std::set<std::string_view> counted;
    const auto add = [&](std::string_view uid, const std::string& site,
                         std::optional<std::uint32_t> rank) {
      if (uid == question_.uid || !counted.insert(uid).second) return;
      for (std::size_t i = 0; i < request.lines.size(); ++i) {
        if (request.lines.site(i) != site) continue;
        ++request.placed[i];
        ++placed;
        if (rank) request.ranks.push_back({*rank, i});
      }
    };
    for (const BoundMember& member : question_.bound) add(member.uid, member.site, member.rank);
    if (const PlanInForce* before = table_.Find(question_.gang)) {
      for (const auto& [uid, seat] : before->seats) {
        if (!seat.bound && !seat.node.empty()) add(uid, seat.site, seat.rank);
      }
    }
    return placed;
  }

  SeatDecision Decide(SeatOutcome outcome) {
    SeatDecision decision;
    decision.replanned = std::move(replanned_);
    const PlanInForce* in_force = table_.Find(question_.gang);
    if (in_force != nullptr) decision.plan = &in_force->plan;
    const bool seated = in_force != nullptr && outcome == SeatOutcome::kSeated;
    if (!seated) {
      decision.filter.off_plan.assign(question_.node_sites.size(), 0);
      return decision;
    }
    decision.seat = in_force->seats.find(question_.uid)->second;
    decision.filter =
        FilterByPlan(question_.name, in_force->plan, *decision.seat, question_.node_sites);
    return decision;
  }

  PlanTable& table_;
  const SeatQuestion& question_;
  const std::function<PlanInputs()>& inputs_;
  const MonotonicTime now_;
  std::vector<std::string_view> offered_;  // sorted, none empty
  std::string replanned_;
};

}  // namespace

SeatDecision SeatPod(PlanTable& table, const SeatQuestion& question,
                     const std::function<PlanInputs()>& inputs, MonotonicTime now) {
  return Seating(table, question, inputs, now).Run();
}

}  // namespace fairlead::extender
