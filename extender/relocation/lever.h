// How one kind of owner stops and starts its gang.
#pragma once

#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/config/migration_config.h"
#include "extender/relocation/api_call.h"
#include "extender/relocation/move_facts.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

// What a process remembers of a lever in step kStop; another process begins with none of it.
struct LeverMemory {
  bool sent = false;       // the command, or it may have been
  std::uint32_t turn = 0;  // grows with each refusal
};

struct LeverView {
  const MoveHistory& moves;  // current is in step kStop
  const MoveFacts& facts;
  const RelocationConfig& config;
  std::string_view process;  // of this replica
  const LeverMemory& memory;
  Nanoseconds elapsed{};  // in this step
  WallTime now{};
};

struct LeverStep {
  enum class Kind {
    kCall,
    kWait,     // for `text`
    kStarted,  // it was stopped and started; or somebody else has started it
    kClose,    // with `outcome`, because of `text`
  };
  Kind kind = Kind::kWait;
  ApiCall call{};
  std::string text{};
  MoveOutcome outcome = MoveOutcome::kNone;
};

// Stateless; one object each. Every call can be made twice without harm, but for kCreateCommand.
class Lever {
 public:
  virtual ~Lever() = default;

  // What must hold before it is touched, beside what holds for all; empty: it does. One sentence.
  virtual std::string Refusal(const MoveFacts& facts) const = 0;
  // The call that begins step kStop. `moves.current` has that step and all but the lever's own.
  virtual ApiCall Begin(MoveHistory moves, const MoveFacts& facts) const = 0;
  // What comes next in step kStop.
  virtual LeverStep Next(const LeverView& view) const = 0;
  // In step kFollow: that somebody has stopped it again; empty: nobody has.
  virtual std::string TakenOver(const MoveFacts& facts) const;
};

const Lever& LeverOf(LeverKind kind);

// Names of Volcano's Commands begin with it.
inline constexpr std::string_view kCommandPrefix = "fairlead-move-";

// Parts that several levers use.
ApiCall WriteRecordCall(const MoveHistory& moves, const OwnerState& owner);
// The same moves, the current one in step kFollow.
MoveHistory Following(const MoveHistory& moves, WallTime now);
// Writes the gang's pods into the record, if they are not too many for it.
void NameMembers(const MoveFacts& facts, MoveRecord& record);
LeverStep WaitForPods(const MoveFacts& facts);

const Lever& SuspendLever();
const Lever& KueueLever();
const Lever& VolcanoLever();
const Lever& EvictionLever();

}  // namespace fairlead::extender
