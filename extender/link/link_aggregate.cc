#include "extender/link/link_aggregate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "common/link/loss_interval.h"
#include "extender/link/lower_median.h"

namespace fairlead::extender {
namespace {

using Paths = std::vector<const FreshPath*>;

// The best rung that brought answers; failing that, the best that was tried.
std::optional<TransportRung> BestRung(const std::vector<FreshPath>& paths) {
  std::optional<TransportRung> answered;
  std::optional<TransportRung> tried;
  for (const FreshPath& path : paths) {
    if (path.of_bad_node) continue;
    const LinkMeasurement& m = path.report->measurement;
    tried = tried ? std::min(*tried, m.rung) : m.rung;
    if (m.samples > 0) answered = answered ? std::min(*answered, m.rung) : m.rung;
  }
  return answered ? answered : tried;
}

// Median over nodes of each node's median, so that a node with many paths weighs no more.
template <class Get>
auto MedianByNode(const Paths& paths, Get get) -> decltype(get(*paths.front()->report)) {
  using Value = typename decltype(get(*paths.front()->report))::value_type;
  std::map<std::string, std::vector<Value>> by_node;
  for (const FreshPath* path : paths) {
    if (const auto value = get(*path->report)) by_node[*path->node].push_back(*value);
  }
  if (by_node.empty()) return std::nullopt;
  std::vector<Value> medians;
  for (auto& [node, values] : by_node) medians.push_back(LowerMedian(std::move(values)));
  return LowerMedian(std::move(medians));
}

DirectionMeasurement Direction(const Paths& paths, DirectionMeasurement LinkMeasurement::*way) {
  DirectionMeasurement total;
  std::uint64_t lost = 0;
  std::uint64_t sent = 0;
  for (const FreshPath* path : paths) {
    const DirectionMeasurement& one = path->report->measurement.*way;
    lost += one.loss.lost;
    sent += one.loss.sent;
    total.late += one.late;
    total.duplicate += one.duplicate;
    total.reordered += one.reordered;
    total.ecn_marked += one.ecn_marked;
    total.longest_burst = std::max(total.longest_burst, one.longest_burst);
  }
  total.loss = MakeLossInterval(lost, sent);
  total.jitter =
      MedianByNode(paths, [way](const PathReport& p) { return (p.measurement.*way).jitter; });
  total.pdv = MedianByNode(paths, [way](const PathReport& p) { return (p.measurement.*way).pdv; });
  total.hops =
      MedianByNode(paths, [way](const PathReport& p) { return (p.measurement.*way).hops; });
  return total;
}

template <class T>
void KeepSmaller(std::optional<T>& kept, const std::optional<T>& value) {
  if (value && (!kept || *value < *kept)) kept = value;
}

void ListContributors(const std::vector<FreshPath>& paths, LinkView& view) {
  for (const FreshPath& path : paths) {
    const PathReport& report = *path.report;
    view.contributors.push_back({
        .node = *path.node,
        .peer_node = report.peer_node,
        .path = report.path,
        .rung = report.measurement.rung,
        .state = report.state,
        .reason = report.reason,
        .age = path.age,
        .measures = !path.of_bad_node && report.measurement.rung == view.rung,
        .judges = !path.of_bad_node && report.state != LinkState::kUnknown,
    });
  }
  std::ranges::sort(view.contributors, {},
                    [](const LinkContributor& c) { return std::tie(c.node, c.peer_node, c.path); });
}

}  // namespace

void AggregateValues(const std::vector<FreshPath>& paths, LinkView& view) {
  view.rung = BestRung(paths);
  ListContributors(paths, view);
  Paths used;
  for (const FreshPath& path : paths) {
    if (!path.of_bad_node && path.report->measurement.rung == view.rung) used.push_back(&path);
  }
  if (used.empty()) return;
  for (const FreshPath* path : used) {
    const PathReport& report = *path->report;
    KeepSmaller(view.rtt_min, report.measurement.rtt_min);
    if (report.measurement.age) {
      KeepSmaller(view.age, std::optional(path->age + *report.measurement.age));
    }
    view.samples += report.measurement.samples;
    view.below_floor += report.measurement.below_floor;
    view.lost_direction_unknown += report.measurement.lost_direction_unknown;
  }
  view.rtt_p50 = MedianByNode(used, [](const PathReport& p) { return p.measurement.rtt_p50; });
  view.rtt_p99 = MedianByNode(used, [](const PathReport& p) { return p.measurement.rtt_p99; });
  view.available_bytes_per_second =
      MedianByNode(used, [](const PathReport& p) { return p.available_bytes_per_second; });
  view.forward = Direction(used, &LinkMeasurement::forward);
  view.reverse = Direction(used, &LinkMeasurement::reverse);
}

}  // namespace fairlead::extender
