#include "extender/registry/report_codec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "common/link/loss_interval.h"
#include "common/units/duration.h"
#include "extender/registry/lease_codec.h"
#include "fairlead/v1/registry.pb.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMaxEvidenceBytes = 512;

// What does not fit becomes a duration that is refused as impossible later.
Nanoseconds ToNanoseconds(std::uint64_t value) {
  return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)));
}

// The wire's enums are ours shifted by one, because proto3 needs 0 for "unspecified".
template <class Enum>
std::optional<Enum> FromWire(int wire, Enum last) {
  if (wire < 1 || wire > static_cast<int>(last) + 1) return std::nullopt;
  return static_cast<Enum>(wire - 1);
}

bool IsRatio(double value) { return std::isfinite(value) && value >= 0 && value <= 1; }

DirectionMeasurement DecodeDirection(const v1::DirectionReport& wire) {
  DirectionMeasurement out;
  out.loss = MakeLossInterval(wire.lost(), wire.sent());
  out.loss.lost = wire.lost();
  out.loss.sent = wire.sent();
  out.late = wire.late();
  out.duplicate = wire.duplicate();
  out.reordered = wire.reordered();
  out.longest_burst = wire.longest_burst();
  out.ecn_marked = wire.ecn_marked();
  if (wire.has_jitter_ns()) out.jitter = ToNanoseconds(wire.jitter_ns());
  if (wire.has_pdv_ns()) out.pdv = ToNanoseconds(wire.pdv_ns());
  if (wire.has_hops()) out.hops = wire.hops();
  return out;
}

LinkMeasurement DecodeMeasurement(const v1::LinkReport& wire, TransportRung rung) {
  LinkMeasurement out;
  out.rung = rung;
  out.samples = wire.samples();
  out.window = ToNanoseconds(wire.window_ns());
  if (wire.has_rtt_min_ns()) out.rtt_min = ToNanoseconds(wire.rtt_min_ns());
  if (wire.has_rtt_p50_ns()) out.rtt_p50 = ToNanoseconds(wire.rtt_p50_ns());
  if (wire.has_rtt_p99_ns()) out.rtt_p99 = ToNanoseconds(wire.rtt_p99_ns());
  out.forward = DecodeDirection(wire.forward());
  out.reverse = DecodeDirection(wire.reverse());
  if (wire.has_prober_delay_p50_ns()) {
    out.prober_delay_p50 = ToNanoseconds(wire.prober_delay_p50_ns());
  }
  if (wire.has_responder_delay_p50_ns()) {
    out.responder_delay_p50 = ToNanoseconds(wire.responder_delay_p50_ns());
  }
  out.lost_direction_unknown = wire.lost_direction_unknown();
  out.below_floor = wire.below_floor();
  return out;
}

tl::unexpected<Refusal> Refuse(std::string_view reason, std::string message) {
  return tl::unexpected<Refusal>(
      Refusal{Error{ErrorCode::kInvalidArgument, std::move(message)}, reason});
}

tl::expected<PathReport, Refusal> DecodePath(const v1::LinkReport& wire, const ProbeIdentity& probe,
                                             const NodeNames& inventory,
                                             const LineCatalogue& lines) {
  const std::string name =
      "path " + std::to_string(wire.path()) + " to " + Quoted(wire.peer_node());
  const std::string_view peer_site = inventory.SiteOf(wire.peer_node());
  if (peer_site.empty()) return Refuse("unknown_peer", name + ": the peer is not a known node");
  const auto state = FromWire(wire.state(), LinkState::kDown);
  const auto reason = FromWire(wire.reason(), LinkReason::kLearning);
  const auto rung = FromWire(wire.rung(), TransportRung::kTcp);
  if (!state || !reason || !rung) {
    return Refuse("unknown_word", name + ": state, reason or rung is not one this version knows");
  }
  for (const v1::DirectionReport* way : {&wire.forward(), &wire.reverse()}) {
    if (!IsRatio(way->loss_lower()) || !IsRatio(way->loss_upper())) {
      return Refuse("implausible", name + ": a loss bound is not a ratio");
    }
  }
  const auto floor = lines.FloorRtt(probe.site, peer_site);
  if (floor && wire.has_rtt_min_ns() && ToNanoseconds(wire.rtt_min_ns()) < *floor) {
    return Refuse("below_floor", name + ": RTT of " +
                                     HumanDuration(ToNanoseconds(wire.rtt_min_ns())) +
                                     " is below the fibre floor of " + HumanDuration(*floor) +
                                     "; check the coordinates under sites");
  }
  PathReport out;
  out.peer_node = wire.peer_node();
  out.peer_site = peer_site;
  out.path = wire.path();
  out.traffic_class = wire.traffic_class();
  out.measurement = DecodeMeasurement(wire, *rung);
  out.state = *state;
  out.reason = *reason;
  out.state_age = ToNanoseconds(wire.state_age_ns());
  out.evidence = wire.evidence().substr(0, kMaxEvidenceBytes);
  if (wire.has_age_ns()) out.measurement.age = ToNanoseconds(wire.age_ns());
  if (wire.bandwidth().has_available_bytes_per_second()) {
    out.available_bytes_per_second =
        static_cast<double>(wire.bandwidth().available_bytes_per_second());
  }
  return out;
}

constexpr std::uint64_t kMostBytesPerSecond = 1'000'000'000'000'000 / 8;  // above any node's
constexpr Nanoseconds kOldestTraffic = std::chrono::hours(1);

tl::expected<NodeTraffic, Refusal> DecodeTraffic(const v1::NodeTraffic& wire) {
  const NodeTraffic out{
      .transmit_bytes_per_second = static_cast<double>(wire.transmit_bytes_per_second()),
      .receive_bytes_per_second = static_cast<double>(wire.receive_bytes_per_second()),
      .age = ToNanoseconds(wire.age_ns())};
  if (wire.transmit_bytes_per_second() > kMostBytesPerSecond ||
      wire.receive_bytes_per_second() > kMostBytesPerSecond || out.age > kOldestTraffic) {
    return Refuse("implausible", "traffic of the node's ports: a rate or its age is impossible");
  }
  return out;
}

constexpr int kMostLosses = 64;  // eight ports of four devices, both ways
constexpr std::size_t kLongestDevice = 64;
constexpr std::uint64_t kMostPackets = std::uint64_t{1} << 38;  // of one port in a minute

// Why it can't be; empty where it can.
std::string LossDoubt(const v1::PortLoss& wire, std::uint64_t age_ns) {
  if (wire.device().empty() || wire.device().size() > kLongestDevice) {
    return "its device name has " + std::to_string(wire.device().size()) + " bytes, not 1 to 64";
  }
  if (wire.sent() > kMostPackets || wire.lost() > wire.sent()) {
    return std::to_string(wire.lost()) + " of " + std::to_string(wire.sent()) +
           " packets are impossible";
  }
  if (!IsRatio(wire.loss_lower()) || !IsRatio(wire.loss_upper()) ||
      wire.loss_lower() > wire.loss_upper()) {
    return "its bounds are no interval of a ratio";
  }
  if (ToNanoseconds(age_ns) > kOldestTraffic) return "its age is over an hour";
  if (wire.source() != v1::PortLoss::SOURCE_PROBES &&
      wire.source() != v1::PortLoss::SOURCE_TRANSPORT) {
    return "its source is not one this version knows";
  }
  return {};
}

// The ratio and its lower end are computed anew from the counts. The upper end also bounds what may
// have been lost besides, so it is taken where it is the greater.
std::vector<PortLoss> DecodeLosses(const v1::NodeTraffic& wire, std::vector<Refusal>& refused) {
  std::vector<PortLoss> out;
  std::set<std::tuple<std::string, std::uint32_t, bool>> seen;
  for (int i = 0; i < std::min(wire.losses_size(), kMostLosses); ++i) {
    const v1::PortLoss& loss = wire.losses(i);
    std::string doubt = LossDoubt(loss, wire.age_ns());
    if (doubt.empty() && !seen.emplace(loss.device(), loss.port(), loss.receive()).second) {
      doubt = "it is told twice";
    }
    if (!doubt.empty()) {
      refused.push_back(Refuse("implausible", "loss of port " + std::to_string(loss.port()) +
                                                  " of " + Quoted(loss.device()) + ": " + doubt)
                            .value());
      continue;
    }
    PortLoss& port = out.emplace_back();
    port.device = loss.device();
    port.port = loss.port();
    port.receive = loss.receive();
    port.interval = MakeLossInterval(loss.lost(), loss.sent());
    port.interval.upper = std::max(port.interval.upper, loss.loss_upper());
    port.transport = loss.source() == v1::PortLoss::SOURCE_TRANSPORT;
    port.disagree = loss.disagree();
    port.age = ToNanoseconds(wire.age_ns());
  }
  if (wire.losses_size() > kMostLosses) {
    refused.push_back(
        Refuse("implausible", "losses of ports: " + std::to_string(wire.losses_size()) +
                                  " are told; the first 64 are read")
            .value());
  }
  return out;
}

}  // namespace

ProbeIdentity DecodeHello(const v1::Hello& hello) {
  ProbeIdentity out;
  out.protocol_version = hello.protocol_version();
  out.node = hello.node();
  out.site = hello.site();
  out.epoch = hello.epoch();
  out.session_address = hello.session_address();
  out.software_version = hello.software_version();
  for (const v1::Hca& hca : hello.hcas()) {
    out.has_hca = out.has_hca || (hca.active() && !hca.gid().empty());
  }
  return out;
}

DecodedBatch DecodeBatch(const v1::ReportBatch& wire, const ProbeIdentity& probe,
                         const NodeNames& inventory, const LineCatalogue& lines,
                         MonotonicTime received_at) {
  DecodedBatch out;
  out.batch.node = probe.node;
  out.batch.site = probe.site;
  out.batch.sequence = wire.sequence();
  out.batch.sent_at = WallTime(ToNanoseconds(wire.unix_time_ns()));
  out.batch.received_at = received_at;
  for (const v1::LinkReport& link : wire.links()) {
    auto path = DecodePath(link, probe, inventory, lines);
    if (path) {
      path->tests = DecodeTests(link.bandwidth(), out.refused);
      out.batch.paths.push_back(*std::move(path));
    } else {
      out.refused.push_back(std::move(path.error()));
    }
  }
  out.leases = DecodeLeases(wire.tests(), probe, inventory);
  const v1::NodeTraffic& traffic = wire.traffic();
  out.batch.losses = DecodeLosses(traffic, out.refused);
  if (traffic.has_transmit_bytes_per_second() && traffic.has_receive_bytes_per_second()) {
    auto decoded = DecodeTraffic(traffic);
    if (decoded) {
      out.batch.traffic = *decoded;
    } else {
      out.refused.push_back(std::move(decoded.error()));
    }
  }
  return out;
}

}  // namespace fairlead::extender
