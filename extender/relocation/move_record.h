// What the owner of a gang remembers of its moves: the one under way, or the last, and those
// before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "extender/migration/past_move.h"
#include "extender/relocation/lever_kind.h"

namespace fairlead::extender {

enum class MoveStep {
  kIntended,    // recorded; nothing was asked of anybody
  kCheckpoint,  // its members are asked to write one
  kStop,        // the lever may have begun; from here on it is finished, whoever leads
  kFollow,      // started again; until all members run
  kClosed,      // over, see the outcome
};

enum class MoveOutcome {
  kNone,        // under way
  kDone,        // all members run elsewhere
  kSamePlace,   // all members run, where they ran before
  kCancelled,   // not wanted any more, before it disturbed anything
  kRefused,     // what had to hold before did not, for too long; nothing was disturbed
  kUnanswered,  // nobody acted on the command; the gang runs on
  kFinished,    // the job has finished
  kTakenOver,   // a person or another controller did otherwise
};

// Stable words: "stop", "same_place".
std::string_view MoveStepName(MoveStep step);
std::string_view MoveOutcomeName(MoveOutcome outcome);

struct MoveRecord {
  std::uint32_t number = 0;  // counts the owner's moves; one trigger is one number
  MoveStep step = MoveStep::kIntended;
  MoveOutcome outcome = MoveOutcome::kNone;
  LeverKind lever = LeverKind::kSuspend;
  WallTime began{};  // whole seconds
  WallTime since{};  // when this step began; whole seconds
  SiteCounts from{};
  SiteCounts to{};
  std::vector<SitePair> left{};
  bool checkpoint = false;             // one is asked for
  std::string by{};                    // the process that took it to kStop
  std::string object{};                // uid of what the lever acts on, where that is not the owner
  std::int64_t before = 0;             // the owner's version before the command
  std::vector<std::string> members{};  // PodPrint of those to be evicted
  std::string stuck{};                 // what it waits for all too long; empty: nothing
  std::string why{};                   // the decision's sentence; after the end, the outcome's

  bool open() const { return number != 0 && step != MoveStep::kClosed; }
  bool disturbed() const;
  bool operator==(const MoveRecord&) const = default;
};

// One that is over.
struct ClosedMove {
  std::uint32_t number = 0;
  MoveOutcome outcome = MoveOutcome::kDone;
  bool disturbed = false;
  WallTime began{};
  WallTime ended{};
  SiteCounts from;
  SiteCounts to;
  std::vector<SitePair> left;
  bool operator==(const ClosedMove&) const = default;
};

struct MoveHistory {
  MoveRecord current;            // number 0: there was none
  std::vector<ClosedMove> past;  // newest first, at most kMostPast
  bool operator==(const MoveHistory&) const = default;
};

inline constexpr std::size_t kMostPast = 8;
// What one annotation may hold of it; all annotations of an object together may have 256 KiB.
inline constexpr std::size_t kMostRecordBytes = 128 * 1024;
inline constexpr std::size_t kMostMembers = 4096;

// One "key: value" a line, for people too; ReadMoves gives the same back.
std::string WriteMoves(const MoveHistory& moves);
// An empty text is no moves. kInvalidArgument names the line and what is wrong with it: such a gang
// is left alone until a person has removed the annotation.
Result<MoveHistory> ReadMoves(std::string_view text);

// The same history with `next` as the move under way; what was over goes to the past.
MoveHistory WithNext(const MoveHistory& moves, MoveRecord next);

// For the decision: all of them, by their ages at `now`.
std::vector<PastMove> PastMovesOf(const MoveHistory& moves, WallTime now);

// Twelve hexadecimal digits that stand for a pod's uid.
std::string PodPrint(std::string_view uid);

}  // namespace fairlead::extender
