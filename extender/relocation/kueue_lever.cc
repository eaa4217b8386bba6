// `active` of the owner's Workload. A marker on the Workload changes in the same patch, so it tells
// what was done even where no answer came.
#include <string>
#include <utility>

#include "extender/relocation/lever.h"

namespace fairlead::extender {
namespace {

using Kind = LeverStep::Kind;

LeverStep SetActive(const WorkloadState& workload, std::string marker, bool active) {
  ApiCall call;
  call.kind = CallKind::kSetActive;
  call.uid = workload.uid;
  call.resource_version = workload.resource_version;
  call.text = std::move(marker);
  call.value = active;
  return {.kind = Kind::kCall, .call = std::move(call)};
}

class Kueue final : public Lever {
 public:
  std::string Refusal(const MoveFacts& facts) const override {
    if (!facts.workload.exists) return "its Workload is not there";
    if (!facts.workload.active) return "its Workload is not active";
    return "";
  }

  ApiCall Begin(MoveHistory moves, const MoveFacts& facts) const override {
    moves.current.object = facts.workload.uid;
    return WriteRecordCall(moves, facts.owner);
  }

  LeverStep Next(const LeverView& view) const override {
    const WorkloadState& workload = view.facts.workload;
    // Kueue makes a new one, which is active, when the job is edited.
    if (workload.exists && workload.uid != view.moves.current.object) {
      return {.kind = Kind::kStarted};
    }
    if (!workload.exists) return {.kind = Kind::kWait, .text = "a Workload of its job"};
    const std::string number = std::to_string(view.moves.current.number);
    const std::string stopped = number + " stopped";
    const std::string started = number + " started";
    if (workload.marker == started) return {.kind = Kind::kStarted};
    if (workload.marker != stopped) {
      if (workload.active) return SetActive(workload, stopped, false);
      return {.kind = Kind::kClose,
              .text = "its Workload was deactivated by somebody else",
              .outcome = MoveOutcome::kTakenOver};
    }
    if (workload.active) return {.kind = Kind::kStarted};
    if (!view.facts.pods.empty()) return WaitForPods(view.facts);
    return SetActive(workload, started, true);
  }

  // Kueue itself keeps the owner suspended until there is room in its queue.
  std::string TakenOver(const MoveFacts& facts) const override {
    const bool stopped = facts.workload.exists && !facts.workload.active;
    return stopped ? "its Workload was deactivated after it had been started" : "";
  }
};

}  // namespace

const Lever& KueueLever() {
  static const Kueue kLever;
  return kLever;
}

}  // namespace fairlead::extender
