#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/config/parse.h"

namespace fairlead {
namespace {

constexpr std::string_view kEverything = R"(
sites: [{name: hk}, {name: sg}]
migration:
  mode: enforce
  optIn: false
  interval: 10s
  evidence: {samples: 7, degradedFor: 2m, staleAfter: 40s}
  margin: 0.5
  betterBy: 20%
  resetAfter: 2h
  costs: {checkpointAge: 5m, checkpointWrite: 10s, restart: 20s, requeue: 0s}
  minRuntime: 1m
  nearCompletion: 2m
  gangCooldown: 3m
  destinationCooldown: 4m
  exclusion: 5h
  gangMoves: 6
  retriesLeft: 3
  limits:
    window: 30m
    cluster: {concurrent: 3, perWindow: 9}
    site: {concurrent: 2, perWindow: 8}
    namespace: {concurrent: 1, perWindow: 7}
  breaker: {lines: 40%, gangs: 0.3, leastGangs: 5, hold: 7m}
  windows: ["Sat 02:00-06:00 UTC", "Mon-Tue 22:00-04:00 UTC"]
  freezes: ["daily 03:00-03:30 UTC"]
  policy: {for: 1m, maxRtt: 40ms, maxJitter: 5ms, maxLoss: 0.1%, minBandwidth: 1Gbps}
  relocation:
    checkpointTimeout: 0s
    beginTimeout: 1m
    terminationGrace: 30s
    evictionPatience: 45s
    followTimeout: 20m
  namespaces: [{name: ml, mode: off}]
  classes: [{priorityClass: batch, mode: dry-run, margin: 1, minRuntime: 1h}]
  lines: [{between: [sg, hk], mode: off, maxRtt: 30ms}]
)";

TEST(MigrationSection, ReadsEveryKey) {
  const Result<Config> config = ParseConfig(kEverything, "f");
  ASSERT_TRUE(config) << config.error().message;
  MigrationConfig expected;
  expected.mode = MigrationMode::kEnforce;
  expected.opt_in = false;
  expected.interval = Seconds(10);
  expected.evidence_samples = 7;
  expected.evidence_for = Seconds(120);
  expected.evidence_stale = Seconds(40);
  expected.margin = 0.5;
  expected.better_by = 0.2;
  expected.reset_after = Seconds(7200);
  expected.costs = {Seconds(300), Seconds(10), Seconds(20), Seconds(0)};
  expected.min_runtime = Seconds(60);
  expected.near_completion = Seconds(120);
  expected.gang_cooldown = Seconds(180);
  expected.destination_cooldown = Seconds(240);
  expected.exclusion = Seconds(5 * 3600);
  expected.gang_moves = 6;
  expected.retries_left = 3;
  expected.limits = {Seconds(1800), {3, 9}, {2, 8}, {1, 7}};
  expected.breaker = {0.4, 0.3, 5, Seconds(420)};
  constexpr std::uint32_t kDay = 24 * 60;
  expected.windows = {{5 * kDay + 120, 240}, {22 * 60, 360}, {kDay + 22 * 60, 360}};
  for (std::uint32_t day = 0; day < 7; ++day) expected.freezes.push_back({day * kDay + 180, 30});
  expected.policy = {Milliseconds(40), Milliseconds(5), 0.001, 1'000'000'000};
  expected.policy_for = Seconds(60);
  expected.relocation = {Seconds(0), Seconds(60), Seconds(30), Seconds(45), Seconds(1200)};
  expected.namespaces = {{"ml", MigrationMode::kOff}};
  expected.classes = {{"batch", MigrationMode::kDryRun, 1.0, Seconds(3600)}};
  expected.lines = {{{"hk", "sg"}, {Milliseconds(30), {}, {}, {}}, MigrationMode::kOff}};
  EXPECT_EQ(config->migration, expected);
}

TEST(MigrationSection, IsDryRunWhereNothingIsSaid) {
  EXPECT_EQ(ParseConfig("sites: []", "f")->migration, MigrationConfig{});
  EXPECT_EQ(MigrationConfig{}.mode, MigrationMode::kDryRun);
}

TEST(MigrationSection, NamesWhatContradictsItselfAndTheRemedy) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"mode: on", "f:1: migration.mode: mode \"on\" is unknown; known: off, dry-run, enforce"},
      {"exclusion: 30m",
       "f:1: migration.exclusion: 30m is shorter than gangCooldown 1h; the next move could go "
       "straight back, raise it"},
      {"interval: 30s",
       "f:1: migration.interval: 30s is not shorter than evidence.staleAfter 30s; nothing would "
       "ever be paid, lower it"},
      {"resetAfter: 10s",
       "f:1: migration.resetAfter: 10s is shorter than evidence.degradedFor 30s; what was paid "
       "would be forgotten before it counts"},
      {"costs: {checkpointAge: 0s, checkpointWrite: 0s, restart: 0s, requeue: 0s}",
       "f:1: migration.costs: are all 0, as if moving were free; give at least restart"},
      {"limits: {cluster: {concurrent: 3, perWindow: 2}}",
       "f:1: migration.limits.cluster.perWindow: 2 is less than concurrent 3; so many could never "
       "run at once, raise it or lower concurrent"},
      {"limits: {site: {concurrent: 3, perWindow: 4}}",
       "f:1: migration.limits.site: allows more than the whole cluster may (2 at once, 6 in a "
       "window); lower it or raise limits.cluster"},
      {"betterBy: 0%",
       "f:1: migration.betterBy: is outside 0%..100%; a place must be better by something"},
      {"breaker: {lines: 0}",
       "f:1: migration.breaker.lines: is 0, which would hold everything always; to move nothing "
       "set mode: off"},
      {"freezes: [\"daily 00:00-24:00 UTC\"]",
       "f:1: migration.freezes: leave no minute of the week in which anything may move; shorten "
       "them, or set mode: off"},
      {"windows: [\"Sat 02:00-06:00 UTC\"], freezes: [\"Fri-Sun 01:00-07:00 UTC\"]",
       "f:1: migration.freezes: leave no minute of the week in which anything may move; shorten "
       "them, or set mode: off"},
      {"policy: {maxRtt: 5ms, maxJitter: 6ms}",
       "f:1: migration.policy.maxJitter: is more than maxRtt, so it could never be exceeded alone; "
       "lower it"},
      {"policy: {minBandwidth: 0bps}",
       "f:1: migration.policy.minBandwidth: is 0, which no line is below; remove the key"},
      {"relocation: {followTimeout: 2m}",
       "f:1: migration.relocation.followTimeout: 2m is not longer than terminationGrace 2m; every "
       "gang would count as stuck before its pods have ended"},
      {"namespaces: [{name: a, mode: off}, {name: a, mode: off}]",
       "f:1: migration.namespaces[1].name: \"a\" is listed twice; keep one"},
      {"classes: [{priorityClass: a}]",
       "f:1: migration.classes[0].priorityClass: changes nothing; give mode, margin or minRuntime "
       "beside it"},
      {"lines: [{between: [a, b]}]",
       "f:1: migration.lines[0].between: site \"a\" is unknown; list it under sites"},
      {"costs: {restart: -1s}",
       "f:1: migration.costs.restart: duration \"-1s\" is negative; write it like "
       "250ms"},
  };
  for (const auto& [yaml, message] : mistakes) {
    const Result<Config> config = ParseConfig("migration: {" + yaml + "}", "f");
    ASSERT_FALSE(config) << yaml;
    EXPECT_EQ(config.error().message, message);
  }
}

TEST(WeeklyWindow, HoldsItsMinutesAndGoesOverMidnightAndTheWeeksEnd) {
  const auto at = [](std::int64_t minute_of_week) {
    // 2026-11-30 00:00 UTC was a Monday.
    return WallTime(Seconds(1'795'996'800 + minute_of_week * 60));
  };
  const auto window = ParseWeeklyWindow("Sun 22:00-04:00 UTC").value().front();
  constexpr std::int64_t kSunday = 6 * 24 * 60;
  EXPECT_FALSE(window.Contains(at(kSunday + 22 * 60 - 1)));
  EXPECT_TRUE(window.Contains(at(kSunday + 22 * 60)));
  EXPECT_TRUE(window.Contains(at(7 * 24 * 60 + 239)));
  EXPECT_TRUE(window.Contains(at(239))) << "every week";
  EXPECT_FALSE(window.Contains(at(240)));
  EXPECT_EQ(ParseWeeklyWindow("Fri-Mon 01:00-02:00 UTC")->size(), 4U);
  EXPECT_TRUE(ParseWeeklyWindow("Thu 00:00-00:01 UTC")->front().Contains(WallTime{}));
  EXPECT_FALSE(ParseWeeklyWindow("Thu 00:00-00:01 UTC")->front().Contains(WallTime(Seconds(-1))));
}

TEST(WeeklyWindow, RefusesWhatItIsNot) {
  for (const char* text :
       {"", " UTC", "Sat UTC", "Sat 02:00-06:00", "Sat 02:00-06:00 CET", "Sa 02:00-06:00 UTC",
        "Sat 2:00-6:00 UTC", "Sat 02:60-06:00 UTC", "Sat 25:00-26:00 UTC", "Sat 24:00-06:00 UTC",
        "Sat 24:30-06:00 UTC", "Sat 02:00-02:00 UTC", "Mon-Xyz 02:00-06:00 UTC",
        "Sat 02:00-06:00 UTC UTC", "Sat  02:00-06:00 UTC", "Sat -1:00-06:00 UTC"}) {
    const auto windows = ParseWeeklyWindow(text);
    ASSERT_FALSE(windows) << text;
    EXPECT_TRUE(windows.error().message.ends_with("; write it like Sat 02:00-06:00 UTC")) << text;
  }
}

}  // namespace
}  // namespace fairlead
