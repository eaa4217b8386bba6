#include "extender/relocation/lever.h"

#include "common/units/human.h"

namespace fairlead::extender {

std::string_view CallKindName(CallKind kind) {
  switch (kind) {
    case CallKind::kWriteRecord:
      return "write_record";
    case CallKind::kSetSuspend:
      return "set_suspend";
    case CallKind::kSetActive:
      return "set_active";
    case CallKind::kCreateCommand:
      return "create_command";
    case CallKind::kAskCheckpoint:
      return "ask_checkpoint";
    case CallKind::kEvictPod:
      return "evict_pod";
    case CallKind::kDeletePod:
      return "delete_pod";
  }
  return "";
}

std::string_view CallResultName(CallResult result) {
  switch (result) {
    case CallResult::kDone:
      return "done";
    case CallResult::kConflict:
      return "conflict";
    case CallResult::kThrottled:
      return "throttled";
    case CallResult::kServerError:
      return "server_error";
    case CallResult::kForbidden:
      return "forbidden";
    case CallResult::kNotFound:
      return "not_found";
    case CallResult::kInvalid:
      return "invalid";
    case CallResult::kLost:
      return "lost";
  }
  return "";
}

const Lever& LeverOf(LeverKind kind) {
  switch (kind) {
    case LeverKind::kSuspend:
      return SuspendLever();
    case LeverKind::kKueue:
      return KueueLever();
    case LeverKind::kVolcano:
      return VolcanoLever();
    case LeverKind::kEvict:
      return EvictionLever();
  }
  return EvictionLever();
}

std::string Lever::TakenOver(const MoveFacts& facts) const {
  return facts.owner.suspended ? "it was suspended after it had been started" : "";
}

ApiCall WriteRecordCall(const MoveHistory& moves, const OwnerState& owner) {
  ApiCall call;
  call.kind = CallKind::kWriteRecord;
  call.resource_version = owner.resource_version;
  call.record = WriteMoves(moves);
  return call;
}

MoveHistory Following(const MoveHistory& moves, WallTime now) {
  MoveHistory next = moves;
  next.current.step = MoveStep::kFollow;
  next.current.since = now;
  next.current.stuck.clear();
  return next;
}

void NameMembers(const MoveFacts& facts, MoveRecord& record) {
  record.members.clear();
  if (facts.pods.size() > kMostMembers) return;
  for (const PodState& pod : facts.pods) record.members.push_back(PodPrint(pod.uid));
}

LeverStep WaitForPods(const MoveFacts& facts) {
  LeverStep step;
  step.text = Counted(facts.pods.size(), "pod", "pods") + " to end, " + facts.pods.front().name +
              " the first of them";
  return step;
}

}  // namespace fairlead::extender
