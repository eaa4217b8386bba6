#include "common/ops/loop_turns.h"

#include <string>

namespace fairlead {

Health LoopsAreTurning(const std::vector<LoopTurn>& loops, MonotonicTime now) {
  for (const LoopTurn& loop : loops) {
    const Nanoseconds since = now - loop.last_turn;
    if (since > loop.allowed) {
      return {.ok = false,
              .reason = std::string(loop.name) + " has not come round for " +
                        std::to_string(std::chrono::duration_cast<Seconds>(since).count()) + " s"};
    }
  }
  return {.ok = true, .reason = "ok"};
}

}  // namespace fairlead
