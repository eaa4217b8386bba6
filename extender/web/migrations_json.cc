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

std::string WriteMigrationsJson(const MigrationReport& report, MonotonicTime now,
                                WallTime wall_now) {
  std::string out;
  JsonWriter json(out);
  json.Open('{');
  json.Key("version").Integer(1);
  json.Key("generated_at_unix_seconds").Seconds(wall_now.time_since_epoch());
  json.Key("decided_age_seconds");
  report.decided ? json.Seconds(now - report.at) : json.Null();
  json.Key("mode");
  report.decided ? json.Text(MigrationModeName(report.mode)) : json.Null();
  json.Key("acts").Bool(false);  // no version of the extender does yet
  json.Key("leading").Bool(report.leading);
  json.Key("cluster_fresh").Bool(report.cluster_fresh);
  json.Key("held");
  report.held ? json.Text(report.held_why) : json.Null();
  json.Key("trouble");
  const std::string trouble = TroubleOf(report);
  trouble.empty() ? json.Null() : json.Text(trouble);
  json.Key("gangs").Open('[');
  for (const GangReport& gang : report.gangs) WriteGang(json, gang, now);
  json.Close(']').Close('}');
  out += '\n';
  return out;
}

}  // namespace fairlead::extender
