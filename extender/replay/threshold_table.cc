#include "extender/replay/threshold_table.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "extender/replay/outcome.h"
#include "extender/replay/words.h"

namespace fairlead::extender {
namespace {

std::vector<double> With(std::initializer_list<double> usual, double own) {
  std::vector<double> all(usual);
  if (std::ranges::find(all, own) == all.end()) all.push_back(own);
  std::ranges::sort(all);
  return all;
}

ThresholdRow RowOf(const ReplayQuestion& question, const ReplayRun& run) {
  ThresholdRow row;
  row.moves = run.moves.size();
  for (const ReplayedMove& move : run.moves) {
    row.moving += InSeconds(move.cost);
  }
  const Outcome outcome = OutcomeOf(question, run);
  for (const GangOutcome& gang : outcome.gangs) {
    row.gain += gang.gain;
    row.regret += gang.regret();
  }
  return row;
}

// Runs with the same moves come to the same.
using Moves = std::vector<std::pair<std::pair<std::size_t, WallTime>, SiteCounts>>;

Moves MovesOf(const ReplayRun& run) {
  Moves moves;
  for (const ReplayedMove& move : run.moves) moves.push_back({{move.gang, move.at}, move.to});
  return moves;
}

}  // namespace

std::vector<ThresholdRow> ThresholdTable(const ReplayQuestion& question) {
  std::vector<ThresholdRow> table;
  std::map<Moves, ThresholdRow> known;
  for (const double margin : With({0, 0.2, 0.5, 1}, question.config.margin)) {
    for (const double better_by : With({0.05, 0.1, 0.2}, question.config.better_by)) {
      MigrationConfig config = question.config;
      config.margin = margin;
      config.better_by = better_by;
      const ReplayQuestion other{question.links, question.jobs, config, question.lines};
      const ReplayRun run = Replay(other);
      Moves moves = MovesOf(run);
      auto found = known.find(moves);
      if (found == known.end()) {
        found = known.emplace(std::move(moves), RowOf(other, run)).first;
      }
      ThresholdRow row = found->second;
      row.margin = margin;
      row.better_by = better_by;
      row.configured = margin == question.config.margin && better_by == question.config.better_by;
      table.push_back(row);
    }
  }
  return table;
}

}  // namespace fairlead::extender
