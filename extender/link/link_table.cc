#include "extender/link/link_table.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "common/units/duration.h"
#include "extender/link/bad_nodes.h"
#include "extender/link/external_merge.h"
#include "extender/link/link_aggregate.h"
#include "extender/link/path_report_check.h"
#include "extender/link/site_traffic.h"

namespace fairlead::extender {
namespace {

constexpr std::uint32_t kQuorum = 2;

using Nodes = std::map<std::string, NodeRows, std::less<>>;
using PathsByLink = std::map<LinkKey, std::vector<FreshPath>>;

// Why a batch does not follow the one before it in its stream; empty when it does.
std::string OutOfOrder(const NodeRows& rows, const PathReportBatch& batch) {
  if (rows.last_sequence && batch.sequence <= *rows.last_sequence) {
    return "its sequence " + std::to_string(batch.sequence) + " does not follow " +
           std::to_string(*rows.last_sequence);
  }
  if (rows.last_sent_at && batch.sent_at <= *rows.last_sent_at) {
    return "it was sent " + HumanDuration(*rows.last_sent_at - batch.sent_at) +
           " before the report that came ahead of it; open the stream anew if the clock was set";
  }
  if (batch.received_at < rows.received_at) return "it was received before the one ahead of it";
  return {};
}

auto PathOrder(const PathReport& path) {
  return std::tie(path.peer_node, path.path, path.traffic_class);
}

void DropRepeats(std::vector<PathReport>& paths, IngestOutcome& outcome) {
  std::ranges::stable_sort(paths, {}, PathOrder);
  const auto same = [](const PathReport& a, const PathReport& b) {
    return PathOrder(a) == PathOrder(b);
  };
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (same(paths[i - 1], paths[i])) {
      outcome.refused.push_back("path " + std::to_string(paths[i].path) + " to " +
                                paths[i].peer_node + " is reported more than once");
    }
  }
  paths.erase(std::unique(paths.begin(), paths.end(), same), paths.end());
}

std::vector<PairVerdict> Verdicts(const Nodes& nodes) {
  std::vector<PairVerdict> verdicts;
  for (const auto& [node, rows] : nodes) {
    for (const PathReport& path : rows.paths) {
      verdicts.push_back({&node, &rows.site, &path.peer_node, &path.peer_site, path.state});
    }
  }
  return verdicts;
}

HealthyNodes ReportingNodes(const Nodes& nodes) {
  HealthyNodes reporting;
  for (const auto& [node, rows] : nodes) {
    if (!rows.paths.empty()) ++reporting[rows.site];
  }
  return reporting;
}

std::uint32_t Quorum(const std::string& site, const HealthyNodes& healthy,
                     const HealthyNodes& reporting, std::uint32_t representatives) {
  const HealthyNodes& source = healthy.contains(site) ? healthy : reporting;
  const auto found = source.find(site);
  return found == source.end() ? 1U
                               : std::clamp(std::min(found->second, representatives), 1U, kQuorum);
}

// Every ordered pair of sites that are configured or have nodes, still without paths.
PathsByLink KnownPairs(const LineCatalogue& lines, const HealthyNodes& healthy) {
  std::set<std::string> sites(lines.sites().begin(), lines.sites().end());
  for (const auto& [site, count] : healthy) sites.insert(site);
  PathsByLink pairs;
  for (const std::string& from : sites) {
    for (const std::string& to : sites) {
      if (from != to) pairs[{from, to}];
    }
  }
  return pairs;
}

PathsByLink GroupByLink(const Nodes& nodes, PathsByLink by_link,
                        const std::vector<BadNode>& bad_nodes, MonotonicTime now) {
  std::set<std::string_view> bad;
  for (const BadNode& node : bad_nodes) bad.insert(node.node);
  for (const auto& [node, rows] : nodes) {
    for (const PathReport& path : rows.paths) {
      const bool of_bad_node = bad.contains(node) || bad.contains(path.peer_node);
      by_link[{rows.site, path.peer_site}].push_back(
          {&node, &path, now - rows.received_at, of_bad_node});
    }
  }
  return by_link;
}

TrafficBySite SumTraffic(const Nodes& nodes, MonotonicTime now) {
  TrafficBySite traffic;
  for (const auto& [node, rows] : nodes) {
    if (!rows.traffic) continue;
    AddTraffic(*rows.traffic, rows.site, rows.traffic->age + (now - rows.received_at), traffic);
  }
  return traffic;
}

using NodeSet = std::set<std::string_view>;

// Nodes of both sites that probe over the link or are probed, but for bad ones.
struct LinkEnds {
  NodeSet from;
  NodeSet to;
};

LinkEnds EndsOf(const LinkKey& key, const PathsByLink& by_link) {
  LinkEnds ends;
  for (const bool back : {false, true}) {
    const auto paths = by_link.find(back ? LinkKey{key.to_site, key.from_site} : key);
    if (paths == by_link.end()) continue;
    for (const FreshPath& path : paths->second) {
      if (path.of_bad_node) continue;
      (back ? ends.to : ends.from).insert(*path.node);
      (back ? ends.from : ends.to).insert(path.report->peer_node);
    }
  }
  return ends;
}

std::set<std::string_view> SitesOf(const PathsByLink& by_link) {
  std::set<std::string_view> sites;
  for (const auto& [key, paths] : by_link) sites.insert(key.from_site);
  return sites;
}

// Adds what ports of `names` lost in one direction.
void AddLosses(const Nodes& nodes, const NodeSet& names, bool receive, MonotonicTime now,
               Nanoseconds stale_after, LossOfEnd& end, std::vector<LossyPort>& lossy) {
  for (const std::string_view name : names) {
    const auto found = nodes.find(name);
    if (found == nodes.end()) continue;
    for (PortLoss loss : found->second.losses) {
      loss.age += now - found->second.received_at;
      if (loss.receive != receive || loss.age >= stale_after) continue;
      end.Add(loss);
      if (loss.interval.lost > 0) lossy.push_back({found->first, std::move(loss)});
    }
  }
}

void DescribeLoss(const Nodes& nodes, const LinkEnds& ends, MonotonicTime now,
                  Nanoseconds stale_after, LinkView& view) {
  LossOfEnd sent;
  LossOfEnd received;
  AddLosses(nodes, ends.from, false, now, stale_after, sent, view.lossy_ports);
  AddLosses(nodes, ends.to, true, now, stale_after, received, view.lossy_ports);
  std::ranges::stable_sort(view.lossy_ports, {}, &LossyPort::node);
  if (view.key.from_site != view.key.to_site) view.port_loss = LossOfLine(sent, received);
}

void DescribeLine(const LineCatalogue& lines, const TrafficBySite& traffic, LinkView& view) {
  const LinkKey& key = view.key;
  view.floor_rtt = lines.FloorRtt(key.from_site, key.to_site);
  view.capacity_bytes_per_second = lines.CapacityBytesPerSecond(key.from_site, key.to_site);
  view.used = UseOfLine(traffic, key.from_site, key.to_site);
  if (view.rtt_min && view.floor_rtt) {
    view.path_stretch =
        static_cast<double>(view.rtt_min->count()) / static_cast<double>(view.floor_rtt->count());
  }
}

Nanoseconds LookedBack(const std::vector<FreshPath>& paths) {
  Nanoseconds longest{};
  for (const FreshPath& path : paths) {
    longest = std::max(longest, path.report->measurement.window);
  }
  return longest;
}

// What is used at most says nothing of the line once it is more than that carries: the ports then
// carry it elsewhere.
void DeriveAvailable(LinkView& view) {
  if (!view.rate || !view.used || view.used->bytes_per_second > view.rate->bytes_per_second) return;
  view.available_bytes_per_second = view.rate->bytes_per_second - view.used->bytes_per_second;
  view.available_at_least = true;
}

}  // namespace

LinkTable::LinkTable(LinkTableSettings settings, LineCatalogue lines)
    : settings_(settings), lines_(std::move(lines)) {}

void LinkTable::Configure(LinkTableSettings settings, LineCatalogue lines) {
  settings_ = settings;
  lines_ = std::move(lines);
}

void LinkTable::OpenStream(std::string_view node) {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return;
  found->second.last_sequence.reset();
  found->second.last_sent_at.reset();
}

Result<IngestOutcome> LinkTable::Ingest(PathReportBatch batch) {
  if (batch.node.empty() || batch.site.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "report of node '" + batch.node + "' in site '" +
                                                 batch.site +
                                                 "' is refused: both names are needed");
  }
  auto found = nodes_.find(batch.node);
  if (found != nodes_.end()) {
    const std::string complaint = OutOfOrder(found->second, batch);
    if (!complaint.empty()) {
      return Fail(ErrorCode::kInvalidArgument,
                  "report of node " + batch.node + " is refused: " + complaint);
    }
  } else {
    if (nodes_.size() >= settings_.max_nodes) {
      std::erase_if(nodes_, [](const auto& entry) { return entry.second.paths.empty(); });
    }
    if (nodes_.size() >= settings_.max_nodes) {
      return Fail(ErrorCode::kResourceExhausted, "report of node " + batch.node + " is refused: " +
                                                     std::to_string(settings_.max_nodes) +
                                                     " nodes report already");
    }
    found = nodes_.emplace(batch.node, NodeRows{}).first;
  }

  IngestOutcome outcome;
  NodeRows& rows = found->second;
  rows.site = std::move(batch.site);
  rows.received_at = batch.received_at;
  rows.last_sequence = batch.sequence;
  rows.last_sent_at = batch.sent_at;
  rows.traffic = batch.traffic;
  rows.losses = std::move(batch.losses);
  rows.paths.clear();
  for (PathReport& path : batch.paths) {
    const Status status = CheckPath(batch.node, path);
    if (!status) {
      outcome.refused.push_back(status.error().message);
    } else if (rows.paths.size() >= settings_.max_paths_per_node) {
      outcome.refused.push_back("path " + std::to_string(path.path) + " to " + path.peer_node +
                                " is beyond the " + std::to_string(settings_.max_paths_per_node) +
                                " paths kept for a node");
    } else {
      rows.paths.push_back(std::move(path));
    }
  }
  DropRepeats(rows.paths, outcome);
  outcome.accepted = rows.paths.size();
  return outcome;
}

void LinkTable::ForgetNode(std::string_view node) {
  const auto found = nodes_.find(node);
  if (found != nodes_.end()) nodes_.erase(found);
}

void LinkTable::SetTested(std::set<LinkKey> tested, const std::set<LinkKey>& saturated,
                          MonotonicTime now) {
  tested_ = std::move(tested);
  const auto lines = [](const std::set<LinkKey>& links) {
    CrossedLines::Lines both_ways;
    for (const LinkKey& link : links) both_ways.emplace(std::minmax(link.from_site, link.to_site));
    return both_ways;
  };
  crossed_.SetTested(lines(tested_), lines(saturated), now);
}

void LinkTable::SetExternal(std::shared_ptr<const ExternalReadings> external) {
  external_ = std::move(external);
}

LinkSnapshot LinkTable::TakeSnapshot(MonotonicTime now, const HealthyNodes& healthy) {
  for (auto& [node, rows] : nodes_) {
    if (now - rows.received_at < settings_.stale_after) continue;
    rows.paths.clear();
    rows.traffic.reset();
    rows.losses.clear();
  }
  LinkSnapshot snapshot;
  snapshot.taken_at = now;
  snapshot.bad_nodes = FindBadNodes(Verdicts(nodes_));
  const PathsByLink by_link =
      GroupByLink(nodes_, KnownPairs(lines_, healthy), snapshot.bad_nodes, now);
  const HealthyNodes reporting = ReportingNodes(nodes_);
  const TrafficBySite traffic = SumTraffic(nodes_, now);
  const std::set<std::string_view> sites = SitesOf(by_link);
  std::erase_if(tracked_, [&](const auto& entry) { return !by_link.contains(entry.first); });
  for (const auto& [key, paths] : by_link) {
    LinkView view;
    view.key = key;
    view.quorum = Quorum(key.from_site, healthy, reporting, settings_.representatives_per_site);
    AggregateValues(paths, view);
    JudgeByQuorum(paths, view);
    DescribeLine(lines_, traffic, view);
    DescribeBandwidth(now, paths, view);
    DescribeLoss(nodes_, EndsOf(key, by_link), now, settings_.stale_after, view);
    if (view.port_loss) {
      view.port_loss->counts = crossed_.OnlyLine(key.from_site, key.to_site, sites) &&
                               crossed_.OnlyLine(key.to_site, key.from_site, sites);
    }
    if (external_ != nullptr) MergeExternal(*external_, now, view);
    if (!view.available_bytes_per_second) DeriveAvailable(view);
    Track(now, view);
    // After the history, which shows what was measured.
    tracked_[key].before_test.Follow(HasLineOf(tested_, key), LookedBack(paths), now, view);
    snapshot.histories.push_back(tracked_[key].history.Points());
    snapshot.links.push_back(std::move(view));
  }
  return snapshot;
}

void LinkTable::DescribeBandwidth(MonotonicTime now, const std::vector<FreshPath>& paths,
                                  LinkView& view) {
  if (view.key.from_site == view.key.to_site) return;
  Tracked& tracked = tracked_[view.key];
  if (tested_.contains(view.key)) {
    view.used = tracked.used;
    if (view.used) view.used->age += now - tracked.used_at;
  } else {
    tracked.used = view.used;
    tracked.used_at = now;
  }
  for (const FreshPath& path : paths) {
    if (path.of_bad_node) continue;
    for (CapacityTest test : path.report->tests) {
      test.age += path.age;
      tracked.tests.Add(test, now);
    }
  }
  view.tests = tracked.tests.At(now);
  std::optional<double> used;
  if (view.used) used = view.used->bytes_per_second;
  const LineCapacity capacity =
      JudgeCapacity(view.tests, view.capacity_bytes_per_second, used, settings_.tests);
  view.rate = capacity.rate;
  view.declared_doubt = capacity.doubt;
}

void LinkTable::Track(MonotonicTime now, LinkView& view) {
  Tracked& tracked = tracked_[view.key];
  if (tracked.state != view.state) {
    tracked.state = view.state;
    tracked.since = now;
  }
  view.state_age = now - tracked.since;
  tracked.history.Add(view, now, settings_.history_step, settings_.history_points);
}

}  // namespace fairlead::extender
