// A Command RestartJob. Volcano deletes it before it acts and acts on each, so it is sent at most
// once: by the process that the record names, if it does not know of having sent it.
#include <string>

#include "common/units/human.h"
#include "extender/relocation/lever.h"

namespace fairlead::extender {
namespace {

using Kind = LeverStep::Kind;

// One that the restart itself takes, and one for the job's own troubles.
constexpr std::uint32_t kLeastRetries = 2;

class Volcano final : public Lever {
 public:
  std::string Refusal(const MoveFacts& facts) const override {
    if (facts.owner.retries_left && *facts.owner.retries_left < kLeastRetries) {
      return "it has " + Counted(*facts.owner.retries_left, "retry", "retries") +
             " left, and a restart takes one; raise its maxRetry";
    }
    return "";
  }

  ApiCall Begin(MoveHistory moves, const MoveFacts& facts) const override {
    NameMembers(facts, moves.current);
    moves.current.before = facts.owner.version;
    return WriteRecordCall(moves, facts.owner);
  }

  LeverStep Next(const LeverView& view) const override {
    const MoveRecord& record = view.moves.current;
    if (view.facts.owner.version > record.before) return {.kind = Kind::kStarted};
    const bool may_send = record.by == view.process && !view.memory.sent;
    const bool late = view.elapsed >= view.config.begin_timeout;
    if (may_send && !late) {
      ApiCall call;
      call.kind = CallKind::kCreateCommand;
      call.name = std::string(kCommandPrefix) + std::to_string(record.number);
      return {.kind = Kind::kCall, .call = std::move(call)};
    }
    if (late && !view.facts.command_waits) {
      return {.kind = Kind::kClose,
              .text = may_send ? "the command could not be given"
                               : "Volcano did not act on the command, or none reached it",
              .outcome = may_send ? MoveOutcome::kRefused : MoveOutcome::kUnanswered};
    }
    return {.kind = Kind::kWait, .text = "Volcano to act on the command"};
  }
};

}  // namespace

const Lever& VolcanoLever() {
  static const Volcano kLever;
  return kLever;
}

}  // namespace fairlead::extender
