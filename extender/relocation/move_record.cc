#include "extender/relocation/move_record.h"

#include <algorithm>
#include <utility>

namespace fairlead::extender {
namespace {

constexpr std::uint64_t kFnvOffset = 14695981039346656037U;
constexpr std::uint64_t kFnvPrime = 1099511628211U;

}  // namespace

std::string_view MoveStepName(MoveStep step) {
  switch (step) {
    case MoveStep::kIntended:
      return "intended";
    case MoveStep::kCheckpoint:
      return "checkpoint";
    case MoveStep::kStop:
      return "stop";
    case MoveStep::kFollow:
      return "follow";
    case MoveStep::kClosed:
      return "closed";
  }
  return "";
}

std::string_view MoveOutcomeName(MoveOutcome outcome) {
  switch (outcome) {
    case MoveOutcome::kNone:
      return "none";
    case MoveOutcome::kDone:
      return "done";
    case MoveOutcome::kSamePlace:
      return "same_place";
    case MoveOutcome::kCancelled:
      return "cancelled";
    case MoveOutcome::kRefused:
      return "refused";
    case MoveOutcome::kUnanswered:
      return "unanswered";
    case MoveOutcome::kFinished:
      return "finished";
    case MoveOutcome::kTakenOver:
      return "taken_over";
  }
  return "";
}

bool MoveRecord::disturbed() const {
  switch (step) {
    case MoveStep::kIntended:
    case MoveStep::kCheckpoint:
      return false;
    case MoveStep::kStop:
    case MoveStep::kFollow:
      return true;
    case MoveStep::kClosed:
      break;
  }
  // Only a step kStop leaves the name of its process.
  return !by.empty();
}

MoveHistory WithNext(const MoveHistory& moves, MoveRecord next) {
  MoveHistory result{std::move(next), moves.past};
  const MoveRecord& last = moves.current;
  if (last.number == 0 || last.number == result.current.number) return result;
  result.past.insert(result.past.begin(), ClosedMove{.number = last.number,
                                                     .outcome = last.outcome,
                                                     .disturbed = last.disturbed(),
                                                     .began = last.began,
                                                     .ended = last.since,
                                                     .from = last.from,
                                                     .to = last.to,
                                                     .left = last.left});
  if (result.past.size() > kMostPast) result.past.resize(kMostPast);
  return result;
}

std::vector<PastMove> PastMovesOf(const MoveHistory& moves, WallTime now) {
  std::vector<PastMove> all;
  const MoveRecord& current = moves.current;
  if (current.number != 0) {
    all.push_back({.id = std::to_string(current.number),
                   .begun_ago = now - current.began,
                   .ended_ago = current.open() ? std::nullopt
                                               : std::optional<Nanoseconds>(now - current.since),
                   .disturbed = current.disturbed(),
                   .from = current.from,
                   .to = current.to,
                   .left = current.left});
  }
  for (const ClosedMove& move : moves.past) {
    all.push_back({.id = std::to_string(move.number),
                   .begun_ago = now - move.began,
                   .ended_ago = now - move.ended,
                   .disturbed = move.disturbed,
                   .from = move.from,
                   .to = move.to,
                   .left = move.left});
  }
  return all;
}

std::string PodPrint(std::string_view uid) {
  std::uint64_t hash = kFnvOffset;
  for (const char c : uid) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string print(12, '0');
  for (char& digit : print) {
    digit = kDigits[hash & 15U];
    hash >>= 4U;
  }
  return print;
}

}  // namespace fairlead::extender
