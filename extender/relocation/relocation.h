// Carries one gang's move through, whoever leads meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/lever.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

// A decision that is in no record yet.
struct MoveIntent {
  std::uint32_t number = 1;  // one more than the newest in the record that it was decided by
  LeverKind lever = LeverKind::kSuspend;
  SiteCounts from;
  SiteCounts to;
  std::vector<SitePair> left;
  bool checkpoint = false;  // its members understand checkpoint-request
  std::string why;
};

struct RelocationAction {
  enum class Kind {
    kCall,   // make it, then tell OnOutcome
    kWait,   // until then, or until the facts change
    kClosed  // nothing is left to be done; `text` says what became of it
  };
  Kind kind = Kind::kWait;
  ApiCall call{};
  MonotonicTime until{};
  std::string text{};  // what it waits for, or how it ended
};

// Not thread-safe. All that matters is in the record on the owner, which is read anew from the
// facts each time: an object made without an intent continues where another one, of any process,
// was stopped. What it adds is patience: when to try again.
//
// Every write to the owner and the Workload is bound to the resourceVersion of the facts, so that
// of two that act at once, or of one that acts late, only one is heard. Of moves that are open on
// the owner there is never more than one, and an intent whose number is not the next one any more
// is dropped: its trigger was served. Only steps before kStop can be given up; from then on it is
// finished as long as the owner exists.
class Relocation {
 public:
  // `process` names this process among all that ever were; one word.
  explicit Relocation(std::string process, std::optional<MoveIntent> intent = std::nullopt)
      : process_(std::move(process)) {
    memory_.intent = std::move(intent);
  }

  RelocationAction Next(const MoveFacts& facts, const RelocationConfig& config, Moment now);
  // Of the call that Next returned last.
  void OnOutcome(const CallOutcome& outcome, Moment now);

  // What would be lost with the process: nothing that the move depends on.
  struct Memory {
    std::optional<MoveIntent> intent;
    LeverMemory lever;
    std::uint32_t lever_of = 0;  // the move that it is of
    ApiCall last;
    std::string used_version;  // facts with it are older than what was written
    std::optional<MonotonicTime> retry_at;
    std::uint32_t failures = 0;  // one after the other
    std::string trouble;         // of the last call, for people; empty: none
  };
  const Memory& memory() const { return memory_; }

 private:
  struct Turn;  // the arguments of one Next

  RelocationAction OfIntent(const Turn& turn);
  RelocationAction OfIntended(const Turn& turn);
  RelocationAction OfCheckpoint(const Turn& turn);
  RelocationAction OfStop(const Turn& turn);
  RelocationAction OfFollow(const Turn& turn);
  RelocationAction Begin(const Turn& turn);
  RelocationAction Write(const Turn& turn, MoveRecord record);
  RelocationAction Close(const Turn& turn, MoveOutcome outcome, std::string why);
  RelocationAction Call(ApiCall call);
  RelocationAction Wait(const Turn& turn, std::string what);
  RelocationAction Closed(std::string what);

  std::string process_;
  Memory memory_;
};

}  // namespace fairlead::extender
