#include "extender/migration/migration_decider.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "extender/migration/assessment.h"
#include "extender/migration/round_gates.h"

namespace fairlead::extender {
namespace {

// A gang that the cluster's view does not show keeps its account for so long.
constexpr Nanoseconds kAccountStands = Seconds(600);
constexpr Nanoseconds kDay = Seconds(24 * 3600);

JudgedLines JudgeAll(const MigrationRound& round, const MigrationConfig& config) {
  JudgedLines judged;
  for (const LineCondition& line : round.lines) {
    judged[line.line] = {line, JudgeLine(line, config)};
  }
  return judged;
}

std::string EventOf(const JudgedLines& lines, const MigrationRound& round,
                    const std::vector<Assessment>& assessments, const BreakerConfig& config) {
  std::vector<JudgedLine> judged;
  for (const auto& [line, condition] : lines) judged.push_back({line, condition.judgement});
  const auto on_lines = std::ranges::count_if(
      round.gangs, [](const GangCondition& gang) { return !gang.crosses.empty(); });
  const auto qualifying = std::ranges::count_if(assessments, [](const Assessment& assessment) {
    return assessment.verdict.reason == MigrationReason::kMove;
  });
  return MassEvent(judged, static_cast<std::size_t>(on_lines), static_cast<std::size_t>(qualifying),
                   config);
}

// Indices of gangs that qualify, the first to be asked first.
std::vector<std::size_t> InOrder(const MigrationRound& round,
                                 const std::vector<Assessment>& assessments) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < assessments.size(); ++i) {
    if (assessments[i].verdict.reason == MigrationReason::kMove) order.push_back(i);
  }
  const auto rank = [&](std::size_t i) {
    const GangCondition& gang = round.gangs[i];
    return std::tuple(-static_cast<std::int64_t>(gang.priority),
                      -assessments[i].verdict.rate * gang.size, gang.key);
  };
  std::ranges::sort(order, {}, rank);
  return order;
}

}  // namespace

ExcessMeter& MigrationDecider::MeterOf(const GangCondition& gang, MonotonicTime now) {
  Account& account = accounts_[gang.key];
  // A member that is being replaced is no change of place.
  const bool whole = gang.size > 0 && gang.ready >= gang.size;
  if (whole && account.members != gang.members) {
    account.meter.Reset();
    account.members = gang.members;
  }
  account.seen = now;
  return account.meter;
}

void MigrationDecider::Expire(MonotonicTime now, const MigrationConfig& config) {
  std::erase_if(accounts_,
                [&](const auto& entry) { return now - entry.second.seen > kAccountStands; });
  ledger_.Expire(now, std::max({config.limits.window, config.destination_cooldown, kDay}));
}

MigrationDecisions MigrationDecider::Decide(const MigrationRound& round,
                                            const MigrationConfig& config) {
  const JudgedLines lines = JudgeAll(round, config);
  for (const GangCondition& gang : round.gangs) {
    for (const PastMove& move : gang.history) ledger_.Note(gang.key, move, round.now);
  }
  for (const RecordedMove& other : round.others) ledger_.Note(other.gang, other.move, round.now);
  Expire(round.now, config);

  const Surroundings around{config, lines, ledger_, round.cluster_fresh, round.now};
  std::vector<Assessment> assessments;
  assessments.reserve(round.gangs.size());
  for (const GangCondition& gang : round.gangs) {
    assessments.push_back(Assess(gang, MeterOf(gang, round.now), around));
  }

  MigrationDecisions decisions;
  decisions.breaker = breaker_.Observe(EventOf(lines, round, assessments, config.breaker),
                                       round.now, config.breaker.hold);
  decisions.held = breaker_.open();
  decisions.held_why = breaker_.why();
  const RoundGates gates{config, breaker_, round.leading, round.now, round.wall};
  const bool stale_triggers = decisions.breaker == MassBreaker::Change::kClosed;
  std::set<std::string> claimed = ledger_.PendingDestinations();
  for (const std::size_t i : InOrder(round, assessments)) {
    const GangCondition& gang = round.gangs[i];
    MigrationVerdict& verdict = assessments[i].verdict;
    if (stale_triggers) {
      verdict.reason = MigrationReason::kSaving;
      verdict.sentence += "; but what was paid while everything was held counts no more";
      continue;
    }
    PassGates(gang, assessments[i], gates, ledger_, claimed);
    if (verdict.reason != MigrationReason::kMove) continue;
    ledger_.Decided(gang.key, gang.members, verdict.to->members, round.now);
    claimed.merge(SitesJoined(gang.members, verdict.to->members));
  }
  if (stale_triggers) {
    for (auto& [key, account] : accounts_) account.meter.Reset();
  }
  for (Assessment& assessment : assessments) {
    MigrationVerdict& verdict = assessment.verdict;
    if (verdict.may_be_given_up && verdict.unwanted.empty()) {
      verdict.unwanted = HeldBecause(gates);
    }
    decisions.verdicts.push_back(std::move(assessment.verdict));
  }
  return decisions;
}

}  // namespace fairlead::extender
