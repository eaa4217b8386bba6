#include "linkprobe/report/link_report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "linkprobe/report/planned_lines.h"
#include "linkprobe/session/measure_desk.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kShortestKeyBytes = 16;

v1::LinkState ToProto(LinkState state) {
  switch (state) {
    case LinkState::kUnknown:
      return v1::LINK_STATE_UNKNOWN;
    case LinkState::kHealthy:
      return v1::LINK_STATE_HEALTHY;
    case LinkState::kSuspect:
      return v1::LINK_STATE_SUSPECT;
    case LinkState::kDegraded:
      return v1::LINK_STATE_DEGRADED;
    case LinkState::kDown:
      return v1::LINK_STATE_DOWN;
  }
  return v1::LINK_STATE_UNSPECIFIED;
}

v1::LinkReason ToProto(LinkReason reason) {
  switch (reason) {
    case LinkReason::kNone:
      return v1::LINK_REASON_NONE;
    case LinkReason::kNoData:
      return v1::LINK_REASON_NO_DATA;
    case LinkReason::kRttStep:
      return v1::LINK_REASON_RTT_STEP;
    case LinkReason::kRttDrift:
      return v1::LINK_REASON_RTT_DRIFT;
    case LinkReason::kFluctuation:
      return v1::LINK_REASON_FLUCTUATION;
    case LinkReason::kLossForward:
      return v1::LINK_REASON_LOSS_FORWARD;
    case LinkReason::kLossReverse:
      return v1::LINK_REASON_LOSS_REVERSE;
    case LinkReason::kLossBoth:
      return v1::LINK_REASON_LOSS_BOTH;
    case LinkReason::kNoReply:
      return v1::LINK_REASON_NO_REPLY;
    case LinkReason::kPeerRestart:
      return v1::LINK_REASON_PEER_RESTART;
    case LinkReason::kReroute:
      return v1::LINK_REASON_REROUTE;
    case LinkReason::kHostNoise:
      return v1::LINK_REASON_HOST_NOISE;
    case LinkReason::kHoldDown:
      return v1::LINK_REASON_HOLD_DOWN;
    case LinkReason::kLearning:
      return v1::LINK_REASON_LEARNING;
  }
  return v1::LINK_REASON_UNSPECIFIED;
}

v1::TransportRung ToProto(TransportRung rung) {
  switch (rung) {
    case TransportRung::kRdmaUdHw:
      return v1::TRANSPORT_RUNG_RDMA_UD_HW;
    case TransportRung::kRdmaUdSw:
      return v1::TRANSPORT_RUNG_RDMA_UD_SW;
    case TransportRung::kUdpHw:
      return v1::TRANSPORT_RUNG_UDP_HW;
    case TransportRung::kUdpSw:
      return v1::TRANSPORT_RUNG_UDP_SW;
    case TransportRung::kTcp:
      return v1::TRANSPORT_RUNG_TCP;
    case TransportRung::kPromql:
      break;  // no probe's
  }
  return v1::TRANSPORT_RUNG_UNSPECIFIED;
}

std::uint64_t Count(Nanoseconds duration) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
}

void Fill(const DirectionMeasurement& from, v1::DirectionReport& out) {
  out.set_sent(from.loss.sent);
  out.set_lost(from.loss.lost);
  out.set_late(from.late);
  out.set_duplicate(from.duplicate);
  out.set_reordered(from.reordered);
  out.set_longest_burst(from.longest_burst);
  out.set_ecn_marked(from.ecn_marked);
  if (from.jitter) out.set_jitter_ns(Count(*from.jitter));
  if (from.pdv) out.set_pdv_ns(Count(*from.pdv));
  if (from.hops) out.set_hops(*from.hops);
  out.set_loss_lower(from.loss.lower);
  out.set_loss_upper(from.loss.upper);
}

// The sentence of the verdict, and those on what the ends do not have in common.
std::string EvidenceOf(const PathStatus& path) {
  std::string evidence = path.verdict.evidence;
  for (const EndDifference& difference : path.differences) {
    evidence = WithSentence(std::move(evidence), DifferenceSentence(difference, path.peer_node));
  }
  return evidence;
}

}  // namespace

std::string WithSentence(std::string evidence, std::string_view sentence) {
  if (!evidence.empty()) evidence += evidence.ends_with('.') ? " " : ". ";
  return evidence.append(sentence);
}

void FillLinkReport(const PathStatus& path, std::uint32_t traffic_class, MonotonicTime now,
                    v1::LinkReport& out) {
  const LinkMeasurement& measured = path.measurement;
  out.set_peer_node(path.peer_node);
  out.set_peer_site(path.peer_site);
  out.set_path(path.path);
  out.set_traffic_class(traffic_class);
  out.set_rung(ToProto(measured.rung));
  out.set_window_ns(Count(measured.window));
  out.set_samples(measured.samples);
  if (measured.rtt_min) out.set_rtt_min_ns(Count(*measured.rtt_min));
  if (measured.rtt_p50) out.set_rtt_p50_ns(Count(*measured.rtt_p50));
  if (measured.rtt_p99) out.set_rtt_p99_ns(Count(*measured.rtt_p99));
  Fill(measured.forward, *out.mutable_forward());
  Fill(measured.reverse, *out.mutable_reverse());
  if (measured.prober_delay_p50) out.set_prober_delay_p50_ns(Count(*measured.prober_delay_p50));
  if (measured.responder_delay_p50) {
    out.set_responder_delay_p50_ns(Count(*measured.responder_delay_p50));
  }
  const LinkVerdict& verdict = path.verdict.verdict;
  out.set_state(ToProto(verdict.state));
  out.set_reason(ToProto(verdict.reason));
  out.set_state_age_ns(Count(now - verdict.since));
  out.set_evidence(EvidenceOf(path));
  out.set_below_floor(measured.below_floor);
  out.set_lost_direction_unknown(measured.lost_direction_unknown);
  if (path.last_reply) out.set_age_ns(Count(now - *path.last_reply));
}

namespace {

// What is wrong with it, its runner says: a plan is no worse for it.
BandwidthLease ReadLease(const v1::BandwidthLease& from) {
  BandwidthLease lease{
      .id = from.id(),
      .peer_node = from.peer_node(),
      .line = from.line(),
      .most_bytes = from.most_bytes(),
      .most_bytes_per_day = from.most_bytes_per_day(),
      .duration = Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(
          from.duration_ns(), static_cast<std::uint64_t>(kLongestLease.count()))))};
  if (from.kind() == v1::BandwidthLease::KIND_TRAIN) lease.kind = TestKind::kTrain;
  if (from.kind() == v1::BandwidthLease::KIND_SATURATION) lease.kind = TestKind::kSaturation;
  if (from.has_ceiling_bytes_per_second()) {
    lease.ceiling_bytes_per_second = static_cast<double>(from.ceiling_bytes_per_second());
  }
  return lease;
}

}  // namespace

Result<Plan> ReadPlan(const v1::ProbePlan& from, MonotonicTime now) {
  Plan plan{.term = from.term(), .revision = from.revision(), .site = from.site(), .peers = {}};
  if (plan.revision == 0) return Fail(ErrorCode::kInvalidArgument, "plan has revision 0");
  std::set<std::string> nodes;
  for (const v1::PeerAssignment& peer : from.peers()) {
    if (peer.node().empty() || peer.session_address().empty()) {
      return Fail(ErrorCode::kInvalidArgument,
                  "plan has a peer without node name or session address: \"" + peer.node() + "\"");
    }
    if (!nodes.insert(peer.node()).second) {
      return Fail(ErrorCode::kInvalidArgument, "plan names \"" + peer.node() + "\" twice");
    }
    if (peer.key().size() < kShortestKeyBytes) {
      return Fail(ErrorCode::kInvalidArgument, "plan's key for \"" + peer.node() + "\" has " +
                                                   std::to_string(peer.key().size()) +
                                                   " bytes, fewer than 16");
    }
    plan.peers.push_back(
        {.node = peer.node(),
         .site = peer.site(),
         .session_address = peer.session_address(),
         .probe = peer.probe(),
         .key_id = peer.key_id(),
         .key = {peer.key().begin(), peer.key().end()},
         .floor_rtt = Nanoseconds(static_cast<std::int64_t>(
             std::min<std::uint64_t>(peer.floor_rtt_ns(), Seconds(10) / Nanoseconds(1)))),
         .line_tested = peer.line_tested()});
  }
  ReadPlannedLines(from, now, plan);
  if (from.has_lease() && from.lease().id() != 0) plan.lease = ReadLease(from.lease());
  return plan;
}

}  // namespace fairlead::linkprobe
