// What a replay's moves were worth.
#pragma once

#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "extender/replay/replay.h"

namespace fairlead::extender {

struct BestMove {
  WallTime at{};
  SiteCounts to;
};

// Seconds. Lost time is counted against the best place of each moment, so only differences mean
// something.
struct GangOutcome {
  double ran = 0;              // while links were recorded
  double unwatched = 0;        // of it: too little was known; counts as nothing lost
  double gain = 0;             // by all its moves: lost by staying less lost with them
  double best_gain = 0;        // by the best course
  std::vector<BestMove> best;  // its moves
  double regret() const { return best_gain - gain; }
};

struct Outcome {
  std::vector<GangOutcome> gangs;  // as in the jobs
  std::vector<double> move_gains;  // as the moves: over all that follows, were there no other move
};

// By the same model of cost that decides. The best course of a gang knows the future, and may leave
// whenever a line that the gang crosses is not well, as often as it likes, for any place of all
// members that the search finds and that has room then; other gangs are where they were in the run.
// So no run is better: regret is never negative.
Outcome OutcomeOf(const ReplayQuestion& question, const ReplayRun& run);

}  // namespace fairlead::extender
