#include "extender/web/explanation.h"

#include <chrono>

#include "common/base/quote.h"
#include "common/units/human.h"
#include "extender/web/json_writer.h"
#include "extender/web/site_counts_json.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kLongestName = 320;

void WriteTextIfAny(JsonWriter& json, std::string_view key, const std::string& text) {
  json.Key(key);
  text.empty() ? json.Null() : json.Text(text);
}

void WriteSite(JsonWriter& json, const SiteDecision& site) {
  json.Open('{');
  json.Key("site").Text(site.site);
  json.Key("offered_nodes").Integer(site.offered_nodes);
  json.Key("score");
  site.score ? json.Integer(static_cast<std::uint64_t>(*site.score)) : json.Null();
  json.Key("refused").Bool(site.refused);
  json.Key("step_seconds").Number(site.seconds);
  WriteCounts(json, "placement", site.placement);
  json.Key("sentence").Text(site.sentence);
  json.Close('}');
}

void WriteMigration(JsonWriter& json, const GangReport* report) {
  json.Key("migration");
  if (report == nullptr) {
    json.Null();
    return;
  }
  json.Open('{');
  json.Key("reason").Text(MigrationReasonName(report->verdict.reason));
  json.Key("sentence").Text(report->verdict.sentence);
  json.Close('}');
}

void WriteDecision(JsonWriter& json, const DecisionRecord& decision,
                   const MigrationReport& migrations) {
  json.Open('{');
  json.Key("number").Integer(decision.number);
  json.Key("at_unix_seconds").Seconds(decision.at.time_since_epoch());
  json.Key("verb").Text(decision.verb);
  json.Key("pod").Text(decision.pod);
  json.Key("uid").Text(decision.uid);
  WriteTextIfAny(json, "gang", decision.gang);
  json.Key("gang_size");
  decision.gang_size ? json.Integer(*decision.gang_size) : json.Null();
  WriteCounts(json, "members", decision.members);
  json.Key("offered_nodes").Integer(decision.offered_nodes);
  json.Key("nodes_without_site").Integer(decision.nodes_without_site);
  json.Key("sites").Open('[');
  for (const SiteDecision& site : decision.sites) WriteSite(json, site);
  json.Close(']');
  WriteTextIfAny(json, "plan", decision.plan);
  WriteTextIfAny(json, "seat", decision.seat);
  json.Key("assumed_node").Text(decision.assumed_node);
  WriteMigration(json, FindReport(migrations, decision.gang));
  json.Key("notes").Open('[');
  for (const std::string& note : decision.notes) json.Text(note);
  json.Close(']').Close('}');
}

std::string CountsText(const SiteCounts& counts) {
  std::string text;
  for (const auto& [site, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " in " + site;
  }
  return text.empty() ? "none" : text;
}

void AppendDecision(std::string& out, const DecisionRecord& decision,
                    const MigrationReport& migrations, WallTime now) {
  out += "#" + std::to_string(decision.number) + " " + decision.verb + " of pod " +
         Quoted(decision.pod, kLongestName) + ", " + HumanAge(now - decision.at) + " ago, " +
         Counted(decision.offered_nodes, "node", "nodes") + " offered\n";
  if (decision.gang.empty()) {
    out += "  belongs to no gang, so every site is as good as another\n";
  } else {
    out += "  gang " + Quoted(decision.gang, kLongestName);
    if (decision.gang_size) out += " of " + std::to_string(*decision.gang_size);
    out += "; placed so far: " + CountsText(decision.members) + "\n";
  }
  if (!decision.plan.empty()) out += "  plan: " + decision.plan + "\n";
  if (!decision.seat.empty()) out += "  this pod's seat is in " + decision.seat + "\n";
  for (const SiteDecision& site : decision.sites) {
    out += "  " + site.site + ": ";
    if (site.refused) out += "refused: ";
    out += site.sentence + "\n";
  }
  if (decision.nodes_without_site > 0) {
    out +=
        "  " + Counted(decision.nodes_without_site, "node is", "nodes are") + " of no known site\n";
  }
  if (!decision.assumed_node.empty()) {
    out += "  assumed to go to " + Quoted(decision.assumed_node, kLongestName) + "\n";
  }
  if (const GangReport* const report = FindReport(migrations, decision.gang)) {
    out += "  moving the gang: " + std::string(MigrationReasonName(report->verdict.reason)) + ", " +
           report->verdict.sentence + "; see /migrations\n";
  }
  for (const std::string& note : decision.notes) out += "  note: " + note + "\n";
}

}  // namespace

std::string WriteExplanationJson(const DecisionList& decisions, const MigrationReport& migrations) {
  std::string out;
  JsonWriter json(out);
  json.Open('{').Key("version").Integer(1).Key("decisions").Open('[');
  for (const auto& decision : decisions) WriteDecision(json, *decision, migrations);
  json.Close(']').Close('}');
  out += '\n';
  return out;
}

std::string WriteExplanationText(const DecisionList& decisions, const MigrationReport& migrations,
                                 WallTime now) {
  if (decisions.empty()) return "No scheduler has asked yet.\n";
  std::string out;
  for (const auto& decision : decisions) {
    if (!out.empty()) out += '\n';
    AppendDecision(out, *decision, migrations, now);
  }
  return out;
}

}  // namespace fairlead::extender
