#include <gmock/gmock.h>
#include <prometheus/collectable.h>
#include <prometheus/text_serializer.h>

#include "common/link/loss_interval.h"
#include "extender/metrics/extender_metrics.h"
#include "extender/metrics/lease_collector.h"
#include "extender/metrics/link_collector.h"
#include "extender/metrics/link_publish_collector.h"
#include "extender/metrics/migration_collector.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Text(const prometheus::Collectable& collectable) {
  return prometheus::TextSerializer().Serialize(collectable.Collect());
}

std::string Text(const ExtenderMetrics& metrics) { return Text(*metrics.collectable().lock()); }

TEST(ExtenderMetrics, CountsRequestsByPathAndCode) {
  ExtenderMetrics metrics;
  metrics.Served("/kube/prioritize", 200, Nanoseconds(150'000));
  metrics.Served("/kube/prioritize", 200, Nanoseconds(150'000));
  metrics.Served("/wp-admin", 404, std::nullopt);
  const std::string text = Text(metrics);
  EXPECT_THAT(
      text, HasSubstr(R"(fairlead_extender_requests_total{code="200",path="/kube/prioritize"} 2)"));
  EXPECT_THAT(text, HasSubstr(R"(fairlead_extender_requests_total{code="404",path="other"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(duration_seconds_count{path="/kube/prioritize"} 2)"));
  EXPECT_THAT(text, HasSubstr(R"(path="/kube/prioritize",le="0.0001"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(path="/kube/prioritize",le="0.0002"} 2)"));
  EXPECT_THAT(text, Not(HasSubstr("wp-admin")));
}

TEST(LinkPublishCollector, CountsWritesByWhatBecameOfThem) {
  LinkPublishStatus status;
  status.written = 7;
  status.removed = 1;
  status.defined = true;
  status.objects = 3;
  status.failures[static_cast<std::size_t>(kube::ApiFailure::kForbidden)] = 2;
  const std::string text = Text(LinkPublishCollector([&] { return status; }));
  constexpr char kWrites[] = "fairlead_extender_link_status_writes_total";
  EXPECT_THAT(text, HasSubstr(std::string(kWrites) + R"({result="written"} 7)"));
  EXPECT_THAT(text, HasSubstr(std::string(kWrites) + R"({result="removed"} 1)"));
  EXPECT_THAT(text, HasSubstr(std::string(kWrites) + R"({result="forbidden"} 2)"));
  EXPECT_THAT(text, Not(HasSubstr("not_found")));
  EXPECT_THAT(text, HasSubstr("fairlead_extender_link_objects 3"));
  EXPECT_THAT(text, HasSubstr("fairlead_extender_link_definition 1"));
}

TEST(ExtenderMetrics, CountsWhatProbesBring) {
  ExtenderMetrics metrics;
  metrics.ReportsAccepted(3);
  metrics.ReportRefused("implausible");
  metrics.DecodeError("truncated");
  const std::string text = Text(metrics);
  EXPECT_THAT(text, HasSubstr("fairlead_extender_reports_accepted_total 3"));
  EXPECT_THAT(text, HasSubstr(R"(reports_refused_total{reason="implausible"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(decode_errors_total{reason="truncated"} 1)"));
}

TEST(ExtenderMetrics, CountsReloads) {
  ExtenderMetrics metrics;
  EXPECT_THAT(Text(metrics), HasSubstr(R"(config_reloads_total{result="refused"} 0)"));
  metrics.ConfigReloads({.successes = 1, .failures = 1});
  metrics.ConfigReloads({.successes = 1,
                         .failures = 3,
                         .restart_keys = {{"tls.keyFile", true}, {"tls.caFile", true}}});
  const std::string text = Text(metrics);
  EXPECT_THAT(text, HasSubstr(R"(fairlead_extender_config_reloads_total{result="applied"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(fairlead_extender_config_reloads_total{result="refused"} 3)"));
  EXPECT_THAT(text, HasSubstr(R"(fairlead_extender_config_restart_needed{key="tls.keyFile"} 1)"));
  metrics.ConfigReloads({.successes = 1,
                         .failures = 3,
                         .restart_keys = {{"tls.keyFile", false}, {"tls.caFile", true}}});
  EXPECT_THAT(Text(metrics), HasSubstr(R"(config_restart_needed{key="tls.keyFile"} 0)"));
  EXPECT_THAT(Text(metrics), HasSubstr(R"(config_restart_needed{key="tls.caFile"} 1)"));
}

TEST(MigrationCollector, HasEveryReasonFromTheFirstScrapeOn) {
  MigrationReport report;
  const Snapshot<MigrationReport> none;
  const Snapshot<MovesReport> no_moves;
  const std::string before = Text(MigrationCollector(none, no_moves));
  EXPECT_THAT(before, HasSubstr(R"(fairlead_extender_migration_mode{mode="off"} 0)"));
  for (const MigrationReason reason : kAllMigrationReasons) {
    const std::string label = "{reason=\"" + std::string(MigrationReasonName(reason)) + "\"} 0";
    EXPECT_THAT(before, HasSubstr("fairlead_extender_migration_gangs" + label));
    EXPECT_THAT(before, HasSubstr("fairlead_extender_migration_verdicts_total" + label));
  }
  report.decided = true;
  report.mode = MigrationMode::kEnforce;
  report.held = true;
  report.rounds = 3;
  report.verdicts = {{MigrationReason::kMove, 2}};
  report.gangs.resize(2);
  report.gangs[1].verdict.reason = MigrationReason::kMove;
  const Snapshot<MigrationReport> known(report);
  MovesReport moves;
  moves.open.push_back({.record = {.number = 1, .step = MoveStep::kFollow, .stuck = "1 of 2 run"}});
  moves.open.push_back({});
  moves.outcomes[{LeverKind::kSuspend, "done"}] = 4;
  moves.calls[{"set_suspend", CallResult::kConflict}] = 5;
  const Snapshot<MovesReport> moving(moves);
  const std::string text = Text(MigrationCollector(known, moving));
  EXPECT_THAT(text, HasSubstr(R"(migration_gangs{reason="move"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_gangs{reason="off"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_verdicts_total{reason="move"} 2)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_mode{mode="enforce"} 1)"));
  EXPECT_THAT(text, HasSubstr("migration_held 1"));
  EXPECT_THAT(before, HasSubstr(R"(migration_moves_open{step="stop"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_moves_open{step="follow"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_moves_open{step="decided"} 1)"));
  EXPECT_THAT(text, HasSubstr("migration_moves_stuck 1"));
  EXPECT_THAT(text, HasSubstr(R"(migration_moves_total{lever="suspend",outcome="done"} 4)"));
  EXPECT_THAT(text, HasSubstr(R"(migration_calls_total{kind="set_suspend",result="conflict"} 5)"));
  EXPECT_THAT(text, HasSubstr("migration_rounds_total 3"));
}

TEST(LinkCollector, ShowsWhatIsKnownAndLeavesOutTheRest) {
  LinkView link;
  link.key = {.from_site = "hk", .to_site = "sg"};
  link.state = LinkState::kDegraded;
  link.rtt_p50 = Milliseconds(36);
  link.forward.loss = MakeLossInterval(1, 10);
  LinkSnapshot snapshot;
  snapshot.links = {link};
  const Snapshot<LinkSnapshot> links(snapshot);
  const Snapshot<RegistryStatus> status(
      RegistryStatus{.connected = {{"hk", 2}}, .plan_revision = 5});
  const std::string text = Text(LinkCollector(links, status));
  EXPECT_THAT(text, HasSubstr(R"(link_state{src_site="hk",dst_site="sg",state="Degraded"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(link_state{src_site="hk",dst_site="sg",state="Healthy"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(link_rtt_p50_seconds{src_site="hk",dst_site="sg"} 0.036)"));
  EXPECT_THAT(text,
              HasSubstr(R"(link_loss_ratio{src_site="hk",dst_site="sg",direction="forward"} 0.1)"));
  EXPECT_THAT(text, Not(HasSubstr("reverse")));
  EXPECT_THAT(text, Not(HasSubstr("link_age_seconds{")));
  EXPECT_THAT(text, HasSubstr(R"(probes_connected{site="hk"} 2)"));
  EXPECT_THAT(text, HasSubstr("plan_revision 5"));
}

TEST(LinkCollector, ShowsWhatALineCarriesAndWhyItIsNotTested) {
  LinkView link;
  link.key = {.from_site = "hk", .to_site = "sg"};
  LinkSnapshot snapshot;
  snapshot.links = {link};
  Snapshot<LinkSnapshot> links(snapshot);
  const Snapshot<RegistryStatus> status;
  const LinkCollector collector(links, status);
  EXPECT_THAT(Text(collector), Not(HasSubstr("bytes_per_second{")));
  EXPECT_THAT(Text(collector), Not(HasSubstr("port_loss_ratio{")));
  LinkView& known = snapshot.links[0];
  known.rate = LineRate{.bytes_per_second = 5e6, .source = RateSource::kTrain};
  known.used = LineUse{.bytes_per_second = 2e6};
  known.available_bytes_per_second = 3e6;
  known.declared_doubt = DeclaredRateDoubt::kNotReached;
  known.port_loss = LineLoss{.interval = {.lower = 0.25, .upper = 0.5}};
  links.Publish(snapshot);
  const std::string text = Text(collector);
  EXPECT_THAT(
      text,
      HasSubstr(
          R"(link_rate_bytes_per_second{src_site="hk",dst_site="sg",source="train"} 5000000)"));
  EXPECT_THAT(text,
              HasSubstr(R"(link_used_bytes_per_second{src_site="hk",dst_site="sg"} 2000000)"));
  EXPECT_THAT(text,
              HasSubstr(R"(link_available_bytes_per_second{src_site="hk",dst_site="sg"} 3000000)"));
  EXPECT_THAT(text,
              HasSubstr(R"(declared_doubt{src_site="hk",dst_site="sg",doubt="not_reached"} 1)"));
  EXPECT_THAT(
      text,
      HasSubstr(R"(port_loss_ratio{src_site="hk",dst_site="sg",counts="no",bound="lower"} 0.25)"));
  EXPECT_THAT(text, HasSubstr(R"(counts="no",bound="upper"} 0.5)"));
}

TEST(LeaseCollector, CountsFromZeroAndNamesEachReason) {
  RegistryStatus status;
  status.leases.waits[{{.from_site = "hk", .to_site = "sg"}, LeaseKind::kTrain}] = LeaseWait::kGang;
  status.leases.ended[{LeaseKind::kTrain, kSilence}] = 2;
  status.leases.spent_today["hk-sg"] = 12;
  const Snapshot<RegistryStatus> newest(status);
  const std::string text = Text(LeaseCollector(newest));
  EXPECT_THAT(text, HasSubstr(R"(bandwidth_leases_granted_total{kind="saturation"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(bandwidth_leases_ended_total{kind="train",result="lapsed"} 2)"));
  EXPECT_THAT(text, HasSubstr(R"(bandwidth_leases_ended_total{kind="train",result="measured"} 0)"));
  EXPECT_THAT(
      text,
      HasSubstr(R"(bandwidth_wait{src_site="hk",dst_site="sg",kind="train",reason="gang"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(bandwidth_spent_today_bytes{line="hk-sg"} 12)"));
}

TEST(LinkCollector, SeriesOfALinkThatIsGoneVanish) {
  Snapshot<LinkSnapshot> links;
  const Snapshot<RegistryStatus> status;
  const LinkCollector collector(links, status);
  LinkSnapshot snapshot;
  snapshot.links.emplace_back().key = {.from_site = "hk", .to_site = "sg"};
  links.Publish(snapshot);
  EXPECT_THAT(Text(collector), HasSubstr("hk"));
  links.Publish({});
  EXPECT_THAT(Text(collector), Not(HasSubstr("hk")));
}

}  // namespace
}  // namespace fairlead::extender
