// A cluster of three sites in which a gang crosses hk-sg and could go to tyo.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "extender/migration/migration_decider.h"

namespace fairlead::extender {

inline MonotonicTime At(Nanoseconds since) { return MonotonicTime(Seconds(1'000'000)) + since; }

inline LineCondition LineOf(std::string a, std::string b, LinkState state = LinkState::kHealthy) {
  const bool bad = state == LinkState::kDegraded || state == LinkState::kDown;
  return {.line = {std::move(a), std::move(b)},
          .state = state,
          .reason = bad ? LinkReason::kRttStep : LinkReason::kNone,
          .state_age = Seconds(3600),
          .samples = 600,
          .age = Seconds(1),
          .quorum = 2,
          .agreeing = bad ? 2U : 0U};
}

// Stays 100 ms a step on hk-sg, would take 50 ms in tyo: half of its time is lost. Moving costs
// 20 min.
inline GangCondition GangOf(std::string id) {
  GangCondition gang;
  gang.key = {"job", "ml", id, {}};
  gang.name = "ml/" + id;
  gang.members = {{"hk", 2}, {"sg", 1}};
  gang.crosses = {{"hk", "sg"}};
  gang.step_seconds = 0.1;
  gang.places = {{.members = {{"tyo", 3}}, .step_seconds = 0.05, .lines = {}}};
  gang.cost = {{Seconds(900), CostSource::kDefault},
               {Seconds(60), CostSource::kAnnotation},
               {Seconds(180), CostSource::kObservation},
               {Seconds(60), CostSource::kDefault}};
  gang.running_for = Seconds(100'000);
  gang.size = 3;
  gang.ready = 3;
  return gang;
}

inline MigrationConfig Enforcing() {
  MigrationConfig config;
  config.mode = MigrationMode::kEnforce;
  return config;
}

class MigrationCluster {
 public:
  explicit MigrationCluster(MigrationConfig config_in = Enforcing())
      : config(std::move(config_in)) {
    round.lines = {LineOf("hk", "sg"), LineOf("hk", "tyo"), LineOf("sg", "tyo")};
    round.leading = true;
    round.cluster_fresh = true;
    round.wall = WallTime(Seconds(1'795'996'800));  // a Monday, 00:00 UTC
  }

  void Degrade(LinkState state = LinkState::kDegraded) {
    round.lines[0] = LineOf("hk", "sg", state);
  }
  MigrationDecisions Step(Nanoseconds step = Seconds(5)) {
    elapsed += step;
    round.now = At(elapsed);
    round.wall += step;
    return decider.Decide(round, config);
  }
  // The first gang's verdict after rounds of 5 s for so long.
  MigrationVerdict After(Nanoseconds span) {
    MigrationVerdict verdict;
    for (Nanoseconds passed{}; passed < span; passed += Seconds(5)) {
      verdict = Step().verdicts.front();
      if (verdict.reason == MigrationReason::kMove) break;
    }
    return verdict;
  }

  MigrationConfig config;
  MigrationRound round;
  MigrationDecider decider;
  Nanoseconds elapsed{};
};

}  // namespace fairlead::extender
