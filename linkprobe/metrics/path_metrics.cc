#include "linkprobe/metrics/path_metrics.h"

#include <optional>

#include "linkprobe/metrics/histogram.h"

namespace fairlead::linkprobe {
namespace {

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) * 1e-9; }

double AsDouble(std::uint64_t count) { return static_cast<double>(count); }

class PathFamilies {
 public:
  PathFamilies(FamilySet& families, Labels labels)
      : families_(families), labels_(std::move(labels)) {}

  void Duration(const char* name, const char* help, std::optional<Nanoseconds> value) {
    if (value) families_.Gauge(name, help, labels_, InSeconds(*value));
  }
  void Count(const char* name, const char* help, std::uint64_t value) {
    families_.Counter(name, help, labels_, AsDouble(value));
  }
  void Count(const char* name, const char* help, const char* label, std::string_view label_value,
             std::uint64_t value) {
    families_.Counter(name, help, With(labels_, label, label_value), AsDouble(value));
  }
  const Labels& labels() const { return labels_; }
  FamilySet& families() { return families_; }

 private:
  FamilySet& families_;
  const Labels labels_;
};

void AddDirection(PathFamilies& out, const char* direction, const DirectionMeasurement& measured) {
  FamilySet& families = out.families();
  const Labels labels = With(out.labels(), "direction", direction);
  if (measured.jitter) {
    families.Gauge("jitter_seconds", "Interarrival jitter (RFC 3550) of one direction.", labels,
                   InSeconds(*measured.jitter));
  }
  if (measured.pdv) {
    families.Gauge("delay_variation_seconds",
                   "Packet delay variation (p99 - min) of one direction over the window.", labels,
                   InSeconds(*measured.pdv));
  }
  if (measured.hops) {
    families.Gauge("path_hops", "Routers crossed in one direction.", labels, *measured.hops);
  }
  if (measured.loss.sent == 0) return;
  families.Gauge("loss_ratio", "Share of packets lost in one direction over the window.", labels,
                 measured.loss.ratio);
  families.Gauge("loss_ratio_lower", "Lower end of the 95 % Wilson interval of loss_ratio.", labels,
                 measured.loss.lower);
  families.Gauge("loss_ratio_upper", "Upper end of the 95 % Wilson interval of loss_ratio.", labels,
                 measured.loss.upper);
}

void AddTotals(PathFamilies& out, const PathTotals& totals) {
  out.Count("probes_sent_total", "Probes that left this host.", totals.sent);
  out.Count("probes_answered_total", "Probes answered in time.", totals.answered);
  constexpr char kLost[] = "Probes lost, by the direction in which they were.";
  out.Count("probes_lost_total", kLost, "direction", "forward", totals.lost_forward);
  out.Count("probes_lost_total", kLost, "direction", "reverse", totals.lost_reverse);
  out.Count("probes_lost_total", kLost, "direction", "unknown", totals.lost_unknown);
  out.Count("probes_late_total", "Answers that came after the probe had counted as lost.",
            totals.late);
  constexpr char kDuplicate[] = "Packets that arrived more than once.";
  out.Count("probes_duplicate_total", kDuplicate, "direction", "forward", totals.forward_duplicate);
  out.Count("probes_duplicate_total", kDuplicate, "direction", "reverse", totals.reverse_duplicate);
  constexpr char kReordered[] = "Packets that arrived behind a later one.";
  out.Count("probes_reordered_total", kReordered, "direction", "forward", totals.forward_reordered);
  out.Count("probes_reordered_total", kReordered, "direction", "reverse", totals.reverse_reordered);
  constexpr char kMarked[] = "Packets that arrived with Congestion Experienced.";
  out.Count("probe_ecn_marked_total", kMarked, "direction", "forward", totals.forward_ecn_marked);
  out.Count("probe_ecn_marked_total", kMarked, "direction", "reverse", totals.reverse_ecn_marked);
  constexpr char kRefused[] = "Answers that gave no sample, by reason.";
  out.Count("samples_refused_total", kRefused, "reason", "below_floor", totals.below_floor);
  out.Count("samples_refused_total", kRefused, "reason", "impossible", totals.impossible);
  out.Count("probes_withheld_total", "Probes the responder received and did not answer.",
            totals.withheld);
  out.Count("probes_discarded_total", "Probes under way when the peer restarted.",
            totals.discarded);
  out.Count("peer_restarts_total", "Times the peer came back with a new epoch.",
            totals.peer_restarts);
  out.Count("peer_clock_steps_total", "Times the peer's clock jumped against this host's.",
            totals.clock_steps);
}

void AddVerdict(PathFamilies& out, const LinkVerdict& verdict) {
  for (const LinkState state : kAllLinkStates) {
    out.families().Gauge("link_state", "1 for the state the path is in, 0 for the others.",
                         With(out.labels(), "state", LinkStateName(state)),
                         verdict.state == state ? 1 : 0);
  }
  out.families().Gauge("link_reason", "1 for the reason of the path's state.",
                       With(out.labels(), "reason", LinkReasonName(verdict.reason)), 1);
}

}  // namespace

void AddPathMetrics(const PathStatus& path, const std::string& src_site, MonotonicTime now,
                    WallTime wall_now, FamilySet& families) {
  const LinkMeasurement& measured = path.measurement;
  PathFamilies out(families, {{"src_site", src_site},
                              {"dst_site", path.peer_site},
                              {"peer", path.peer_node},
                              {"path", std::to_string(path.path)},
                              {"transport", std::string(TransportRungName(measured.rung))}});
  out.Duration("rtt_min_seconds", "Smallest round-trip time of the window.", measured.rtt_min);
  out.Duration("rtt_p50_seconds", "Median round-trip time of the window.", measured.rtt_p50);
  out.Duration("rtt_p99_seconds", "99th percentile of the window's round-trip times.",
               measured.rtt_p99);
  families.Histogram("rtt_excess_seconds", "Round-trip time above the window's minimum.",
                     out.labels(), ToHistogram(path.excess));
  out.Duration("prober_delay_seconds", "This host's share of a probe's time, taken out of the RTT.",
               measured.prober_delay_p50);
  out.Duration("responder_delay_seconds", "The peer's share of a probe's time, taken out.",
               measured.responder_delay_p50);
  if (path.floor_rtt > Nanoseconds::zero()) {
    out.Duration("rtt_floor_seconds", "Round trip of light in fibre along the geodesic.",
                 path.floor_rtt);
    if (measured.rtt_min) {
      families.Gauge("path_stretch_ratio", "rtt_min_seconds over rtt_floor_seconds.", out.labels(),
                     InSeconds(*measured.rtt_min) / InSeconds(path.floor_rtt));
    }
  }
  if (path.last_reply) {
    const WallTime at = wall_now - (now - *path.last_reply);
    families.Gauge("last_reply_timestamp_seconds", "When the newest answered probe came back.",
                   out.labels(), InSeconds(at.time_since_epoch()));
  }
  for (const EndDifference& difference : path.differences) {
    families.Gauge("peer_difference", "1 for what is not alike at both ends of the path.",
                   With(With(With(out.labels(), "trait", EndTraitName(difference.trait)), "here",
                             difference.here),
                        "there", difference.there),
                   1);
  }
  AddDirection(out, "forward", measured.forward);
  AddDirection(out, "reverse", measured.reverse);
  AddTotals(out, path.totals);
  AddVerdict(out, path.verdict.verdict);
}

}  // namespace fairlead::linkprobe
