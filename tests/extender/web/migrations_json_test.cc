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

json Write(const MigrationReport& report) {
  return json::parse(WriteMigrationsJson(report, kNow, WallTime{} + Seconds(1'700'000'000)));
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

TEST(MigrationsJson, EnforceIsTroubleWhileNothingActs) {
  MigrationReport report = OneGang();
  report.mode = MigrationMode::kEnforce;
  EXPECT_NE(Write(report)["trouble"].get<std::string>().find("moves nothing"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::extender
