// What is known about each ordered pair of sites: immutable values for scoring, JSON, metrics and
// the page.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/config/prometheus_config.h"
#include "common/link/link_measurement.h"
#include "extender/link/line_rate.h"
#include "extender/link/port_loss.h"
#include "extender/link/site_traffic.h"

namespace fairlead::extender {

// An ordered pair of sites; both are the same for a site's inside.
struct LinkKey {
  std::string from_site;
  std::string to_site;
  auto operator<=>(const LinkKey&) const = default;
};

// Whether either direction of the link's line is among them.
inline bool HasLineOf(const std::set<LinkKey>& links, const LinkKey& link) {
  return links.contains(link) || links.contains({link.to_site, link.from_site});
}

// One reporting path and what became of it.
struct LinkContributor {
  std::string node;
  std::string peer_node;
  std::uint32_t path = 0;
  TransportRung rung = TransportRung::kUdpSw;
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  Nanoseconds age{};
  bool measures = false;  // its values are in the view: of the best rung, of no bad node
  bool judges = false;    // its verdict took part in the quorum
};

// A value that a Prometheus told of the line. Not used where a probe measures the same.
struct LinkExternal {
  PrometheusValue value = PrometheusValue::kRtt;
  double number = 0;  // seconds or a share of 1
  std::string query;  // its name in the configuration
  Nanoseconds age{};  // since it was asked for
  bool used = false;  // it is among the values of the view
};

// The aggregate of all fresh reports from nodes of one site about peers of another.
//
// Values come from the best transport rung that is fresh, never from a mixture: rtt_min is the
// smallest of all; p50, p99, jitter, pdv and hops are the median over probing nodes of each node's
// own median over its peers and paths; counts are sums with the Wilson interval of the sum;
// longest_burst is the largest. Optionals are absent, never zero, while not known; with no fresh
// report state is kUnknown and every value is absent.
struct LinkView {
  LinkKey key;
  LinkState state = LinkState::kUnknown;
  LinkReason reason = LinkReason::kNoData;
  std::string evidence;                  // one sentence; empty while unknown
  std::optional<Nanoseconds> state_age;  // how long this state has stood here
  std::uint32_t quorum = 0;              // probing nodes that must agree on a bad state
  std::uint32_t agreeing = 0;            // probing nodes that see this state or a worse one
  std::uint32_t probers = 0;             // probing nodes with a fresh verdict

  std::optional<TransportRung> rung;
  std::optional<Nanoseconds> rtt_min;
  std::optional<Nanoseconds> rtt_p50;
  std::optional<Nanoseconds> rtt_p99;
  DirectionMeasurement forward;  // from_site to to_site
  DirectionMeasurement reverse;
  std::uint64_t lost_direction_unknown = 0;
  std::uint64_t samples = 0;
  std::uint64_t below_floor = 0;   // samples refused as faster than light in fibre
  std::optional<Nanoseconds> age;  // of the newest answered probe
  // A bandwidth test fills the line, or the reports look back on one: p50, p99, forward and reverse
  // are of so long ago, see BeforeTest.
  std::optional<Nanoseconds> before_test;

  std::optional<Nanoseconds> floor_rtt;              // fibre floor, where coordinates are given
  std::optional<double> path_stretch;                // rtt_min / floor_rtt
  std::optional<double> capacity_bytes_per_second;   // declared for the line
  std::optional<LineRate> rate;                      // by tests or as declared, see JudgeCapacity
  std::vector<CapacityTest> tests;                   // the newest of each source, by source
  std::optional<double> available_bytes_per_second;  // measured, or of the rate what is not used
  // What is available is the rate less what is used at most, so it may be more.
  bool available_at_least = false;
  std::optional<LineUse> used;         // at most, by the counters at both ends
  std::optional<LineLoss> port_loss;   // by transport counters; none of a site's own inside
  std::vector<LossyPort> lossy_ports;  // at its ends, sorted by node
  DeclaredRateDoubt declared_doubt = DeclaredRateDoubt::kNone;
  std::vector<LinkContributor> contributors;  // sorted by node, peer, path
  std::vector<LinkExternal> external;         // what others measured, see MergeExternal
};

// One step of a link's history. `state` is the worst seen within the step.
struct LinkHistoryPoint {
  MonotonicTime at{};  // when the step began
  std::optional<Nanoseconds> rtt_p50;
  std::optional<double> loss_forward;
  std::optional<double> loss_reverse;
  LinkState state = LinkState::kUnknown;
};

// Oldest first, a step apart, bounded; never null inside a snapshot.
using LinkHistory = std::shared_ptr<const std::vector<LinkHistoryPoint>>;

// A node whose links to all sites are bad while nodes beside it see the same sites well.
struct BadNode {
  std::string node;
  std::string site;
  std::string evidence;
};

// Everything at one moment. Immutable once published; safe to read from any thread.
struct LinkSnapshot {
  MonotonicTime taken_at{};
  std::vector<LinkView> links;         // sorted by key; every ordered pair of known sites
  std::vector<LinkHistory> histories;  // histories[i] belongs to links[i]
  std::vector<BadNode> bad_nodes;      // sorted by node

  // Null when the pair is not known at all.
  const LinkView* Find(std::string_view from_site, std::string_view to_site) const;
};

}  // namespace fairlead::extender
