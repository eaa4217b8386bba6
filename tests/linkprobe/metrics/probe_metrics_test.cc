#include "linkprobe/metrics/probe_metrics.h"

#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <functional>
#include <map>

#include "linkprobe/metrics/health.h"
#include "tests/linkprobe/fakes/manual_clock.h"

namespace fairlead::linkprobe {
namespace {

using Dials = std::map<std::string, DialStatus>;

class ProbeMetricsTest : public testing::Test {
 protected:
  std::string Scrape() {
    const ProbeMetrics metrics(
        {.node = "hk-1",
         .version = "1.2.3",
         .site = [] { return "hk"; },
         .engines = [this] { return std::vector{std::make_shared<const EngineSnapshot>(engine_)}; },
         .session_requests = [] { return OpenCounts{}; },
         .dials = dials_,
         .report = [] { return ReportStatus{}; },
         .verdicts = [this] { return verdicts_; },
         .config_reloads = [this] { return reloads_; }},
        clock_);
    return prometheus::TextSerializer().Serialize(metrics.Collect());
  }
  bool Has(const std::string& text) { return Scrape().find(text) != std::string::npos; }

  PathStatus& AddPath() {
    PathStatus& path = engine_.paths.emplace_back();
    path.peer_node = "sg-1";
    path.peer_site = "sg";
    path.measurement.rung = TransportRung::kRdmaUdSw;
    return path;
  }

  ManualClock clock_;
  EngineSnapshot engine_;
  std::function<std::shared_ptr<const Dials>()> dials_ = [] {
    return std::make_shared<const Dials>();
  };
  ReloadStats reloads_;
  VerdictStatus verdicts_;
  const std::string labels_ =
      R"(src_site="hk",dst_site="sg",peer="sg-1",path="0",transport="rdma_ud_sw")";
};

TEST_F(ProbeMetricsTest, ShowsWhatThePluginIsTold) {
  verdicts_ = {.sent = 5,
               .absent = 4,
               .busy = 3,
               .failed = 2,
               .opinions = {{.nic = {.device = "mlx5_0", .port = 2}, .bad = true}}};
  EXPECT_TRUE(Has(R"(fairlead_linkprobe_nic_bad{device="mlx5_0",port="2"} 1)"));
  EXPECT_TRUE(Has(R"(nic_verdicts_total{result="sent"} 5)"));
  EXPECT_TRUE(Has(R"(nic_verdicts_total{result="absent"} 4)"));
  EXPECT_TRUE(Has(R"(nic_verdicts_total{result="busy"} 3)"));
  EXPECT_TRUE(Has(R"(nic_verdicts_total{result="failed"} 2)"));
}

TEST_F(ProbeMetricsTest, ShowsReloadsAndKeysThatNeedARestart) {
  reloads_ = {.successes = 2,
              .failures = 1,
              .restart_keys = {{"linkprobe.paths", true}, {"linkprobe.device", false}}};
  EXPECT_TRUE(Has(R"(config_reloads_total{result="applied"} 2)"));
  EXPECT_TRUE(Has(R"(fairlead_linkprobe_config_restart_needed{key="linkprobe.paths"} 1)"));
  EXPECT_TRUE(Has(R"(fairlead_linkprobe_config_restart_needed{key="linkprobe.device"} 0)"));
}

TEST_F(ProbeMetricsTest, ShowsAPathInBaseUnits) {
  PathStatus& path = AddPath();
  path.measurement.rtt_min = Milliseconds(36);
  path.measurement.rtt_p50 = std::chrono::microseconds(36500);
  path.floor_rtt = Milliseconds(24);
  path.totals.sent = 100;
  path.totals.lost_forward = 3;
  path.verdict.verdict = {.state = LinkState::kDegraded, .reason = LinkReason::kLossForward};
  path.last_reply = clock_.Now() - Seconds(2);
  path.excess.Add(std::chrono::microseconds(60));
  const std::string text = Scrape();
  for (const std::string& line : {
           "fairlead_linkprobe_rtt_p50_seconds{" + labels_ + "} 0.0365",
           "fairlead_linkprobe_path_stretch_ratio{" + labels_ + "} 1.5",
           "fairlead_linkprobe_probes_sent_total{" + labels_ + "} 100",
           "fairlead_linkprobe_probes_lost_total{" + labels_ + ",direction=\"forward\"} 3",
           "fairlead_linkprobe_link_state{" + labels_ + ",state=\"Degraded\"} 1",
           "fairlead_linkprobe_link_state{" + labels_ + ",state=\"Healthy\"} 0",
           "fairlead_linkprobe_link_reason{" + labels_ + ",reason=\"loss_forward\"} 1",
           "fairlead_linkprobe_rtt_excess_seconds_bucket{" + labels_ + ",le=\"0.0001\"} 1",
           "fairlead_linkprobe_rtt_excess_seconds_bucket{" + labels_ + ",le=\"+Inf\"} 1",
           std::string("fairlead_linkprobe_last_reply_timestamp_seconds{") + labels_ +
               "} 1800000998",
           std::string("fairlead_linkprobe_info{version=\"1.2.3\",node=\"hk-1\",site=\"hk\"} 1"),
       }) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
  }
}

TEST_F(ProbeMetricsTest, ShowsWhatDiffersBetweenTheEnds) {
  AddPath().differences = {{EndTrait::kPathMtu, "4096", "1024"}};
  EXPECT_TRUE(Has("fairlead_linkprobe_peer_difference{" + labels_ +
                  R"(,trait="path_mtu",here="4096",there="1024"} 1)"));
}

TEST_F(ProbeMetricsTest, WhatIsNotKnownHasNoSeries) {
  AddPath();
  for (const char* name :
       {"rtt_min_seconds", "rtt_p50_seconds", "jitter_seconds", "path_hops", "loss_ratio",
        "path_stretch_ratio", "last_reply_timestamp_seconds", "peer_difference"}) {
    EXPECT_FALSE(Has(std::string("fairlead_linkprobe_") + name + "{")) << name;
  }
  EXPECT_TRUE(Has("fairlead_linkprobe_link_state{" + labels_ + ",state=\"Unknown\"} 1"));
}

TEST_F(ProbeMetricsTest, SeriesOfADepartedPeerVanish) {
  AddPath();
  EXPECT_TRUE(Has("peer=\"sg-1\""));
  engine_.paths.clear();
  EXPECT_FALSE(Has("peer=\"sg-1\""));
}

// The dialer publishes a new map and drops the old one at any time, so during a scrape the scrape
// may be the only one to hold it. This owner empties the map as soon as nobody does.
TEST_F(ProbeMetricsTest, HoldsTheDialsWhileItReadsThem) {
  Dials dials;
  dials_ = [&dials] {
    dials = {{"sg-1", {.attempts = 3, .failures = 1, .last_error = {}}},
             {"tyo-1", {.attempts = 5, .failures = 2, .last_error = {}}}};
    return std::shared_ptr<const Dials>(
        &dials, [](const Dials* emptied) { const_cast<Dials*>(emptied)->clear(); });
  };
  const std::string text = Scrape();
  for (const char* line :
       {R"(session_dials_total{peer="sg-1"} 3)", R"(session_dials_total{peer="tyo-1"} 5)",
        R"(session_dial_failures_total{peer="tyo-1"} 2)"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
  }
  EXPECT_TRUE(dials.empty()) << "the scrape holds them no longer than it reads";
}

// What a host adds shows also where no packet is sent, and for each transport on its own.
TEST_F(ProbeMetricsTest, ShowsHowLateTheHostWakes) {
  EXPECT_FALSE(Has("host_lateness_p90_seconds{")) << "not known yet";
  engine_.kind = TransportKind::kRdmaUd;
  engine_.lateness.Add(std::chrono::microseconds(80));
  engine_.lateness.Add(Milliseconds(30));
  engine_.lateness_p90 = Milliseconds(30);
  const std::string text = Scrape();
  for (const char* line :
       {R"(fairlead_linkprobe_host_lateness_p90_seconds{kind="verbs"} 0.03)",
        R"(fairlead_linkprobe_host_lateness_seconds_bucket{kind="verbs",le="5e-05"} 0)",
        R"(fairlead_linkprobe_host_lateness_seconds_bucket{kind="verbs",le="0.0001"} 1)",
        R"(fairlead_linkprobe_host_lateness_seconds_bucket{kind="verbs",le="+Inf"} 2)",
        R"(fairlead_linkprobe_host_lateness_seconds_count{kind="verbs"} 2)"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
  }
}

TEST_F(ProbeMetricsTest, EveryReasonOfARefusedPacketIsCounted) {
  engine_.counters.refused[static_cast<std::size_t>(DropReason::kBadMac)] = 4;
  EXPECT_TRUE(Has(R"(fairlead_linkprobe_packets_refused_total{kind="udp",reason="bad_mac"} 4)"));
  EXPECT_TRUE(Has(R"(fairlead_linkprobe_packets_refused_total{kind="udp",reason="too_old"} 0)"));
}

TEST(HealthTest, SaysWhatIsMissing) {
  auto engine = std::make_shared<EngineSnapshot>();
  ReportStatus report;
  report.last_error = "the extender cannot be reached";
  Health health = IsReady(Plan{}, report, {engine});
  EXPECT_FALSE(health.ok);
  EXPECT_NE(health.reason.find("no plan"), std::string::npos);
  EXPECT_NE(health.reason.find("cannot be reached"), std::string::npos);

  Plan plan{.term = 1, .revision = 1, .site = "hk", .peers = {PlannedPeer{.node = "sg-1"}}};
  engine->transport_error = "port is taken";
  health = IsReady(plan, report, {engine});
  EXPECT_FALSE(health.ok);
  EXPECT_NE(health.reason.find("port is taken"), std::string::npos);

  engine->transport_up = true;
  EXPECT_TRUE(IsReady(plan, report, {engine}).ok) << "nothing to probe";
  plan.peers.front().probe = true;
  EXPECT_FALSE(IsReady(plan, report, {engine}).ok);
  engine->paths.emplace_back().measurement.samples = 1;
  EXPECT_TRUE(IsReady(plan, report, {engine}).ok);
}

TEST(HealthTest, NamesTheLoopThatStands) {
  const MonotonicTime now{Seconds(100)};
  EXPECT_TRUE(LoopsAreTurning({{"engine", now - Seconds(2), Seconds(10)}}, now).ok);
  const Health health = LoopsAreTurning(
      {{"dialer", now - Seconds(2), Seconds(10)}, {"engine", now - Seconds(11), Seconds(10)}}, now);
  EXPECT_FALSE(health.ok);
  EXPECT_EQ(health.reason, "engine has not come round for 11 s");
}

}  // namespace
}  // namespace fairlead::linkprobe
