// How a move comes into hand: by a decision, or because its record was left open.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "extender/migration_round/gang_lever.h"
#include "extender/moves_in_hand/moves_in_hand.h"
#include "extender/moves_in_hand/seen_gang.h"

namespace fairlead::extender {
namespace {

// The end of a move is told once more by who begins to lead no later than this.
constexpr Nanoseconds kToldAgain = Seconds(600);

// One more than the newest that the decision knew of.
std::uint32_t NumberAfter(const std::vector<PastMove>& history) {
  std::uint32_t newest = 0;
  for (const PastMove& move : history) {
    std::uint32_t number = 0;
    std::from_chars(move.id.data(), move.id.data() + move.id.size(), number);
    newest = std::max(newest, number);
  }
  return newest + 1;
}

}  // namespace

MovesInHand::Move* MovesInHand::Take(const GangKey& gang, const OwnerFacts& owner, Moment now) {
  const bool there = std::ranges::any_of(moves_, [&](const auto& move) {
    return move.first == gang || move.second.owner.uid == owner.uid;
  });
  if (there) return nullptr;
  Move& move = moves_[gang];
  move.name = gang.namespace_name + "/" + owner.name;
  move.seen_owner = owner.uid;
  move.owner = owner;
  move.taken = move.due = now.steady;
  return &move;
}

Relocation MovesInHand::MakeMachine(std::optional<MoveIntent> intent) {
  return Relocation(process_ + "-" + std::to_string(++named_), std::move(intent));
}

void MovesInHand::TakeOver(const GangKey& gang, const OwnerFacts& owner, bool followed,
                           MoveRecord record, Moment now) {
  // The watch may not have shown yet that it is over.
  const bool over = std::ranges::any_of(ended_, [&](const EndedMoveReport& ended) {
    return ended.gang == gang && ended.record.number == record.number;
  });
  Move* const move = over ? nullptr : Take(gang, owner, now);
  if (move == nullptr) return;
  move->followed = followed;
  move->lever = record.lever;
  move->machine.emplace(MakeMachine(std::nullopt));
  move->number = record.number;
  move->to = record.to;
  move->record = std::move(record);
  Tell(MoveNews::What::kTakenOver, gang, *move);
}

void MovesInHand::ForgetRecords(const ClusterView& cluster) {
  if (records_.empty()) return;
  std::set<std::string_view> there;
  for (const auto& gang : cluster.gangs()) there.insert(gang->owner.object.uid);
  for (const auto& [key, move] : moves_) there.insert(move.seen_owner);
  std::erase_if(records_, [&](const auto& record) { return !there.contains(record.first); });
}

void MovesInHand::TakeLeftOpen(const MoveSurroundings& around) {
  if (std::exchange(scanned_, around.cluster) == around.cluster) return;
  TellEndsOfBefore(around);
  for (const auto& gang : around.cluster->gangs()) {
    if (moves_.contains(gang->key)) continue;
    if (auto record = OpenRecordOf(*gang)) {
      TakeOver(gang->key, gang->owner.object, true, *std::move(record), around.now);
    }
  }
}

// Who led before may have ended with the move, and nobody else would say what became of it.
void MovesInHand::TellEndsOfBefore(const MoveSurroundings& around) {
  for (const auto& gang : around.cluster->gangs()) {
    const auto& moves = gang->owner.moves.history();
    if (!gang->owner.followed || !moves || moves->current.step != MoveStep::kClosed) continue;
    const MoveRecord& record = moves->current;
    if (record.since > *led_since_ || *led_since_ - record.since > kToldAgain) continue;
    const bool own = std::ranges::any_of(ended_, [&](const EndedMoveReport& ended) {
      return ended.gang == gang->key && ended.record.number == record.number;
    });
    if (own || moves_.contains(gang->key)) continue;
    if (!told_again_.emplace(gang->key, record.number).second) continue;
    news_.push_back({.what = MoveNews::What::kEndedBefore,
                     .gang = gang->key,
                     .name = gang->key.namespace_name + "/" + gang->owner.object.name,
                     .owner = gang->owner.object,
                     .lever = record.lever,
                     .record = record,
                     .text = {}});
  }
}

// Those that the watch follows are found by it.
void MovesInHand::OnLeftOpen(Result<std::vector<LeftOpen>> open, const MoveSurroundings& around) {
  ++calls_[{"find_open", open ? CallResult::kDone : CallResult::kLost}];
  open_found_ = open.has_value();
  if (!open) {
    find_open_ = around.now.steady + RetrySpan(open_unread_++);
    return;
  }
  for (LeftOpen& left : *open) {
    const RecordedMoves record(std::move(left.moves));
    const auto& moves = record.history();
    if (!moves || !moves->current.open()) continue;
    GangKey key{"owner", left.namespace_name, left.owner.uid, {}};
    bool followed = false;
    for (const auto& gang : around.cluster->gangs()) {
      if (gang->owner.object.uid != left.owner.uid) continue;
      key = gang->key;
      followed = gang->owner.followed;
    }
    records_[left.owner.uid] = record;
    TakeOver(key, left.owner, followed, moves->current, around.now);
  }
}

void MovesInHand::TakeDecided(const MoveSurroundings& around) {
  for (const GangReport& report : around.decided->gangs) {
    const MigrationVerdict& verdict = report.verdict;
    if (verdict.reason != MigrationReason::kMove || !verdict.to) continue;
    if (declined_.contains(verdict.gang)) continue;
    const auto gang = SeenGang(*around.cluster, verdict.gang);
    if (!gang) continue;
    Move* const move = Take(gang->key, gang->owner.object, around.now);
    if (move == nullptr) continue;
    move->followed = gang->owner.followed;
    move->number = NumberAfter(report.gang.history);
    move->to = verdict.to->members;
    move->claim = ClaimOf(*gang, GangsOf(*around.cluster, gang->owner.object.uid));
    move->intent = {.number = move->number,
                    .lever = LeverKind::kSuspend,
                    .from = report.gang.members,
                    .to = move->to,
                    .left = verdict.leaves,
                    .checkpoint = gang->wishes && gang->wishes->writes_on_request,
                    .why = verdict.sentence};
  }
}

void MovesInHand::OnOwner(const GangKey& gang, Result<FoundOwner> found, Moment now) {
  const auto at = moves_.find(gang);
  if (at == moves_.end() || !at->second.intent) return;
  Move& move = at->second;
  ++calls_[{"find_owner", found ? CallResult::kDone : CallResult::kLost}];
  if (!found && found.error().code == ErrorCode::kNotFound) {
    return End(at, MoveNews::What::kDropped, found.error().message, now);
  }
  if (!found) return Unread(move, "its owner cannot be read: " + found.error().message, now);
  const bool taken = std::ranges::any_of(moves_, [&](const auto& other) {
    return other.first != gang && other.second.owner.uid == found->owner.uid;
  });
  if (taken) {
    return End(at, MoveNews::What::kDropped, "a move of its owner is under way already", now);
  }
  move.unread = 0;
  move.waits.clear();
  move.due = now.steady;
  move.followed = move.followed && found->owner.uid == move.owner.uid;
  move.owner = std::move(found->owner);
  move.claim.api_group = ApiGroupOf(move.owner.api_version);
  move.claim.kind = move.owner.kind;
  move.claim.name = move.owner.name;
  move.claim.uid = move.owner.uid;
  move.claim.has_workload = found->has_workload;
  move.claim.wants_eviction = found->wants_eviction;
  NoteRecord(move, found->moves);
  const auto lever = ChooseLever(move.claim);
  if (!lever) return Decline(at, lever.error().message, now);
  move.lever = move.intent->lever = *lever;
  move.machine.emplace(MakeMachine(std::exchange(move.intent, std::nullopt)));
}

// The watch tells of those that it follows.
void MovesInHand::NoteRecord(const Move& move, const std::string& text) {
  if (move.followed || text.empty()) return;
  RecordedMoves& known = records_[move.seen_owner];
  if (known.text() != text) known = RecordedMoves(text);
}

}  // namespace fairlead::extender
