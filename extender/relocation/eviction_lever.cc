// Eviction of every member, each by its uid. Once one may be gone the rest follows: what a budget
// still keeps after config.eviction_patience is deleted, because half a gang is nobody's good.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "common/units/human.h"
#include "extender/relocation/lever.h"

namespace fairlead::extender {
namespace {

using Kind = LeverStep::Kind;

class Eviction final : public Lever {
 public:
  // The API server refuses an eviction of a pod that two budgets cover.
  std::string Refusal(const MoveFacts& facts) const override {
    if (facts.pods.size() > kMostMembers) {
      return "it has " + std::to_string(facts.pods.size()) + " members, at most " +
             std::to_string(kMostMembers) + " are evicted together";
    }
    if (facts.owner.retries_left && *facts.owner.retries_left < facts.pods.size()) {
      return "it may fail " + Counted(*facts.owner.retries_left, "more time", "more times") +
             ", and each of its " + std::to_string(facts.pods.size()) +
             " members that is evicted counts; raise its backoffLimit, or ignore DisruptionTarget "
             "in its podFailurePolicy";
    }
    std::map<std::string, std::string> covered;
    for (const BudgetState& budget : facts.budgets) {
      std::uint32_t members = 0;
      for (const PodState& pod : facts.pods) {
        if (std::ranges::find(budget.covers, pod.uid) == budget.covers.end()) continue;
        ++members;
        const auto [other, first] = covered.emplace(pod.name, budget.name);
        if (!first) {
          return "pod " + pod.name + " has two PodDisruptionBudgets, " + other->second + " and " +
                 budget.name + "; it can never be evicted";
        }
      }
      if (members > budget.allowed) {
        return "PodDisruptionBudget " + budget.name + " allows " +
               Counted(budget.allowed, "disruption", "disruptions") + " and covers " +
               std::to_string(members) + " of its members; it must allow them all at once";
      }
    }
    return "";
  }

  ApiCall Begin(MoveHistory moves, const MoveFacts& facts) const override {
    NameMembers(facts, moves.current);
    return WriteRecordCall(moves, facts.owner);
  }

  LeverStep Next(const LeverView& view) const override {
    const std::set<std::string> prints(view.moves.current.members.begin(),
                                       view.moves.current.members.end());
    std::vector<const PodState*> left;
    std::size_t ending = 0;
    for (const PodState& pod : view.facts.pods) {
      if (!prints.contains(PodPrint(pod.uid))) continue;
      if (pod.terminating) {
        ++ending;
      } else {
        left.push_back(&pod);
      }
    }
    if (!left.empty()) {
      const PodState& pod = *left[view.memory.turn % left.size()];
      ApiCall call;
      call.kind =
          view.elapsed < view.config.eviction_patience ? CallKind::kEvictPod : CallKind::kDeletePod;
      call.name = pod.name;
      call.uid = pod.uid;
      call.grace = view.config.termination_grace;
      return {.kind = Kind::kCall, .call = std::move(call)};
    }
    if (ending > 0) {
      return {.kind = Kind::kWait, .text = Counted(ending, "member", "members") + " to end"};
    }
    return {.kind = Kind::kStarted};
  }
};

}  // namespace

const Lever& EvictionLever() {
  static const Eviction kLever;
  return kLever;
}

}  // namespace fairlead::extender
