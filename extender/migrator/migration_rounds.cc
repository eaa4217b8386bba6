#include "extender/migrator/migration_rounds.h"

#include <utility>

#include "common/base/log.h"
#include "extender/migration_round/round_of.h"

namespace fairlead::extender {
namespace {

// Where no API server is asked, what is known of the cluster does not age.
bool Fresh(const Setup& setup, const ClusterView& cluster, MonotonicTime now) {
  if (!setup.cluster_stale_after) return true;
  const auto age = cluster.Age(now);
  return age && *age <= *setup.cluster_stale_after;
}

// Of gangs that the watch does not show, as when their job has finished or has no pods: what became
// of their moves is known to who carried them out.
void AddUnseen(const MovesReport& moves, const ClusterView& cluster, MigrationRound& round) {
  const auto add = [&](const GangKey& gang, const MoveRecord& record,
                       std::optional<Nanoseconds> ended_ago) {
    if (record.number == 0 || cluster.FindGang(gang) != nullptr) return;
    for (PastMove& move : PastMovesOf({record, {}}, round.wall)) {
      if (!move.ended_ago) move.ended_ago = ended_ago;
      round.others.push_back({gang, std::move(move)});
    }
  };
  for (const EndedMoveReport& move : moves.ended) add(move.gang, move.record, round.now - move.at);
  for (const OpenMoveReport& move : moves.open) add(move.gang, move.record, std::nullopt);
}

void LogBreaker(const MigrationDecisions& decisions) {
  switch (decisions.breaker) {
    case MassBreaker::Change::kNone:
      return;
    case MassBreaker::Change::kOpened:
      return LogWarning("migration: all moves are held", {{"reason", decisions.held_why}});
    case MassBreaker::Change::kClosed:
      return LogInfo("migration: moves are held no longer; what gangs have paid is forgotten");
  }
}

}  // namespace

void MigrationRounds::Step() {
  const MonotonicTime now = sources_.clock.Now();
  const auto config = sources_.config.Get();
  const auto setup = sources_.setup.Get();
  const auto cluster = sources_.cluster.Get();
  const auto links = sources_.links.Get();
  const auto moves = sources_.moves ? sources_.moves->Get() : std::make_shared<MovesReport>();
  WithdrawUntaken(*moves);
  const RoundKnowledge known{
      .cluster = *cluster,
      .links = *links,
      .lines = setup->lines,
      .config = config->migration,
      .room_of = [&](const GangView& gang) { return sources_.room_of(gang, cluster); },
      .record_of =
          [&](const std::string& uid) {
            const auto found = moves->records.find(uid);
            return found == moves->records.end() ? RecordedMoves() : found->second;
          },
      .declined =
          [&](const GangKey& gang) {
            const auto found = moves->declined.find(gang);
            if (found == moves->declined.end()) return std::string();
            return "a move of it could not be recorded: " + found->second.why;
          },
      .leading = sources_.leadership.Get()->LeadsAt(now),
      .cluster_fresh = Fresh(*setup, *cluster, now),
      .now = now,
      .wall = sources_.clock.WallNow()};
  MigrationRound round = RoundOf(known, limits_);
  AddUnseen(*moves, *cluster, round);
  MigrationDecisions decisions = decider_.Decide(round, config->migration);
  for (const MigrationVerdict& verdict : decisions.verdicts) {
    if (verdict.reason == MigrationReason::kMove) decided_[verdict.gang] = rounds_ + 1;
  }
  // Who begins to lead says once more what the leader before may have said.
  if (!std::exchange(led_, round.leading)) book_ = {};
  const VerdictNews news = book_.Note(decisions.verdicts, now);
  if (round.leading) Tell(round, decisions, news, *cluster);
  Publish(std::move(round), std::move(decisions), news, config->migration.mode);
}

// What was not taken in hand, or is in hand no more without a record, is not under way.
void MigrationRounds::WithdrawUntaken(const MovesReport& moves) {
  for (auto gang = decided_.begin(); gang != decided_.end();) {
    const auto& [key, round] = *gang;
    const bool heard = sources_.moves == nullptr || !moves.acts || moves.round_seen >= round;
    const bool done = heard && FindOpen(moves, key) == nullptr;
    if (done) decider_.Withdraw(key);
    gang = done ? decided_.erase(gang) : std::next(gang);
  }
}

void MigrationRounds::Tell(const MigrationRound& round, const MigrationDecisions& decisions,
                           const VerdictNews& news, const ClusterView& cluster) {
  LogBreaker(decisions);
  for (const VerdictChange& change : news.told) {
    const MigrationVerdict& verdict = decisions.verdicts[change.gang];
    if (const GangView* const gang = cluster.FindGang(verdict.gang)) {
      if (auto event = EventOf(verdict, gang->owner)) events_.Tell(*std::move(event));
    }
    const auto held_back = lines_.Pass(round.now);
    if (!held_back) continue;
    LogInfo("migration: a gang's verdict has changed",
            {{"gang", verdict.name},
             {"verdict", MigrationReasonName(verdict.reason)},
             {"before", change.before ? MigrationReasonName(*change.before) : "none"},
             {"mode", MigrationModeName(verdict.mode)},
             {"why", verdict.sentence},
             {"others_since_the_last_line", *held_back}});
  }
}

void MigrationRounds::Publish(MigrationRound round, MigrationDecisions decisions,
                              const VerdictNews& news, MigrationMode mode) {
  for (const VerdictChange& change : news.changes) {
    ++verdicts_[decisions.verdicts[change.gang].reason];
  }
  MigrationReport report{.decided = true,
                         .at = round.now,
                         .mode = mode,
                         .leading = round.leading,
                         .cluster_fresh = round.cluster_fresh,
                         .held = decisions.held,
                         .held_why = std::move(decisions.held_why),
                         .gangs = {},
                         .rounds = ++rounds_,
                         .round_took = sources_.clock.Now() - round.now,
                         .verdicts = verdicts_};
  report.gangs.reserve(round.gangs.size());
  for (std::size_t i = 0; i < round.gangs.size(); ++i) {
    report.gangs.push_back(
        {std::move(round.gangs[i]), std::move(decisions.verdicts[i]), news.since[i]});
  }
  report_.Publish(std::move(report));
  if (sources_.made) sources_.made(report_.Get());
}

}  // namespace fairlead::extender
