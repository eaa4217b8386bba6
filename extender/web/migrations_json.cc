#include "extender/web/migrations_json.h"

#include <optional>
#include <string_view>
#include <vector>

#include "extender/web/json_writer.h"
#include "extender/web/site_counts_json.h"

namespace fairlead::extender {
namespace {

void WriteLines(JsonWriter& json, std::string_view key, const std::vector<SitePair>& lines) {
  json.Key(key).Open('[');
  for (const auto& [a, b] : lines) json.Open('[').Text(a).Text(b).Close(']');
  json.Close(']');
}

void WriteCostPart(JsonWriter& json, std::string_view key, const SourcedTime& part) {
  json.Key(key).Open('{');
  json.Key("seconds").Seconds(part.time);
  json.Key("source").Text(CostSourceName(part.source));
  json.Close('}');
}

void WritePlace(JsonWriter& json, const Place& place) {
  json.Open('{');
  WriteCounts(json, "members", place.members);
  json.Key("step_seconds").Number(place.step_seconds);
  WriteLines(json, "lines", place.lines);
  json.Close('}');
}

void WriteMeter(JsonWriter& json, const GangReport& report) {
  const MigrationVerdict& verdict = report.verdict;
  const MovingCost& cost = report.gang.cost;
  json.Key("paid_seconds").Seconds(verdict.paid);
  json.Key("paying_ratio").Number(verdict.rate);
  json.Key("cost_seconds").Seconds(verdict.cost);
  json.Key("threshold_seconds").Seconds(verdict.threshold);
  json.Key("cost").Open('{');
  WriteCostPart(json, "checkpoint_age", cost.checkpoint_age);
  WriteCostPart(json, "checkpoint_write", cost.checkpoint_write);
  WriteCostPart(json, "restart", cost.restart);
  WriteCostPart(json, "requeue", cost.requeue);
  json.Close('}');
  json.Key("by_policy").Bool(verdict.by_policy);
}

// What of a move is recorded; null where nothing is.
void WriteRecord(JsonWriter& json, const MoveRecord& record, WallTime wall_now) {
  json.Key("step").Text(record.number == 0 ? "decided" : MoveStepName(record.step));
  json.Key("number");
  record.number == 0 ? json.Null() : json.Integer(record.number);
  json.Key("began_age_seconds");
  record.number == 0 ? json.Null() : json.Seconds(wall_now - record.began);
  json.Key("step_age_seconds");
  record.number == 0 ? json.Null() : json.Seconds(wall_now - record.since);
  WriteCounts(json, "from", record.from);
  WriteCounts(json, "to", record.to);
  WriteLines(json, "left", record.left);
  json.Key("stuck");
  record.stuck.empty() ? json.Null() : json.Text(record.stuck);
  json.Key("why").Text(record.why);
}

void WriteMoves(JsonWriter& json, const MovesReport& moves, MonotonicTime now, WallTime wall_now) {
  const auto write_whose = [&](const auto& move) {
    json.Key("gang").Text(move.gang.Text());
    json.Key("name").Text(move.name);
    json.Key("lever").Text(LeverName(move.lever));
  };
  json.Key("moves_open").Open('[');
  for (const OpenMoveReport& move : moves.open) {
    json.Open('{');
    write_whose(move);
    WriteRecord(json, move.record, wall_now);
    json.Key("waits_for");
    move.waits.empty() ? json.Null() : json.Text(move.waits);
    json.Key("in_hand_seconds").Seconds(now - move.taken);
    json.Close('}');
  }
  json.Close(']');
  json.Key("moves_ended").Open('[');
  for (const EndedMoveReport& move : moves.ended) {
    json.Open('{');
    write_whose(move);
    WriteRecord(json, move.record, wall_now);
    json.Key("outcome").Text(MoveOutcomeName(move.record.outcome));
    json.Key("text").Text(move.text);
    json.Key("ended_age_seconds").Seconds(now - move.at);
    json.Close('}');
  }
  json.Close(']');
}

// By the record on the gang's owner, whoever carried them out.
void WriteHistory(JsonWriter& json, const std::vector<PastMove>& history) {
  json.Key("history").Open('[');
  for (const PastMove& move : history) {
    json.Open('{');
    json.Key("id").Text(move.id);
    json.Key("began_age_seconds").Seconds(move.begun_ago);
    json.Key("ended_age_seconds").Seconds(move.ended_ago);
    json.Key("disturbed").Bool(move.disturbed);
    WriteCounts(json, "from", move.from);
    WriteCounts(json, "to", move.to);
    WriteLines(json, "left", move.left);
    json.Close('}');
  }
  json.Close(']');
}

void WriteGang(JsonWriter& json, const GangReport& report, MonotonicTime now) {
  const GangCondition& gang = report.gang;
  const MigrationVerdict& verdict = report.verdict;
  json.Open('{');
  json.Key("gang").Text(gang.key.Text());
  json.Key("name").Text(gang.name);
  json.Key("namespace").Text(gang.key.namespace_name);
  json.Key("mode").Text(MigrationModeName(verdict.mode));
  json.Key("reason").Text(MigrationReasonName(verdict.reason));
  json.Key("reason_age_seconds").Seconds(now - report.since);
  json.Key("sentence").Text(verdict.sentence);
  json.Key("may_change_in_seconds").Seconds(verdict.may_change_in);
  WriteMeter(json, report);
  json.Key("size").Integer(gang.size);
  json.Key("ready").Integer(gang.ready);
  json.Key("priority").Number(static_cast<double>(gang.priority));
  json.Key("running_for_seconds").Seconds(gang.running_for);
  json.Key("remaining_seconds").Seconds(gang.remaining);
  WriteHistory(json, gang.history);
  WriteCounts(json, "members", gang.members);
  WriteLines(json, "crosses", gang.crosses);
  WriteLines(json, "leaves", verdict.leaves);
  json.Key("step_seconds").Number(gang.step_seconds);
  json.Key("to");
  if (verdict.to) {
    WritePlace(json, *verdict.to);
  } else {
    json.Null();
  }
  json.Close('}');
}

}  // namespace

std::string WriteMigrationsJson(const MigrationReport& report, const MovesReport& moves,
                                MonotonicTime now, WallTime wall_now) {
  std::string out;
  JsonWriter json(out);
  json.Open('{');
  json.Key("version").Integer(1);
  json.Key("generated_at_unix_seconds").Seconds(wall_now.time_since_epoch());
  json.Key("decided_age_seconds");
  report.decided ? json.Seconds(now - report.at) : json.Null();
  json.Key("mode");
  report.decided ? json.Text(MigrationModeName(report.mode)) : json.Null();
  json.Key("acts").Bool(moves.acts);
  json.Key("leading").Bool(report.leading);
  json.Key("cluster_fresh").Bool(report.cluster_fresh);
  json.Key("held");
  report.held ? json.Text(report.held_why) : json.Null();
  json.Key("trouble");
  const std::string trouble = StuckText(moves);
  trouble.empty() ? json.Null() : json.Text(trouble);
  json.Key("gangs").Open('[');
  for (const GangReport& gang : report.gangs) WriteGang(json, gang, now);
  json.Close(']');
  WriteMoves(json, moves, now, wall_now);
  json.Close('}');
  out += '\n';
  return out;
}

}  // namespace fairlead::extender
