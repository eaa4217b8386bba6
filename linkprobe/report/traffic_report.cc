#include "linkprobe/report/traffic_report.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "linkprobe/report/link_report.h"

namespace fairlead::linkprobe {
namespace {

std::uint64_t Count(Nanoseconds duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
}

void AddLoss(const PortOpinion& port, const DirectionLoss& loss, bool receive,
             v1::NodeTraffic& out) {
  if (!loss.fused) return;
  const LossInterval& interval = loss.fused->interval;
  v1::PortLoss& to = *out.add_losses();
  to.set_device(port.device);
  to.set_port(port.port);
  to.set_receive(receive);
  to.set_lost(interval.lost);
  to.set_sent(interval.sent);
  to.set_loss_lower(interval.lower);
  to.set_loss_upper(interval.upper);
  to.set_source(loss.fused->source == LossSource::kProbes ? v1::PortLoss::SOURCE_PROBES
                                                          : v1::PortLoss::SOURCE_TRANSPORT);
  to.set_disagree(loss.fused->disagree);
  const bool by_peers = port.retransmission.verdict == RetransmissionVerdict::kPeers;
  if (port.retransmission.verdict != RetransmissionVerdict::kNone && by_peers == receive) {
    to.set_spurious_retransmission(port.retransmission.sentence + "; " +
                                   port.retransmission.remedy);
  }
}

}  // namespace

void FillTraffic(const CounterState& state, MonotonicTime now, v1::ReportBatch& out) {
  if (!state.read() || now - state.at > kOldestTraffic) return;
  v1::NodeTraffic traffic;
  traffic.set_age_ns(Count(now - (state.traffic ? state.traffic->at : state.at)));
  if (state.traffic) {
    traffic.set_transmit_bytes_per_second(
        static_cast<std::uint64_t>(std::llround(state.traffic->transmit_bytes_per_second)));
    traffic.set_receive_bytes_per_second(
        static_cast<std::uint64_t>(std::llround(state.traffic->receive_bytes_per_second)));
    traffic.set_ports(state.traffic->ports);
    traffic.set_interval_ns(Count(state.traffic->interval));
  }
  for (const PortOpinion& port : state.opinions) {
    AddLoss(port, port.transmit, false, traffic);
    AddLoss(port, port.receive, true, traffic);
  }
  if (state.traffic || traffic.losses_size() > 0) *out.mutable_traffic() = std::move(traffic);
}

void AddResending(const CounterState& state, const NicPort& nic, MonotonicTime now,
                  v1::LinkReport& link) {
  if (!state.read() || now - state.at > kOldestTraffic) return;
  if (link.rtt_p50_ns() <= Count(kAdaptiveBase)) return;
  for (const PortOpinion& port : state.opinions) {
    const RetransmissionFinding& found = port.retransmission;
    if (port.device != nic.device || port.port != nic.port) continue;
    if (found.verdict == RetransmissionVerdict::kNone) continue;
    link.set_evidence(
        WithSentence(link.evidence(), "Spurious retransmission: " + found.sentence + "."));
  }
}

}  // namespace fairlead::linkprobe
