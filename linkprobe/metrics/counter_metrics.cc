#include "linkprobe/metrics/counter_metrics.h"

#include <optional>

namespace fairlead::linkprobe {
namespace {

double InSeconds(Nanoseconds duration) { return static_cast<double>(duration.count()) * 1e-9; }

void AddCounter(const TrackedCounter& counter, const Labels& port, FamilySet& out) {
  const CounterMeaning& meaning = counter.meaning;
  Labels labels = port;
  labels.push_back({"source", std::string(CounterSourceName(counter.source))});
  labels.push_back({"counter", counter.name});
  if (!meaning.direction.empty()) {
    labels.push_back({"direction", std::string(meaning.direction)});
    labels.push_back({"priority", meaning.priority ? std::to_string(*meaning.priority) : "all"});
  }
  const double value = counter.total * meaning.factor;
  if (meaning.gauge) {
    out.Gauge(meaning.metric, meaning.help, labels, value);
  } else {
    out.Counter(meaning.metric, meaning.help, labels, value);
  }
}

void AddLossBounds(const char* name, const char* help, const LossInterval& loss,
                   const Labels& labels, FamilySet& out) {
  const std::string ratio = std::string(name) + "_loss_ratio";
  out.Gauge(ratio, help, labels, loss.ratio);
  out.Gauge(ratio + "_lower", "Lower end of the 95 % interval.", labels, loss.lower);
  out.Gauge(ratio + "_upper", "Upper end of the 95 % interval.", labels, loss.upper);
}

void AddDirection(const Labels& port, const char* direction, const DirectionLoss& loss,
                  const std::optional<double>& rate, CounterSource source, FamilySet& out) {
  const Labels labels = With(port, "direction", direction);
  if (rate) {
    out.Gauge("hca_traffic_bytes_per_second", "What the port carries, over the last reading.",
              With(labels, "source", CounterSourceName(source)), *rate);
  }
  if (loss.transport) {
    AddLossBounds("transport",
                  "Gaps that reliable connections found, over the port's packets of the last "
                  "minute.",
                  *loss.transport, labels, out);
  }
  if (loss.fused) {
    AddLossBounds("fused", "Loss at the port, by the better of probes and transport counters.",
                  loss.fused->interval, With(labels, "source", LossSourceName(loss.fused->source)),
                  out);
    out.Gauge("loss_sources_disagree",
              "1 while the bounds of probes and of transport counters lie wholly apart.", labels,
              loss.fused->disagree ? 1 : 0);
  }
}

void AddOpinion(const PortOpinion& port, FamilySet& out) {
  const Labels labels{{"device", port.device}, {"port", std::to_string(port.port)}};
  AddDirection(labels, "transmit", port.transmit, port.traffic.transmit_bytes_per_second,
               port.traffic.source, out);
  AddDirection(labels, "receive", port.receive, port.traffic.receive_bytes_per_second,
               port.traffic.source, out);
  for (const auto verdict :
       {RetransmissionVerdict::kAdaptiveTimer, RetransmissionVerdict::kPeers}) {
    out.Gauge("spurious_retransmission",
              "1 while packets are sent again that had arrived, by whose timer it is.",
              With(labels, "cause", RetransmissionVerdictName(verdict)),
              port.retransmission.verdict == verdict ? 1 : 0);
  }
}

void AddLine(const LineUse& line, const std::string& site, FamilySet& out) {
  const Labels labels{{"src_site", site}, {"dst_site", line.other_site}};
  if (line.declared_bytes_per_second) {
    out.Gauge("line_declared_bytes_per_second", "Declared capacity of the line.", labels,
              *line.declared_bytes_per_second);
  }
  constexpr char kUse[] = "What this node's ports carry, to wherever, over the line's capacity.";
  const auto use = [&](const char* direction, const std::optional<double>& ratio) {
    if (ratio) out.Gauge("line_use_ratio", kUse, With(labels, "direction", direction), *ratio);
  };
  use("transmit", line.transmit_ratio);
  use("receive", line.receive_ratio);
  for (const auto doubt : {DeclaredRateDoubt::kAbsent, DeclaredRateDoubt::kZero,
                           DeclaredRateDoubt::kExceeded, DeclaredRateDoubt::kNotReached}) {
    out.Gauge("line_declared_doubt", "1 for what is wrong with the line's declared capacity.",
              With(labels, "doubt", DeclaredRateDoubtName(doubt)), line.doubt == doubt ? 1 : 0);
  }
}

void AddPort(const TrackedPort& port, FamilySet& out) {
  const Labels labels{{"device", port.device}, {"port", std::to_string(port.port)}};
  for (const TrackedCounter& counter : port.counters) AddCounter(counter, labels, out);
  if (port.rate_bytes_per_second) {
    out.Gauge("hca_rate_bytes_per_second",
              "Speed of the port, which is not that of the lines behind it.", labels,
              *port.rate_bytes_per_second);
  }
  out.Gauge("counter_files_unreadable", "Counters of the port that gave no number.", labels,
            port.unreadable);
}

}  // namespace

void AddCounterMetrics(const CounterState& state, const std::string& site, MonotonicTime now,
                       WallTime wall_now, FamilySet& out) {
  if (!state.read()) return;
  out.Gauge("counters_read_timestamp_seconds", "When this host's RDMA counters were read last.", {},
            InSeconds((wall_now - (now - state.at)).time_since_epoch()));
  out.Gauge("counters_read_seconds", "How long that took.", {}, InSeconds(state.took));
  constexpr char kSteps[] =
      "Times that a counter was reset, came round, or rose by more than any port can do.";
  const auto step = [&](const char* kind, std::uint64_t times) {
    out.Counter("counter_steps_total", kSteps, {{"kind", kind}}, static_cast<double>(times));
  };
  step("reset", state.totals.resets);
  step("wrap", state.totals.wraps);
  step("impossible", state.totals.impossible);
  if (now - state.at > kCountersKept) return;
  for (const TrackedPort& port : state.ports) AddPort(port, out);
  for (const PortOpinion& port : state.opinions) AddOpinion(port, out);
  for (const LineUse& line : state.lines) AddLine(line, site, out);
}

}  // namespace fairlead::linkprobe
