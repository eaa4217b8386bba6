#include "extender/moves_in_hand/moves_in_hand.h"

#include <algorithm>
#include <utility>

#include "common/units/human.h"
#include "extender/moves_in_hand/seen_gang.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kFactsLast = Seconds(10);    // what was read is used no later
constexpr Nanoseconds kBetweenReads = Seconds(1);  // for the watch's sake

bool OfPod(CallKind kind) {
  switch (kind) {
    case CallKind::kAskCheckpoint:
    case CallKind::kEvictPod:
    case CallKind::kDeletePod:
      return true;
    case CallKind::kWriteRecord:
    case CallKind::kSetSuspend:
    case CallKind::kSetActive:
    case CallKind::kCreateCommand:
      return false;
  }
  return false;
}

}  // namespace

void MovesInHand::Hear(const MoveSurroundings& around) {
  std::erase_if(declined_,
                [&](const auto& gang) { return gang.second.until <= around.now.steady; });
  decline_for_ = around.config.relocation.begin_timeout;
  if (!open_found_ && !find_open_) find_open_ = around.now.steady;
  if (!led_since_) led_since_ = around.now.wall;
  ForgetRecords(*around.cluster);
  TakeLeftOpen(around);
  if (std::exchange(round_seen_, around.decided->rounds) != around.decided->rounds) {
    TakeDecided(around);
  }
}

Nanoseconds MovesInHand::RetrySpan(std::uint32_t failures) {
  const Nanoseconds span = Seconds(1) * (1 << std::min(failures, 6U));
  return std::min<Nanoseconds>(span, Seconds(60));
}

void MovesInHand::Unread(Move& move, std::string why, Moment now) {
  move.due = now.steady + RetrySpan(move.unread++);
  move.waits = std::move(why);
  move.facts.reset();
}

// What the watch tells is news to be read.
void MovesInHand::LookAgain(const MoveSurroundings& around) {
  const MonotonicTime now = around.now.steady;
  for (auto& [key, move] : moves_) {
    if (!move.machine || move.unread > 0 || move.due <= now) continue;
    if (now - move.read < kBetweenReads) continue;
    if (SeenGang(*around.cluster, key) == move.seen) continue;
    move.facts.reset();
    move.due = now;
  }
}

std::optional<MoveTask> MovesInHand::Next(const MoveSurroundings& around) {
  if (!open_found_ && find_open_ && *find_open_ <= around.now.steady) {
    return MoveTask{.kind = MoveTask::Kind::kFindOpen};
  }
  LookAgain(around);
  while (!moves_.empty()) {
    const auto next =
        std::ranges::min_element(moves_, {}, [](const auto& move) { return move.second.due; });
    if (next->second.due > around.now.steady) break;
    if (auto task = Ask(next, around)) return task;
  }
  return std::nullopt;
}

std::optional<MoveTask> MovesInHand::Ask(Moves::iterator at, const MoveSurroundings& around) {
  auto& [key, move] = *at;
  const Moment now = around.now;
  if (move.record.number != move.number &&
      now.steady - move.taken >= around.config.relocation.begin_timeout) {
    Decline(at, move.waits.empty() ? "there was no time for it" : move.waits, now);
    return std::nullopt;
  }
  MoveTask task{.gang = key, .owner = move.owner, .lever = move.lever};
  if (!move.machine) {
    task.kind = MoveTask::Kind::kFindOwner;
    return task;
  }
  if (!move.facts || now.steady - move.read > kFactsLast) {
    move.seen = SeenGang(*around.cluster, key);
    return task;
  }
  MoveFacts& facts = *move.facts;
  if (!move.record.disturbed()) {
    Standing standing = StandingOf(key, move, around);
    facts.unwanted = std::move(standing.unwanted);
    facts.holds = std::move(standing.holds);
  }
  RelocationAction action = move.machine->Next(facts, around.config.relocation, now);
  switch (action.kind) {
    case RelocationAction::Kind::kCall:
      task.kind = MoveTask::Kind::kCall;
      task.call = std::move(action.call);
      task.tell = EndBy(key, move, task.call);
      return task;
    case RelocationAction::Kind::kWait:
      move.waits = std::move(action.text);
      move.due = std::max(action.until, now.steady + Milliseconds(1));
      move.facts.reset();
      return std::nullopt;
    case RelocationAction::Kind::kClosed:
      break;
  }
  if (!facts.owner.exists) {
    const bool recorded = move.record.number == move.number;
    End(at, recorded ? MoveNews::What::kOwnerGone : MoveNews::What::kDropped,
        std::move(action.text), now);
  } else if (!ReadMoves(facts.owner.record)) {
    Decline(at, std::move(action.text), now);
  } else if (move.record.number == move.number) {
    End(at, MoveNews::What::kEnded, std::move(action.text), now);
  } else {
    End(at, MoveNews::What::kDropped, std::move(action.text), now);
  }
  return std::nullopt;
}

Standing MovesInHand::StandingOf(const GangKey& gang, const Move& move,
                                 const MoveSurroundings& around) const {
  const Nanoseconds longest = around.config.evidence_stale + around.config.interval;
  Standing standing = StandingByVerdict(*around.decided, gang, longest, around.now.steady);
  if (move.record.number != move.number) return standing;
  std::vector<OpenMove> all;
  for (const auto& [key, other] : moves_) {
    if (other.record.open()) all.push_back({key, other.record});
  }
  for (const auto& other : around.cluster->gangs()) {
    if (other->key == gang) {
      const bool shown = !move.followed || other->owner.moves.text() == move.facts->owner.record;
      if (!shown && standing.holds.empty()) standing.holds = "the watch to show its record";
    }
    if (moves_.contains(other->key)) continue;
    if (auto record = OpenRecordOf(*other)) all.push_back({other->key, *std::move(record)});
  }
  return WithRivals(std::move(standing), {gang, move.record}, all, around.config.limits);
}

void MovesInHand::OnFacts(const GangKey& gang, Result<MoveFacts> facts, Moment now) {
  const auto at = moves_.find(gang);
  if (at == moves_.end()) return;
  Move& move = at->second;
  ++calls_[{"read", facts ? CallResult::kDone : CallResult::kLost}];
  move.read = now.steady;
  if (!facts) {
    return Unread(move, "its state cannot be read: " + facts.error().message, now);
  }
  move.unread = 0;
  move.waits.clear();
  move.facts = *std::move(facts);
  NoteRecord(move, move.facts->owner.record);
  auto moves = ReadMoves(move.facts->owner.record);
  if (!moves || moves->current.number != move.number) return;
  // Somebody else has carried it through before this was even recorded.
  if (move.record.number == 0 && !moves->current.open()) return;
  const MoveRecord before = std::exchange(move.record, std::move(moves->current));
  const auto what = WhatIsNew(before, move.record);
  // Of the end is told where it ends.
  if (what && *what != MoveNews::What::kEnded) Tell(*what, gang, move);
}

void MovesInHand::OnOutcome(const GangKey& gang, const CallOutcome& outcome, Moment now) {
  const auto at = moves_.find(gang);
  if (at == moves_.end()) return;
  Move& move = at->second;
  const ApiCall call = move.machine->memory().last;
  ++calls_[{std::string(CallKindName(call.kind)), outcome.result}];
  move.machine->OnOutcome(outcome, now);
  move.due = now.steady;
  if (outcome.result == CallResult::kDone && OfPod(call.kind)) return Amend(move, call);
  move.facts.reset();
  if (outcome.result == CallResult::kDone) return;
  move.waits = move.machine->memory().trouble;
  move.due = move.machine->memory().retry_at.value_or(now.steady);
  const bool never =
      outcome.result == CallResult::kForbidden || outcome.result == CallResult::kInvalid;
  if (never && move.record.number != move.number) Decline(at, move.waits, now);
}

// A pod that was told needs not be read again before the next one is.
void MovesInHand::Amend(Move& move, const ApiCall& call) {
  for (PodState& pod : move.facts->pods) {
    if (pod.uid != call.uid) continue;
    if (call.kind == CallKind::kAskCheckpoint) {
      pod.asked_checkpoint = call.text;
    } else {
      pod.terminating = true;
    }
  }
}

void MovesInHand::OnTold(const CallOutcome& outcome) { ++calls_[{"tell", outcome.result}]; }

// The end that this call records, where the gang was disturbed: before that the next look may find
// it wanted again.
std::optional<MoveNews> MovesInHand::EndBy(const GangKey& gang, const Move& move,
                                           const ApiCall& call) {
  if (call.kind != CallKind::kWriteRecord) return std::nullopt;
  auto moves = ReadMoves(call.record);
  const bool ends = moves && moves->current.step == MoveStep::kClosed && moves->current.disturbed();
  if (!ends) return std::nullopt;
  MoveNews news = NewsOf(MoveNews::What::kEnded, gang, move);
  news.record = std::move(moves->current);
  return news;
}

MoveNews MovesInHand::NewsOf(MoveNews::What what, const GangKey& gang, const Move& move) {
  return {.what = what,
          .gang = gang,
          .name = move.name,
          .owner = move.owner,
          .lever = move.lever,
          .record = move.record,
          .text = {}};
}

void MovesInHand::Tell(MoveNews::What what, const GangKey& gang, const Move& move,
                       std::string text) {
  news_.push_back(NewsOf(what, gang, move));
  news_.back().text = std::move(text);
}

void MovesInHand::End(Moves::iterator at, MoveNews::What what, std::string text, Moment now) {
  const auto& [key, move] = *at;
  Tell(what, key, move, text);
  ++outcomes_[{move.lever, OutcomeWord(news_.back())}];
  ended_.push_front({.gang = key,
                     .name = move.name,
                     .lever = move.lever,
                     .record = move.record,
                     .text = std::move(text),
                     .at = now.steady});
  if (ended_.size() > MovesReport::kMostEnded) ended_.pop_back();
  moves_.erase(at);
}

void MovesInHand::Decline(Moves::iterator at, std::string why, Moment now) {
  declined_[at->first] = {.until = now.steady + decline_for_, .why = why};
  End(at, MoveNews::What::kNotBegun, std::move(why), now);
}

std::optional<MonotonicTime> MovesInHand::NextDue() const {
  std::optional<MonotonicTime> next;
  if (!open_found_) next = find_open_;
  for (const auto& [key, move] : moves_) next = std::min(next.value_or(move.due), move.due);
  return next;
}

void MovesInHand::Clear() {
  moves_.clear();
  records_.clear();
  scanned_.reset();
  led_since_.reset();
  told_again_.clear();
  open_found_ = false;
  open_unread_ = 0;
  find_open_.reset();
}

std::vector<MoveNews> MovesInHand::TakeNews() { return std::exchange(news_, {}); }

MovesReport MovesInHand::Report() const {
  MovesReport report;
  report.round_seen = round_seen_;
  for (const auto& [key, move] : moves_) {
    report.open.push_back({.gang = key,
                           .name = move.name,
                           .owner = move.owner,
                           .lever = move.lever,
                           .number = move.number,
                           .to = move.to,
                           .record = move.record,
                           .waits = move.waits,
                           .taken = move.taken});
  }
  report.ended.assign(ended_.begin(), ended_.end());
  report.declined = declined_;
  report.records = records_;
  report.outcomes = outcomes_;
  report.calls = calls_;
  return report;
}

}  // namespace fairlead::extender
