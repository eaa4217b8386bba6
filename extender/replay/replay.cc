#include "extender/replay/replay.h"

#include <algorithm>
#include <utility>

#include "extender/migration/migration_decider.h"
#include "extender/migration_round/round_of.h"
#include "extender/replay/gang_stands.h"

namespace fairlead::extender {
namespace {

void Act(MigrationMode& mode) {
  if (mode == MigrationMode::kDryRun) mode = MigrationMode::kEnforce;
}

void NoteMeter(const MigrationVerdict& verdict, WallTime now, std::vector<MeterPoint>& meter) {
  const Nanoseconds before = meter.empty() ? Nanoseconds(0) : meter.back().paid;
  if (verdict.paid == before) return;
  meter.push_back({now, verdict.paid, verdict.threshold.value_or(Nanoseconds(0))});
}

}  // namespace

MigrationConfig Acting(MigrationConfig config) {
  Act(config.mode);
  for (NamespaceMode& entry : config.namespaces) Act(entry.mode);
  for (ClassOverride& entry : config.classes) {
    if (entry.mode) Act(*entry.mode);
  }
  for (LineOverride& entry : config.lines) {
    if (entry.most) Act(*entry.most);
  }
  return config;
}

ReplayJobs Acting(ReplayJobs jobs) {
  for (ReplayGang& gang : jobs.gangs) {
    if (gang.wishes.mode) Act(*gang.wishes.mode);
  }
  return jobs;
}

Nanoseconds RoundOfReplay(const LinkTrace& links, const MigrationConfig& config) {
  return std::max(config.interval, std::min(links.step, config.evidence_stale));
}

ReplayRun Replay(const ReplayQuestion& question) {
  ReplayRun run;
  run.gangs.resize(question.jobs.gangs.size());
  run.round = RoundOfReplay(question.links, question.config);
  TracePlayer links(question.links);
  GangStands stands(question.jobs, question.config.costs);
  LimitWatch limits;
  MigrationDecider decider;
  for (WallTime now = question.links.begin; now < question.links.end; now += run.round) {
    stands.Advance(now);
    const ClusterView cluster = stands.View();
    const RoundKnowledge known{
        .cluster = cluster,
        .links = links.At(now),
        .lines = question.lines,
        .config = question.config,
        .room_of = [&](const GangView& gang) { return stands.RoomOf(stands.IndexOf(gang.key)); },
        .leading = true,
        .cluster_fresh = true,
        .now = ReplayTime(question.links, now),
        .wall = now};
    const MigrationRound round = RoundOf(known, limits);
    const MigrationDecisions decisions = decider.Decide(round, question.config);
    const Nanoseconds lasts = std::min(run.round, Nanoseconds(question.links.end - now));
    for (const MigrationVerdict& verdict : decisions.verdicts) {
      const std::size_t gang = stands.IndexOf(verdict.gang);
      GangRun& of_gang = run.gangs[gang];
      of_gang.time[verdict.reason] += lasts;
      NoteMeter(verdict, now, of_gang.meter);
      if (verdict.reason != MigrationReason::kMove) continue;
      run.moves.push_back({.gang = gang,
                           .at = now,
                           .from = stands.MembersOf(gang),
                           .to = verdict.to->members,
                           .left = verdict.leaves,
                           .by_policy = verdict.by_policy,
                           .paid = verdict.paid,
                           .cost = verdict.cost.value_or(Nanoseconds(0)),
                           .sentence = verdict.sentence});
      stands.Move(gang, verdict.to->members, verdict.leaves, verdict.sentence);
    }
  }
  return run;
}

}  // namespace fairlead::extender
