#include "linkprobe/metrics/probe_metrics.h"

#include <utility>

#include "common/metrics/family_set.h"
#include "common/metrics/reload_families.h"
#include "linkprobe/metrics/counter_metrics.h"
#include "linkprobe/metrics/histogram.h"
#include "linkprobe/metrics/lease_metrics.h"
#include "linkprobe/metrics/path_metrics.h"
#include "linkprobe/metrics/verdict_metrics.h"

namespace fairlead::linkprobe {
namespace {

double AsDouble(std::uint64_t count) { return static_cast<double>(count); }

void AddEngine(const EngineSnapshot& engine, FamilySet& out) {
  const Labels labels{{"kind", std::string(TransportKindName(engine.kind))}};
  out.Gauge("transport_up", "1 while the transport sends and receives.", labels,
            engine.transport_up ? 1 : 0);
  if (engine.transport_up) {
    out.Gauge("transport_info", "1 for the rung that the transport measures on.",
              With(labels, "transport", TransportRungName(engine.rung)), 1);
  }
  out.Histogram("host_lateness_seconds", "How late this host woke the transport's loop.", labels,
                ToHistogram(engine.lateness));
  if (engine.lateness_p90) {
    out.Gauge("host_lateness_p90_seconds",
              "90th percentile of host_lateness_seconds over the last window (3 s at least).",
              labels, static_cast<double>(engine.lateness_p90->count()) * 1e-9);
  }
  const EngineCounters& counters = engine.counters;
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    out.Counter("packets_refused_total", "Packets that were not taken or not answered, by reason.",
                With(labels, "reason", DropReasonName(static_cast<DropReason>(i))),
                AsDouble(counters.refused[i]));
  }
  out.Counter("replies_sent_total", "Probes of peers that were answered.", labels,
              AsDouble(counters.replies_sent));
  out.Counter("send_failures_total", "Packets that could not be handed to the transport.", labels,
              AsDouble(counters.send_failures));
  out.Counter("clock_steps_total", "Times this host's wall clock was set.", labels,
              AsDouble(counters.clock_steps));
  out.Counter("transport_rebuilds_total", "Times the transport was built anew.", labels,
              AsDouble(counters.rebuilds));
  out.Counter("commands_lost_total", "Commands dropped by a full mailbox.", labels,
              AsDouble(counters.lost_commands));
  out.Gauge("sessions", "Sessions in force, by this node's part in them.",
            With(labels, "role", "prober"), AsDouble(engine.sessions.size()));
  out.Gauge("sessions", "Sessions in force, by this node's part in them.",
            With(labels, "role", "responder"), AsDouble(engine.answered.size()));
}

void AddReport(const ReportStatus& report, FamilySet& out) {
  out.Gauge("report_stream_connected", "1 while a replica of the extender takes reports.", {},
            report.connected ? 1 : 0);
  constexpr char kReplicas[] = "Replicas of the extender: all known, and those that take reports.";
  out.Gauge("extender_replicas", kReplicas, {{"state", "known"}}, report.replicas);
  out.Gauge("extender_replicas", kReplicas, {{"state", "connected"}}, report.connections);
  out.Counter("extender_lookup_failures_total",
              "Times the extender's addresses could not be looked up.", {},
              AsDouble(report.lookup_failures));
  out.Counter("report_stream_connects_total", "Attempts to open a report stream.", {},
              AsDouble(report.connects));
  out.Counter("report_batches_total", "Report batches sent.", {}, AsDouble(report.batches_sent));
  constexpr char kPlans[] = "Probe plans that arrived, by what became of them.";
  out.Counter("plans_total", kPlans, {{"result", "taken"}}, AsDouble(report.plans_taken));
  out.Counter("plans_total", kPlans, {{"result", "ignored"}}, AsDouble(report.plans_ignored));
  out.Counter("plans_total", kPlans, {{"result", "refused"}}, AsDouble(report.plans_refused));
  out.Counter("plan_lines_refused_total", "Impossible lines of plans, each left out alone.", {},
              AsDouble(report.plan_lines_refused));
}

}  // namespace

ProbeMetrics::ProbeMetrics(MetricSources sources, const Clock& clock)
    : sources_(std::move(sources)), clock_(clock) {}

std::vector<prometheus::MetricFamily> ProbeMetrics::Collect() const {
  FamilySet out("fairlead_linkprobe_");
  const MonotonicTime now = clock_.Now();
  const WallTime wall_now = clock_.WallNow();
  const std::string site = sources_.site();
  out.Gauge("info", "1 for the running version.",
            {{"version", sources_.version}, {"node", sources_.node}, {"site", site}}, 1);
  for (const auto& engine : sources_.engines()) {
    AddEngine(*engine, out);
    for (const PathStatus& path : engine->paths) AddPathMetrics(path, site, now, wall_now, out);
  }
  const OpenCounts requests = sources_.session_requests();
  for (std::size_t i = 0; i < kOpenOutcomeCount; ++i) {
    out.Counter("session_requests_total", "Requests of peers to open a session, by outcome.",
                {{"result", std::string(OpenOutcomeName(static_cast<OpenOutcome>(i)))}},
                AsDouble(requests[i]));
  }
  const auto dials = sources_.dials();  // kept: the dialer publishes a new map meanwhile
  for (const auto& [peer, dial] : *dials) {
    out.Counter("session_dials_total", "Attempts to open a session with a peer.", {{"peer", peer}},
                AsDouble(dial.attempts));
    out.Counter("session_dial_failures_total", "Attempts that opened none.", {{"peer", peer}},
                AsDouble(dial.failures));
  }
  AddReport(sources_.report(), out);
  AddVerdictMetrics(sources_.verdicts(), out);
  AddReloadFamilies(sources_.config_reloads(), out);
  if (sources_.counters) AddCounterMetrics(*sources_.counters(), site, now, wall_now, out);
  if (sources_.leases) AddLeaseMetrics(*sources_.leases(), site, DayOf(wall_now), now, out);
  return out.Take();
}

}  // namespace fairlead::linkprobe
