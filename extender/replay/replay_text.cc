#include "extender/replay/replay_text.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "common/units/time_text.h"
#include "extender/placement/explain.h"
#include "extender/replay/words.h"

namespace fairlead::extender {
namespace {

std::string Heading(const ReplayReport& report) {
  const LinkTrace& links = report.question.links;
  std::set<SitePair> lines;
  std::set<std::string> sites;
  for (const auto& [key, points] : links.links) {
    sites.insert({key.from_site, key.to_site});
    if (key.from_site != key.to_site) lines.insert(std::minmax(key.from_site, key.to_site));
  }
  return report.links_name + ": " + Counted(sites.size(), "site", "sites") + ", " +
         Counted(lines.size(), "line", "lines") + ", " + FormatTime(links.begin) + " to " +
         FormatTime(links.end) + ", a point each " + HumanDuration(links.step) + "\n" +
         report.jobs_name + ": " + Counted(report.question.jobs.gangs.size(), "gang", "gangs") +
         "; a round each " + HumanDuration(report.run.round) + "; dry-run counts as enforce\n";
}

std::string Moves(const ReplayReport& report) {
  const auto& moves = report.run.moves;
  if (moves.empty()) return "\nnothing would have moved\n";
  std::string text = "\n" + Counted(moves.size(), "move", "moves") + "\n";
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const ReplayedMove& move = moves[i];
    text += FormatTime(move.at) + "  " + report.question.jobs.gangs[move.gang].Name() + " from " +
            DescribePlacement(move.from) + " to " + DescribePlacement(move.to) + ", for " +
            LinesText(move.left) + (move.by_policy ? ", by a limit" : "") + "\n    paid " +
            SpanText(InSeconds(move.paid)) + ", cost " + SpanText(InSeconds(move.cost)) +
            ", gain over all that follows " + SpanText(report.outcome.move_gains[i]) + "\n    " +
            move.sentence + "\n";
  }
  return text;
}

std::string Verdicts(const GangRun& run) {
  std::vector<std::pair<MigrationReason, Nanoseconds>> times(run.time.begin(), run.time.end());
  std::ranges::stable_sort(times, [](const auto& a, const auto& b) { return a.second > b.second; });
  double all = 0;
  for (const auto& [reason, time] : times) all += InSeconds(time);
  std::string text;
  for (const auto& [reason, time] : times) {
    text += (text.empty() ? "" : ", ") + std::string(MigrationReasonName(reason)) + " " +
            HumanPercent(InSeconds(time) / all);
  }
  return text;
}

std::string Gang(const ReplayReport& report, std::size_t index) {
  const ReplayGang& gang = report.question.jobs.gangs[index];
  const GangOutcome& outcome = report.outcome.gangs[index];
  std::string text = "\n" + gang.Name() + ", " + DescribePlacement(gang.members);
  if (outcome.ran == 0) return text + ": did not run while links were recorded\n";
  text += ", ran for " + SpanText(outcome.ran) + "\n    ";
  text += "gain " + SpanText(outcome.gain) + " of at most " + SpanText(outcome.best_gain) +
          ", regret " + SpanText(outcome.regret()) + "\n    best: ";
  for (const BestMove& move : outcome.best) {
    text += (&move == &outcome.best.front() ? "" : ", then ") + FormatTime(move.at) + " to " +
            DescribePlacement(move.to);
  }
  text += outcome.best.empty() ? "never to move\n" : "\n";
  if (outcome.unwatched > 0) {
    text += "    not known for " + SpanText(outcome.unwatched) + ", which counts for nothing\n";
  }
  const std::string verdicts = Verdicts(report.run.gangs[index]);
  return text + "    verdicts: " + (verdicts.empty() ? "none, it has one member" : verdicts) + "\n";
}

std::string Table(const std::vector<ThresholdRow>& table) {
  std::string text = "\n  margin  betterBy  moves    moving      gain    regret\n";
  for (const ThresholdRow& row : table) {
    char line[160];
    std::snprintf(line, sizeof line, "%s %6.2f  %8s  %5zu  %8s  %8s  %8s\n",
                  row.configured ? "*" : " ", row.margin, HumanPercent(row.better_by).c_str(),
                  row.moves, SpanText(row.moving).c_str(), SpanText(row.gain).c_str(),
                  SpanText(row.regret).c_str());
    text += line;
  }
  return text + "* as configured\n";
}

}  // namespace

GangOutcome Together(const Outcome& outcome) {
  GangOutcome all;
  for (const GangOutcome& gang : outcome.gangs) {
    all.ran += gang.ran;
    all.unwatched += gang.unwatched;
    all.gain += gang.gain;
    all.best_gain += gang.best_gain;
  }
  return all;
}

std::string ReplayText(const ReplayReport& report) {
  std::string text = Heading(report) + Moves(report);
  for (std::size_t i = 0; i < report.question.jobs.gangs.size(); ++i) text += Gang(report, i);
  const GangOutcome all = Together(report.outcome);
  text += "\nall gangs: gain " + SpanText(all.gain) + " of at most " + SpanText(all.best_gain) +
          ", regret " + SpanText(all.regret()) + "\n";
  return text + Table(report.table);
}

}  // namespace fairlead::extender
