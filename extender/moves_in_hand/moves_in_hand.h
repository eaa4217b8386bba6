// All moves that this replica carries out, and what is to be done next for which of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/config/migration_config.h"
#include "extender/cluster/cluster_view.h"
#include "extender/migration_round/migration_report.h"
#include "extender/moves_in_hand/found_owner.h"
#include "extender/moves_in_hand/move_news.h"
#include "extender/moves_in_hand/moves_report.h"
#include "extender/moves_in_hand/standing.h"
#include "extender/relocation/lever_choice.h"
#include "extender/relocation/relocation.h"

namespace fairlead::extender {

// What is known when it is asked what to do. Neither pointer is null.
struct MoveSurroundings {
  std::shared_ptr<const MigrationReport> decided;
  std::shared_ptr<const ClusterView> cluster;
  const MigrationConfig& config;
  Moment now;
};

// One request to the API server, or a few that belong together.
struct MoveTask {
  enum class Kind {
    kFindOpen,   // all owners with a move that is open; tell OnLeftOpen
    kFindOwner,  // the top of the chain above the gang's pods; tell OnOwner
    kRead,       // what is there now; tell OnFacts
    kCall,       // tell OnOutcome
  };
  Kind kind = Kind::kRead;
  GangKey gang{};
  OwnerFacts owner{};
  LeverKind lever = LeverKind::kSuspend;  // kRead, kCall
  ApiCall call{};
  // kCall: to be told, and to be there, before the call is made, because after it nobody might be
  // left who knows; then tell OnTold. Absent: nothing.
  std::optional<MoveNews> tell{};
};

// Not thread-safe. For the time in which this replica leads: Clear when it does not any more. Of
// the moves that have something to do, the one that waits longest comes first, and after each
// request the others are asked, so that one which is answered slowly costs the others that one
// request's time limit at a time.
//
// A move is taken in hand by a decision, or by a record that was left open: on an owner that the
// watch follows, or on one that was found when this replica began to lead. It begins to disturb
// only while the decision stands, by facts of the API server that were read for this step, and
// where the watch shows its own record: who looks at the others then sees every record that was
// written before.
class MovesInHand {
 public:
  // `process` names this process among all that ever were; one word.
  explicit MovesInHand(std::string process) : process_(std::move(process)) {}

  // Takes in hand what the round decided and this has not seen yet, and what is left open.
  void Hear(const MoveSurroundings& around);

  // The next request, if one is due. Tell of its answer before the next one is asked for.
  std::optional<MoveTask> Next(const MoveSurroundings& around);
  void OnLeftOpen(Result<std::vector<LeftOpen>> open, const MoveSurroundings& around);
  void OnOwner(const GangKey& gang, Result<FoundOwner> found, Moment now);
  void OnFacts(const GangKey& gang, Result<MoveFacts> facts, Moment now);
  void OnTold(const CallOutcome& outcome);
  void OnOutcome(const GangKey& gang, const CallOutcome& outcome, Moment now);

  // When Next may have something to do even if nothing is heard until then.
  std::optional<MonotonicTime> NextDue() const;
  bool empty() const { return moves_.empty(); }
  // Another replica leads; what is recorded is with that one.
  void Clear();

  std::vector<MoveNews> TakeNews();
  MovesReport Report() const;

 private:
  struct Move {
    std::string name;
    std::string seen_owner;  // uid of what the watch takes for the owner
    bool followed = false;   // by the watch
    OwnerFacts owner;
    LeverKind lever = LeverKind::kSuspend;
    std::optional<MoveIntent> intent;   // until the owner is found
    ControllingOwner claim;             // with it
    std::optional<Relocation> machine;  // from then on
    std::uint32_t number = 0;           // of the move among the owner's
    SiteCounts to;                      // where it goes
    MoveRecord record{};  // of this move, as read last; number 0: it is not recorded yet
    std::optional<MoveFacts> facts{};  // absent: to be read
    MonotonicTime read{};
    std::shared_ptr<const GangView> seen{};  // when it was read
    std::uint32_t unread = 0;                // times in a row that it could not be
    std::string waits{};
    MonotonicTime due{};
    MonotonicTime taken{};
  };
  using Moves = std::map<GangKey, Move>;

  Move* Take(const GangKey& gang, const OwnerFacts& owner, Moment now);
  Relocation MakeMachine(std::optional<MoveIntent> intent);
  void TakeOver(const GangKey& gang, const OwnerFacts& owner, bool followed, MoveRecord record,
                Moment now);
  void TakeDecided(const MoveSurroundings& around);
  void ForgetRecords(const ClusterView& cluster);
  void TakeLeftOpen(const MoveSurroundings& around);
  void LookAgain(const MoveSurroundings& around);
  // Before another try after so many in vain.
  static Nanoseconds RetrySpan(std::uint32_t failures);
  void Unread(Move& move, std::string why, Moment now);
  void NoteRecord(const Move& move, const std::string& text);
  std::optional<MoveTask> Ask(Moves::iterator at, const MoveSurroundings& around);
  Standing StandingOf(const GangKey& gang, const Move& move, const MoveSurroundings& around) const;
  static void Amend(Move& move, const ApiCall& call);
  void TellEndsOfBefore(const MoveSurroundings& around);
  static std::optional<MoveNews> EndBy(const GangKey& gang, const Move& move, const ApiCall& call);
  static MoveNews NewsOf(MoveNews::What what, const GangKey& gang, const Move& move);
  void Tell(MoveNews::What what, const GangKey& gang, const Move& move, std::string text = {});
  void End(Moves::iterator at, MoveNews::What what, std::string text, Moment now);
  void Decline(Moves::iterator at, std::string why, Moment now);

  const std::string process_;
  std::uint64_t named_ = 0;  // machines so far
  Moves moves_;
  std::optional<MonotonicTime> find_open_;  // when those left open are asked for next
  std::uint32_t open_unread_ = 0;           // times in a row that they could not be
  bool open_found_ = false;                 // since this replica leads
  std::map<std::string, RecordedMoves> records_;
  std::shared_ptr<const ClusterView> scanned_;  // for records that were left open
  std::uint64_t round_seen_ = 0;
  Nanoseconds decline_for_ = Seconds(300);
  std::optional<WallTime> led_since_;                       // absent: not yet
  std::set<std::pair<GangKey, std::uint32_t>> told_again_;  // ends of moves of before
  std::vector<MoveNews> news_;
  std::deque<EndedMoveReport> ended_;
  std::map<GangKey, Declined> declined_;
  std::map<std::pair<LeverKind, std::string>, std::uint64_t> outcomes_;
  std::map<std::pair<std::string, CallResult>, std::uint64_t> calls_;
};

}  // namespace fairlead::extender
