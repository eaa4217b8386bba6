#include "extender/web/migrations_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fairlead::extender {
namespace {

using nlohmann::json;

const MonotonicTime kNow = MonotonicTime{} + Seconds(1000);

MigrationReport OneGang() {
  GangReport report;
  report.gang.key = {"job", "ml", "u1", {}};
  report.gang.name = "ml/tr\"ain";
  report.gang.members = {{"hk", 1}, {"sg", 1}};
  report.gang.crosses = {{"hk", "sg"}};
  report.gang.step_seconds = 0.1;
  report.gang.history = {{.id = "2",
                          .begun_ago = Seconds(500),
                          .ended_ago = std::nullopt,
                          .disturbed = true,
                          .from = {{"hk", 2}},
                          .to = {{"sg", 2}},
                          .left = {}}};
  report.gang.size = report.gang.ready = 2;
  report.gang.cost.restart = {Seconds(90), CostSource::kAnnotation};
  report.verdict.mode = MigrationMode::kDryRun;
  report.verdict.reason = MigrationReason::kSaving;
  report.verdict.sentence = "because \xff";
  report.verdict.to = Place{.members = {{"tyo", 2}}, .step_seconds = 0.05, .lines = {}};
  report.verdict.leaves = {{"hk", "sg"}};
  report.verdict.paid = Seconds(60);
  report.verdict.rate = 0.5;
  report.verdict.cost = Seconds(100);
  report.verdict.threshold = Seconds(120);
  report.since = kNow - Seconds(7);
  MigrationReport all;
  all.decided = true;
  all.at = kNow - Seconds(2);
  all.mode = MigrationMode::kDryRun;
  all.leading = all.cluster_fresh = true;
  all.gangs = {report};
  return all;
}

json Write(const MigrationReport& report, const MovesReport& moves = {}) {
  return json::parse(WriteMigrationsJson(report, moves, kNow, WallTime{} + Seconds(1'700'000'000)));
}

TEST(MigrationsJson, TellsTheMeterOfEachGang) {
  const json all = Write(OneGang());
  EXPECT_EQ(all["version"], 1);
  EXPECT_EQ(all["mode"], "dry-run");
  EXPECT_EQ(all["acts"], false);
  EXPECT_EQ(all["decided_age_seconds"], 2);
  EXPECT_TRUE(all["held"].is_null());
  EXPECT_TRUE(all["trouble"].is_null());
  const json& gang = all["gangs"][0];
  EXPECT_EQ(gang["gang"], "job ml/u1");
  EXPECT_EQ(gang["name"], "ml/tr\"ain");
  EXPECT_EQ(gang["reason"], MigrationReasonName(MigrationReason::kSaving));
  EXPECT_EQ(gang["reason_age_seconds"], 7);
  EXPECT_EQ(gang["paid_seconds"], 60);
  EXPECT_EQ(gang["paying_ratio"], 0.5);
  EXPECT_EQ(gang["threshold_seconds"], 120);
  EXPECT_EQ(gang["cost"]["restart"], (json{{"seconds", 90}, {"source", "annotation"}}));
  EXPECT_EQ(gang["crosses"], json::parse(R"([["hk","sg"]])"));
  EXPECT_EQ(gang["to"]["members"], json::parse(R"([{"site":"tyo","members":2}])"));
  EXPECT_EQ(gang["history"][0]["id"], "2");
  EXPECT_EQ(gang["history"][0]["began_age_seconds"], 500);
  EXPECT_TRUE(gang["history"][0]["ended_age_seconds"].is_null());
  EXPECT_EQ(gang["history"][0]["to"][0]["site"], "sg");
  EXPECT_TRUE(gang["may_change_in_seconds"].is_null());
  EXPECT_TRUE(gang["remaining_seconds"].is_null());
}

TEST(MigrationsJson, WhatIsNotKnownIsNull) {
  const json before = Write({});
  EXPECT_TRUE(before["mode"].is_null());
  EXPECT_TRUE(before["decided_age_seconds"].is_null());
  MigrationReport report = OneGang();
  report.held = true;
  report.held_why = "all lines of site hk are bad";
  report.gangs[0].verdict.to.reset();
  report.gangs[0].verdict.cost.reset();
  report.gangs[0].verdict.threshold.reset();
  const json all = Write(report);
  EXPECT_EQ(all["held"], "all lines of site hk are bad");
  EXPECT_TRUE(all["gangs"][0]["to"].is_null());
  EXPECT_TRUE(all["gangs"][0]["cost_seconds"].is_null());
  EXPECT_TRUE(all["gangs"][0]["threshold_seconds"].is_null());
}

TEST(MigrationsJson, HasMovesThatAreOpenAndOver) {
  MovesReport moves;
  moves.acts = true;
  const GangKey gang{"job", "ml", "u1", {}};
  const WallTime began = WallTime{} + Seconds(1'699'999'000);
  moves.open.push_back({.gang = gang,
                        .name = "ml/train",
                        .record = {.number = 3,
                                   .step = MoveStep::kFollow,
                                   .began = began,
                                   .since = began + Seconds(100),
                                   .from = {{"hk", 2}},
                                   .to = {{"tyo", 2}},
                                   .left = {{"hk", "sg"}},
                                   .stuck = "1 of 2 members run",
                                   .why = "because"},
                        .waits = "1 of 2 members run",
                        .taken = kNow - Seconds(7)});
  moves.ended.push_back({.gang = gang, .name = "ml/train", .text = "gone", .at = kNow});
  const json all = Write({}, moves);
  EXPECT_EQ(all["acts"], true);
  EXPECT_EQ(all["trouble"], "the move of ml/train is stuck: 1 of 2 members run");
  const json& open = all["moves_open"][0];
  EXPECT_EQ(open["gang"], gang.Text());
  EXPECT_EQ(open["step"], "follow");
  EXPECT_EQ(open["number"], 3);
  EXPECT_EQ(open["began_age_seconds"], 1000);
  EXPECT_EQ(open["step_age_seconds"], 900);
  EXPECT_EQ(open["to"][0]["site"], "tyo");
  EXPECT_EQ(open["left"][0][1], "sg");
  EXPECT_EQ(open["in_hand_seconds"], 7);
  const json& ended = all["moves_ended"][0];
  EXPECT_EQ(ended["step"], "decided");
  EXPECT_TRUE(ended["number"].is_null());
  EXPECT_EQ(ended["text"], "gone");
  EXPECT_EQ(ended["ended_age_seconds"], 0);
}

}  // namespace
}  // namespace fairlead::extender
