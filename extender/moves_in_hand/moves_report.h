// Which moves of gangs are under way or lately over, for pages, metrics and the next decision.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"
#include "extender/gang/pod_facts.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/move_record.h"
#include "extender/relocation/recorded_moves.h"

namespace fairlead::extender {

// One that this replica carries out.
struct OpenMoveReport {
  GangKey gang{};
  std::string name{};  // for people: "ml/train"
  OwnerFacts owner{};
  LeverKind lever = LeverKind::kSuspend;
  std::uint32_t number = 0;  // among the moves of its owner
  SiteCounts to{};           // where it goes
  MoveRecord record{};       // as it was read last; number 0: it is not recorded yet
  std::string waits{};       // what for, or the trouble with the last call; empty: nothing
  MonotonicTime taken{};     // in hand since
};

// One that was in hand and is over.
struct EndedMoveReport {
  GangKey gang{};
  std::string name{};
  LeverKind lever = LeverKind::kSuspend;
  MoveRecord record{};  // number 0: it came to no record
  std::string text{};   // how it ended
  MonotonicTime at{};
};

// Why a gang is not taken in hand for now.
struct Declined {
  MonotonicTime until;
  std::string why;
};

// An immutable value.
struct MovesReport {
  bool acts = false;             // this replica leads, and carries out moves
  std::uint64_t round_seen = 0;  // of MigrationReport::rounds, the newest that was gone through
  std::vector<OpenMoveReport> open{};    // by gang
  std::vector<EndedMoveReport> ended{};  // newest first, at most kMostEnded
  std::map<GangKey, Declined> declined{};
  // Of owners that the watch does not follow, as far as they were asked for: the record of their
  // moves, by the uid of what the watch takes for the gang's owner.
  std::map<std::string, RecordedMoves> records{};

  // Since this process began. Outcomes are MoveOutcomeName's, and "not_begun" for what came to no
  // record; kinds are CallKindName's, and "read".
  std::map<std::pair<LeverKind, std::string>, std::uint64_t> outcomes{};
  std::map<std::pair<std::string, CallResult>, std::uint64_t> calls{};

  static constexpr std::size_t kMostEnded = 64;
};

// Null where this gang is not in hand.
const OpenMoveReport* FindOpen(const MovesReport& report, const GangKey& gang);

// Moves that are stuck, for readiness; empty: none is.
std::string StuckText(const MovesReport& report);

}  // namespace fairlead::extender
