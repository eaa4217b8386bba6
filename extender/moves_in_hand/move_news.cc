#include "extender/moves_in_hand/move_news.h"

#include <algorithm>
#include <utility>

#include "extender/placement/explain.h"

namespace fairlead::extender {
namespace {

using What = MoveNews::What;

std::string Whereto(const MoveRecord& record) {
  return "from " + DescribePlacement(record.from) + " to " + DescribePlacement(record.to);
}

std::string Number(const MoveRecord& record) { return "move " + std::to_string(record.number); }

// "train.move-3-same-place.1f0c...": names may have 253 bytes.
std::string NameOf(const MoveNews& news, std::string_view what) {
  constexpr std::size_t kMostOfOwner = 180;
  std::string name = news.owner.name.substr(0, kMostOfOwner) + ".move-" +
                     std::to_string(news.record.number) + "-" + std::string(what) + "." +
                     PodPrint(news.owner.uid);
  std::ranges::replace(name, '_', '-');
  return name;
}

void TellStep(const MoveNews& news, ClusterEvent& event) {
  const MoveRecord& record = news.record;
  switch (record.step) {
    case MoveStep::kIntended:
      event.reason = "MigrationStarted";
      event.note = Number(record) + ", " + Whereto(record) + " by " +
                   std::string(LeverName(record.lever)) + ": " + record.why;
      return;
    case MoveStep::kCheckpoint:
      event.reason = "MigrationCheckpointAsked";
      event.note = Number(record) + " asks its pods to write a checkpoint and to say so with " +
                   "fairlead.dev/checkpoint-done: " + std::to_string(record.number);
      return;
    case MoveStep::kStop:
      event.reason = "MigrationStopping";
      event.note = Number(record) + ", " + Whereto(record) +
                   ": the gang is stopped as a whole; from here on the move is finished";
      return;
    case MoveStep::kFollow:
      event.reason = "MigrationRestarted";
      event.note = Number(record) + ": the gang is started again, its place is " +
                   DescribePlacement(record.to);
      return;
    case MoveStep::kClosed:
      return;
  }
}

void TellEnd(const MoveNews& news, ClusterEvent& event) {
  const MoveRecord& record = news.record;
  event.note = Number(record) + ": " + record.why;
  const auto warn = [&event] { event.type = ClusterEvent::Type::kWarning; };
  switch (record.outcome) {
    case MoveOutcome::kDone:
      event.reason = "MigrationDone";
      return;
    case MoveOutcome::kSamePlace:
      warn();
      event.reason = "MigrationSamePlace";
      event.note +=
          "; its pods were placed where they were before, see its node selectors and "
          "what else ran in " +
          DescribePlacement(record.to);
      return;
    case MoveOutcome::kCancelled:
      event.reason = "MigrationCancelled";
      return;
    case MoveOutcome::kRefused:
      warn();
      event.reason = "MigrationRefused";
      event.note += "; the gang was not disturbed";
      return;
    case MoveOutcome::kUnanswered:
      warn();
      event.reason = "MigrationUnanswered";
      event.note += "; the gang runs on, see whether Volcano's controllers run";
      return;
    case MoveOutcome::kFinished:
      event.reason = "MigrationJobFinished";
      return;
    case MoveOutcome::kTakenOver:
      warn();
      event.reason = "MigrationTakenOver";
      event.note += "; what becomes of the gang is with whoever did that";
      return;
    case MoveOutcome::kNone:
      return;
  }
}

}  // namespace

std::optional<What> WhatIsNew(const MoveRecord& before, const MoveRecord& now) {
  if (now.number == 0) return std::nullopt;
  if (now.step == MoveStep::kClosed) {
    const bool known = before.number == now.number && before.step == MoveStep::kClosed;
    return known ? std::nullopt : std::optional(What::kEnded);
  }
  if (before.number != now.number || before.step != now.step) return What::kStep;
  if (before.stuck.empty() && !now.stuck.empty()) return What::kStuck;
  return std::nullopt;
}

std::string OutcomeWord(const MoveNews& news) {
  switch (news.what) {
    case What::kEnded:
      return std::string(MoveOutcomeName(news.record.outcome));
    case What::kNotBegun:
    case What::kDropped:
      return "not_begun";
    case What::kOwnerGone:
      return "owner_gone";
    case What::kTakenOver:
    case What::kEndedBefore:
    case What::kStep:
    case What::kStuck:
      break;
  }
  return {};
}

std::string_view NewsName(const MoveNews& news) {
  switch (news.what) {
    case What::kTakenOver:
      return "taken_over";
    case What::kEndedBefore:
      return "ended_before";
    case What::kStep:
      return MoveStepName(news.record.step);
    case What::kStuck:
      return "stuck";
    case What::kEnded:
      return MoveOutcomeName(news.record.outcome);
    case What::kNotBegun:
      return "not_begun";
    case What::kDropped:
      return "dropped";
    case What::kOwnerGone:
      return "owner_gone";
  }
  return {};
}

std::optional<ClusterEvent> EventOf(const MoveNews& news) {
  ClusterEvent event;
  event.regarding = Regarding(news.owner, news.gang.namespace_name);
  event.action = "Migrating";
  switch (news.what) {
    case What::kDropped:
    case What::kOwnerGone:
      return std::nullopt;
    case What::kTakenOver:
    case What::kStep:
      TellStep(news, event);
      event.name = NameOf(news, MoveStepName(news.record.step));
      break;
    case What::kStuck:
      event.name = NameOf(news, "stuck-" + std::string(MoveStepName(news.record.step)));
      event.type = ClusterEvent::Type::kWarning;
      event.reason = "MigrationStuck";
      event.note = Number(news.record) + " is in step " +
                   std::string(MoveStepName(news.record.step)) +
                   " for too long, and followed further: " + news.record.stuck;
      break;
    case What::kEnded:
    case What::kEndedBefore:
      TellEnd(news, event);
      event.name = NameOf(news, MoveOutcomeName(news.record.outcome));
      break;
    case What::kNotBegun:
      event.type = ClusterEvent::Type::kWarning;
      event.reason = "MigrationRefused";
      event.note = "the move could not even be recorded, so nothing was begun: " + news.text;
      break;
  }
  if (event.reason.empty()) return std::nullopt;
  return event;
}

}  // namespace fairlead::extender
