#include "tests/bench/placement_quality/simulation.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "extender/cost/collective_cost.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender::quality {
namespace {

struct Running {
  Counts members;
  std::vector<LineIndex> lines;
  std::size_t leaves_at = 0;
};

class World {
 public:
  explicit World(const Trace& trace)
      : trace_(trace), room_(trace.capacity), usual_ms_(room_.size() * room_.size()) {
    for (const LineChange& line : trace.lines) {
      Change(line);
      usual_ms_[line.a * room_.size() + line.b] = line.state.rtt_p50_ms;
      usual_ms_[line.b * room_.size() + line.a] = line.state.rtt_p50_ms;
    }
  }

  void Change(const LineChange& line) {
    const std::string& a = trace_.sites[line.a];
    const std::string& b = trace_.sites[line.b];
    links_.Line(a, b, line.state.rtt_p50_ms, line.state.rtt_p99_ms);
    capacities_[{a, b}] = static_cast<std::uint64_t>(line.state.gigabits * 1e9);
  }

  void Leave(std::size_t now) {
    std::erase_if(running_, [&](const Running& gang) {
      if (gang.leaves_at > now) return false;
      for (std::size_t i = 0; i < room_.size(); ++i) room_[i] += gang.members[i];
      return true;
    });
  }

  std::optional<Placement> Arrive(const Arrival& arrival, std::size_t now, const Policy& policy,
                                  std::span<const Policy> beside) {
    if (std::accumulate(room_.begin(), room_.end(), 0U) < arrival.size) return std::nullopt;
    LineOccupancy occupancy;
    for (const Running& gang : running_) {
      for (const LineIndex& line : gang.lines) {
        const auto [a, b] = std::minmax(trace_.sites[line.a], trace_.sites[line.b]);
        ++occupancy[{a, b}];
      }
    }
    std::vector<LineConfig> declared;
    for (const auto& [ends, bits] : capacities_)
      declared.push_back({ends.first, ends.second, bits});
    const LineMatrix lines(trace_.sites, links_.Snapshot(), LineCatalogue({}, declared), occupancy);
    const Question question{arrival.size, arrival.profile, lines,
                            room_,        trace_.capacity, usual_ms_};
    const auto price = [&](const Counts& counts) {
      return PredictCost(arrival.profile, lines, counts);
    };
    const Counts members = policy.place(question);
    const CostBreakdown cost = price(members);
    Placement placement{
        .seconds = cost.seconds,
        .least_seconds = LeastSeconds(question),
        .split = cost.sites_used > 1,
        .needless = cost.sites_used > 1 && *std::ranges::max_element(room_) >= arrival.size,
        .others = {}};
    for (const Policy& other : beside) {
      placement.others.push_back(price(other.place(question)).seconds);
    }
    for (std::size_t i = 0; i < room_.size(); ++i) room_[i] -= members[i];
    running_.push_back({members, cost.lines, now + arrival.leaves_after});
    return placement;
  }

 private:
  const Trace& trace_;
  Counts room_;
  std::vector<double> usual_ms_;
  sample::Links links_;
  // Declared, so that gangs on a line share it.
  std::map<std::pair<std::string, std::string>, std::uint64_t> capacities_;  // bits a second
  std::vector<Running> running_;
};

}  // namespace

std::vector<Placement> Simulate(const Trace& trace, const Policy& policy,
                                std::span<const Policy> beside) {
  World world(trace);
  std::vector<Placement> placements;
  for (std::size_t now = 0; now < trace.events.size(); ++now) {
    world.Leave(now);
    if (const auto* change = std::get_if<LineChange>(&trace.events[now])) {
      world.Change(*change);
    } else if (auto placed =
                   world.Arrive(std::get<Arrival>(trace.events[now]), now, policy, beside)) {
      placements.push_back(std::move(*placed));
    }
  }
  return placements;
}

Summary Summarise(std::span<const Placement> placements) {
  Summary summary;
  summary.placements = placements.size();
  if (placements.empty()) return summary;
  std::vector<double> seconds;
  std::vector<double> regrets;
  for (const Placement& one : placements) {
    seconds.push_back(one.seconds);
    regrets.push_back(one.seconds / one.least_seconds - 1);
    summary.splits += one.split ? 1 : 0;
    summary.needless += one.needless ? 1 : 0;
  }
  std::ranges::sort(seconds);
  std::ranges::sort(regrets);
  const auto n = static_cast<double>(placements.size());
  summary.mean_seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0) / n;
  summary.p95_seconds = seconds[seconds.size() * 95 / 100];
  summary.median_regret = regrets[regrets.size() / 2];
  summary.mean_regret = std::accumulate(regrets.begin(), regrets.end(), 0.0) / n;
  summary.worst_regret = regrets.back();
  return summary;
}

}  // namespace fairlead::extender::quality
