#include "extender/replay_file/replay_json.h"

#include <nlohmann/json.hpp>

#include "extender/replay/words.h"

namespace fairlead::extender {
namespace {

using json = nlohmann::ordered_json;

double Unix(WallTime at) { return InSeconds(at.time_since_epoch()); }

json Members(const SiteCounts& members) {
  json shown = json::object();
  for (const auto& [site, count] : members) shown[site] = count;
  return shown;
}

json Move(const ReplayReport& report, std::size_t index) {
  const ReplayedMove& move = report.run.moves[index];
  json lines = json::array();
  for (const SitePair& line : move.left) lines.push_back({line.first, line.second});
  return {{"at_unix_seconds", Unix(move.at)},
          {"gang", report.question.jobs.gangs[move.gang].Name()},
          {"from", Members(move.from)},
          {"to", Members(move.to)},
          {"leaves", std::move(lines)},
          {"by_policy", move.by_policy},
          {"paid_seconds", InSeconds(move.paid)},
          {"cost_seconds", InSeconds(move.cost)},
          {"gain_seconds", report.outcome.move_gains[index]},
          {"sentence", move.sentence}};
}

json Worth(const GangOutcome& outcome) {
  return {{"gain_seconds", outcome.gain},
          {"best_gain_seconds", outcome.best_gain},
          {"regret_seconds", outcome.regret()}};
}

json Gang(const ReplayReport& report, std::size_t index) {
  const ReplayGang& gang = report.question.jobs.gangs[index];
  const GangOutcome& outcome = report.outcome.gangs[index];
  json shown{{"gang", gang.Name()},
             {"members", Members(gang.members)},
             {"ran_seconds", outcome.ran},
             {"unwatched_seconds", outcome.unwatched}};
  shown.update(Worth(outcome));
  shown["best"] = json::array();
  for (const BestMove& move : outcome.best) {
    shown["best"].push_back({{"at_unix_seconds", Unix(move.at)}, {"to", Members(move.to)}});
  }
  shown["verdict_seconds"] = json::object();
  for (const auto& [reason, time] : report.run.gangs[index].time) {
    shown["verdict_seconds"][std::string(MigrationReasonName(reason))] = InSeconds(time);
  }
  return shown;
}

json Row(const ThresholdRow& row) {
  return {{"margin", row.margin},         {"better_by_ratio", row.better_by},
          {"configured", row.configured}, {"moves", row.moves},
          {"moving_seconds", row.moving}, {"gain_seconds", row.gain},
          {"regret_seconds", row.regret}};
}

}  // namespace

std::string ReplayJson(const ReplayReport& report) {
  const LinkTrace& links = report.question.links;
  json whole{{"format", "fairlead-replay"},
             {"version", 1},
             {"links", report.links_name},
             {"jobs", report.jobs_name},
             {"begin_unix_seconds", Unix(links.begin)},
             {"end_unix_seconds", Unix(links.end)},
             {"step_seconds", InSeconds(links.step)},
             {"round_seconds", InSeconds(report.run.round)},
             {"moves", json::array()},
             {"gangs", json::array()}};
  for (std::size_t i = 0; i < report.run.moves.size(); ++i) {
    whole["moves"].push_back(Move(report, i));
  }
  for (std::size_t i = 0; i < report.question.jobs.gangs.size(); ++i) {
    whole["gangs"].push_back(Gang(report, i));
  }
  whole["together"] = Worth(Together(report.outcome));
  whole["thresholds"] = json::array();
  for (const ThresholdRow& row : report.table) whole["thresholds"].push_back(Row(row));
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace fairlead::extender
