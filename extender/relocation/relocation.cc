#include "extender/relocation/relocation.h"

#include <algorithm>
#include <utility>

#include "common/units/human.h"
#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kLook = Seconds(5);        // between two looks at facts that do not change
constexpr Nanoseconds kFirstRetry = Seconds(1);  // doubles up to the longest
constexpr Nanoseconds kLongestRetry = Seconds(60);

bool OnOwner(CallKind kind) {
  return kind == CallKind::kWriteRecord || kind == CallKind::kSetSuspend;
}

std::size_t ReadyPods(const MoveFacts& facts) {
  return static_cast<std::size_t>(std::ranges::count_if(
      facts.pods, [](const PodState& pod) { return pod.ready && !pod.terminating; }));
}

bool AllRun(const MoveFacts& facts) {
  return facts.size > 0 && ReadyPods(facts) == facts.size && facts.pods.size() == facts.size;
}

// What must hold before any lever is touched; empty: it does.
std::string NotWhole(const MoveFacts& facts) {
  if (facts.owner.deleting) return "its owner is being deleted";
  if (facts.owner.suspended) return "it is suspended";
  if (!facts.forbidden.empty()) return facts.forbidden;
  if (!facts.holds.empty()) return facts.holds;
  if (AllRun(facts)) return "";
  return std::to_string(ReadyPods(facts)) + " of " + Counted(facts.size, "member", "members") +
         " are ready";
}

SiteCounts PlaceOf(const MoveFacts& facts) {
  SiteCounts place;
  for (const PodState& pod : facts.pods) {
    if (!pod.terminating && !pod.site.empty()) ++place[pod.site];
  }
  return place;
}

// Whether a pod of before the move is still there.
bool OldOnesRun(const MoveRecord& record, const MoveFacts& facts) {
  return std::ranges::any_of(facts.pods, [&](const PodState& pod) {
    return std::ranges::find(record.members, PodPrint(pod.uid)) != record.members.end();
  });
}

std::string FollowText(const MoveFacts& facts) {
  std::string text =
      std::to_string(ReadyPods(facts)) + " of " + Counted(facts.size, "member", "members") + " run";
  for (const PodState& pod : facts.pods) {
    if (pod.ready && !pod.terminating) continue;
    text += "; " + pod.name + " is " +
            (pod.terminating    ? "ending"
             : pod.site.empty() ? "without a node"
                                : "starting in " + pod.site);
    break;
  }
  return text;
}

}  // namespace

struct Relocation::Turn {
  const MoveFacts& facts;
  const RelocationConfig& config;
  Moment now;
  MoveHistory moves;

  Nanoseconds elapsed() const {
    return std::max(Nanoseconds(now.wall - moves.current.since), Nanoseconds(0));
  }
};

RelocationAction Relocation::Call(ApiCall call) {
  memory_.last = call;
  return {.kind = RelocationAction::Kind::kCall, .call = std::move(call)};
}

RelocationAction Relocation::Wait(const Turn& turn, std::string what) {
  return {.kind = RelocationAction::Kind::kWait,
          .until = turn.now.steady + kLook,
          .text = std::move(what)};
}

RelocationAction Relocation::Closed(std::string what) {
  memory_.intent.reset();
  return {.kind = RelocationAction::Kind::kClosed, .text = std::move(what)};
}

RelocationAction Relocation::Write(const Turn& turn, MoveRecord record) {
  return Call(WriteRecordCall(WithNext(turn.moves, std::move(record)), turn.facts.owner));
}

RelocationAction Relocation::Close(const Turn& turn, MoveOutcome outcome, std::string why) {
  MoveRecord record = turn.moves.current;
  record.step = MoveStep::kClosed;
  record.outcome = outcome;
  record.since = turn.now.wall;
  record.stuck.clear();
  record.members.clear();
  record.why = std::move(why);
  return Write(turn, std::move(record));
}

RelocationAction Relocation::Next(const MoveFacts& facts, const RelocationConfig& config,
                                  Moment now) {
  if (!facts.owner.exists) return Closed("its owner is gone");
  if (memory_.retry_at && now.steady < *memory_.retry_at) {
    return {
        .kind = RelocationAction::Kind::kWait, .until = *memory_.retry_at, .text = memory_.trouble};
  }
  auto moves = ReadMoves(facts.owner.record);
  if (!moves) return Closed("its record cannot be read: " + moves.error().message);
  const Turn turn{facts, config, now, *std::move(moves)};
  if (!memory_.used_version.empty() && facts.owner.resource_version == memory_.used_version) {
    return Wait(turn, "news of its owner");
  }
  const MoveRecord& record = turn.moves.current;
  if (!record.open()) {
    return memory_.intent
               ? OfIntent(turn)
               : Closed(record.number == 0 ? "no move is recorded"
                                           : std::string(MoveOutcomeName(record.outcome)));
  }
  if (memory_.lever_of != record.number) {
    memory_.lever_of = record.number;
    memory_.lever = {};
  }
  if (facts.owner.finished) return Close(turn, MoveOutcome::kFinished, "its job has finished");
  switch (record.step) {
    case MoveStep::kIntended:
      return OfIntended(turn);
    case MoveStep::kCheckpoint:
      return OfCheckpoint(turn);
    case MoveStep::kStop:
      return OfStop(turn);
    case MoveStep::kFollow:
      return OfFollow(turn);
    case MoveStep::kClosed:
      break;
  }
  return Closed("");
}

RelocationAction Relocation::OfIntent(const Turn& turn) {
  if (memory_.intent->number != turn.moves.current.number + 1) {
    return Closed("move " + std::to_string(memory_.intent->number) +
                  " was carried through already");
  }
  if (turn.facts.owner.finished) return Closed("its job has finished");
  if (!turn.facts.unwanted.empty()) return Closed(turn.facts.unwanted);
  MoveRecord record;
  record.number = memory_.intent->number;
  record.lever = memory_.intent->lever;
  record.began = turn.now.wall;
  record.since = turn.now.wall;
  record.from = memory_.intent->from;
  record.to = memory_.intent->to;
  record.left = memory_.intent->left;
  record.checkpoint = memory_.intent->checkpoint;
  record.why = memory_.intent->why;
  return Write(turn, std::move(record));
}

RelocationAction Relocation::OfIntended(const Turn& turn) {
  if (!turn.facts.unwanted.empty()) {
    return Close(turn, MoveOutcome::kCancelled, turn.facts.unwanted);
  }
  MoveRecord record = turn.moves.current;
  if (!record.checkpoint || turn.config.checkpoint_timeout == Nanoseconds(0)) return Begin(turn);
  if (!NotWhole(turn.facts).empty()) return Begin(turn);
  record.step = MoveStep::kCheckpoint;
  record.since = turn.now.wall;
  return Write(turn, std::move(record));
}

// Asks all members; one that says so speaks for all of them, as a checkpoint is the gang's.
RelocationAction Relocation::OfCheckpoint(const Turn& turn) {
  if (!turn.facts.unwanted.empty()) {
    return Close(turn, MoveOutcome::kCancelled, turn.facts.unwanted);
  }
  const std::string number = std::to_string(turn.moves.current.number);
  const bool done = std::ranges::any_of(
      turn.facts.pods, [&](const PodState& pod) { return pod.done_checkpoint == number; });
  if (done || turn.elapsed() >= turn.config.checkpoint_timeout) return Begin(turn);
  for (const PodState& pod : turn.facts.pods) {
    if (pod.asked_checkpoint == number || pod.terminating) continue;
    ApiCall call;
    call.kind = CallKind::kAskCheckpoint;
    call.name = pod.name;
    call.uid = pod.uid;
    call.text = number;
    return Call(std::move(call));
  }
  return Wait(turn, "a checkpoint, for another " +
                        HumanAge(turn.config.checkpoint_timeout - turn.elapsed()));
}

RelocationAction Relocation::Begin(const Turn& turn) {
  const MoveRecord& current = turn.moves.current;
  const Lever& lever = LeverOf(current.lever);
  std::string why = NotWhole(turn.facts);
  if (why.empty()) why = lever.Refusal(turn.facts);
  Nanoseconds patience = turn.config.begin_timeout;
  if (current.step == MoveStep::kCheckpoint) patience += turn.config.checkpoint_timeout;
  if (turn.elapsed() >= patience) {
    if (why.empty()) why = memory_.trouble;
    if (why.empty()) why = "nobody could begin it for " + HumanAge(turn.elapsed());
    return Close(turn, MoveOutcome::kRefused, std::move(why));
  }
  if (!why.empty()) return Wait(turn, std::move(why));
  MoveHistory moves = turn.moves;
  moves.current.step = MoveStep::kStop;
  moves.current.since = turn.now.wall;
  moves.current.by = process_;
  return Call(lever.Begin(std::move(moves), turn.facts));
}

RelocationAction Relocation::OfStop(const Turn& turn) {
  const MoveRecord& record = turn.moves.current;
  LeverStep step = LeverOf(record.lever)
                       .Next({turn.moves, turn.facts, turn.config, process_, memory_.lever,
                              turn.elapsed(), turn.now.wall});
  switch (step.kind) {
    case LeverStep::Kind::kCall:
      return Call(std::move(step.call));
    case LeverStep::Kind::kStarted:
      return Call(WriteRecordCall(Following(turn.moves, turn.now.wall), turn.facts.owner));
    case LeverStep::Kind::kClose:
      return Close(turn, step.outcome, std::move(step.text));
    case LeverStep::Kind::kWait:
      break;
  }
  if (record.stuck.empty() && turn.elapsed() >= turn.config.follow_timeout) {
    MoveRecord stuck = record;
    stuck.stuck = step.text;
    return Write(turn, std::move(stuck));
  }
  return Wait(turn, std::move(step.text));
}

RelocationAction Relocation::OfFollow(const Turn& turn) {
  const MoveRecord& record = turn.moves.current;
  std::string taken = LeverOf(record.lever).TakenOver(turn.facts);
  if (!taken.empty()) return Close(turn, MoveOutcome::kTakenOver, std::move(taken));
  if (AllRun(turn.facts) && !OldOnesRun(record, turn.facts)) {
    const SiteCounts place = PlaceOf(turn.facts);
    const bool same = place == record.from;
    return Close(turn, same ? MoveOutcome::kSamePlace : MoveOutcome::kDone,
                 "all members run" + (place.empty() ? "" : ": " + DescribePlacement(place)));
  }
  std::string text = FollowText(turn.facts);
  if (record.stuck.empty() && turn.elapsed() >= turn.config.follow_timeout) {
    MoveRecord stuck = record;
    stuck.stuck = text;
    return Write(turn, std::move(stuck));
  }
  return Wait(turn, std::move(text));
}

void Relocation::OnOutcome(const CallOutcome& outcome, Moment now) {
  const bool lost =
      outcome.result == CallResult::kLost || outcome.result == CallResult::kServerError;
  const bool there = outcome.result == CallResult::kDone || outcome.result == CallResult::kConflict;
  if (memory_.last.kind == CallKind::kCreateCommand && (lost || there)) memory_.lever.sent = true;
  const bool pod = memory_.last.kind == CallKind::kEvictPod ||
                   memory_.last.kind == CallKind::kDeletePod ||
                   memory_.last.kind == CallKind::kAskCheckpoint;
  if (outcome.result == CallResult::kDone) {
    if (OnOwner(memory_.last.kind)) memory_.used_version = memory_.last.resource_version;
    memory_.failures = 0;
    memory_.retry_at.reset();
    memory_.trouble.clear();
    return;
  }
  ++memory_.lever.turn;
  memory_.trouble = std::string(CallKindName(memory_.last.kind)) +
                    (memory_.last.name.empty() ? "" : " " + memory_.last.name) + ": " +
                    outcome.message;
  // A pod that is gone or another one needs no second try; the facts will say so.
  if (pod && outcome.result == CallResult::kNotFound) memory_.trouble.clear();
  const Nanoseconds span =
      std::min(kFirstRetry * (1 << std::min(memory_.failures, 6U)), kLongestRetry);
  ++memory_.failures;
  memory_.retry_at = now.steady + std::max(span, outcome.retry_after.value_or(Nanoseconds(0)));
}

}  // namespace fairlead::extender
