#include "extender/metrics/migration_collector.h"

#include <chrono>
#include <map>
#include <string>

#include "common/metrics/family_set.h"

namespace fairlead::extender {
namespace {

void PutMoves(const MovesReport& moves, FamilySet& out) {
  std::map<std::string_view, std::size_t> open;
  std::size_t stuck = 0;
  for (const OpenMoveReport& move : moves.open) {
    ++open[move.record.number == 0 ? "decided" : MoveStepName(move.record.step)];
    if (!move.record.stuck.empty()) ++stuck;
  }
  for (const std::string_view step : {"decided", "intended", "checkpoint", "stop", "follow"}) {
    out.Gauge("moves_open", "Moves that this replica carries out, by the step they are in.",
              {{"step", std::string(step)}}, static_cast<double>(open[step]));
  }
  out.Gauge("moves_stuck", "Moves that have been in a step for longer than followTimeout.", {},
            static_cast<double>(stuck));
  for (const auto& [end, count] : moves.outcomes) {
    out.Counter("moves_total", "Moves that are over, by lever and how they ended.",
                {{"lever", std::string(LeverName(end.first))}, {"outcome", end.second}},
                static_cast<double>(count));
  }
  for (const auto& [call, count] : moves.calls) {
    out.Counter("calls_total", "Requests of moves to the API server, by kind and result.",
                {{"kind", call.first}, {"result", std::string(CallResultName(call.second))}},
                static_cast<double>(count));
  }
}

}  // namespace

std::vector<prometheus::MetricFamily> MigrationCollector::Collect() const {
  FamilySet out("fairlead_extender_migration_");
  const auto report = report_.Get();
  std::map<MigrationReason, std::size_t> gangs;
  for (const GangReport& gang : report->gangs) ++gangs[gang.verdict.reason];
  for (const MigrationReason reason : kAllMigrationReasons) {
    const Labels of_reason{{"reason", std::string(MigrationReasonName(reason))}};
    out.Gauge("gangs", "Gangs by the newest verdict about them.", of_reason,
              static_cast<double>(gangs[reason]));
    const auto came = report->verdicts.find(reason);
    out.Counter("verdicts_total", "Times a gang came to this verdict from another.", of_reason,
                came == report->verdicts.end() ? 0 : static_cast<double>(came->second));
  }
  for (const MigrationMode mode :
       {MigrationMode::kOff, MigrationMode::kDryRun, MigrationMode::kEnforce}) {
    out.Gauge("mode", "1 for the configured mode.",
              {{"mode", std::string(MigrationModeName(mode))}},
              report->decided && report->mode == mode ? 1 : 0);
  }
  out.Gauge("held", "1 while too much is bad at once for anything to be moved.", {},
            report->held ? 1 : 0);
  out.Counter("rounds_total", "Times it was decided about all gangs.", {},
              static_cast<double>(report->rounds));
  out.Gauge("round_seconds", "What the newest round took.", {},
            std::chrono::duration<double>(report->round_took).count());
  PutMoves(*moves_.Get(), out);
  return out.Take();
}

}  // namespace fairlead::extender
