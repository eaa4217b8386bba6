#include "extender/replay/link_trace.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kEpoch = Seconds(400LL * 24 * 3600);

LinkView Unknown(const LinkKey& key) {
  LinkView view;
  view.key = key;
  return view;
}

LinkView ViewOf(const LinkKey& key, const LinkPoint& point) {
  LinkView view;
  view.key = key;
  view.state = point.state;
  view.reason = point.reason;
  view.quorum = point.quorum;
  view.agreeing = point.agreeing;
  view.probers = point.quorum;
  if (point.by_prometheus) view.rung = TransportRung::kPromql;
  view.rtt_min = point.rtt_min;
  view.rtt_p50 = point.rtt_p50;
  view.rtt_p99 = point.rtt_p99;
  view.forward.loss = point.loss_forward;
  view.reverse.loss = point.loss_reverse;
  view.forward.jitter = point.jitter_forward;
  view.reverse.jitter = point.jitter_reverse;
  view.samples = point.samples;
  view.age = point.age;
  if (point.rate_bytes_per_second) {
    view.rate =
        LineRate{.bytes_per_second = *point.rate_bytes_per_second, .at_least = point.rate_at_least};
  }
  view.available_bytes_per_second = point.available_bytes_per_second;
  view.available_at_least = point.available_at_least;
  if (point.port_loss) view.port_loss = LineLoss{.interval = *point.port_loss, .counts = true};
  return view;
}

Nanoseconds MedianStep(const LinkPoints& links) {
  std::vector<Nanoseconds> steps;
  for (const auto& [key, points] : links) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      steps.push_back(points[i].at - points[i - 1].at);
    }
  }
  if (steps.empty()) return Nanoseconds(0);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

void FillStateAges(std::vector<LinkPoint>& points, Nanoseconds hold) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    LinkPoint& point = points[i];
    if (point.state_age) continue;
    point.state_age = Nanoseconds(0);
    if (i == 0) continue;
    const LinkPoint& before = points[i - 1];
    const Nanoseconds since = point.at - before.at;
    if (before.state == point.state && since <= hold) point.state_age = *before.state_age + since;
  }
}

}  // namespace

bool LinkTrace::Knows(const SitePair& line) const {
  return links.contains({line.first, line.second}) || links.contains({line.second, line.first});
}

LinkTrace MakeTrace(LinkPoints links) {
  LinkTrace trace;
  std::erase_if(links, [](const auto& link) { return link.second.empty(); });
  trace.step = MedianStep(links);
  bool first = true;
  for (auto& [key, points] : links) {
    FillStateAges(points, trace.Hold());
    trace.begin = first ? points.front().at : std::min(trace.begin, points.front().at);
    trace.end = first ? points.back().at : std::max(trace.end, points.back().at);
    first = false;
  }
  trace.end += trace.step;
  trace.links = std::move(links);
  return trace;
}

std::vector<WallTime> ChangesOf(const LinkTrace& trace) {
  std::vector<WallTime> changes;
  for (const auto& [key, points] : trace.links) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      changes.push_back(points[i].at);
      const WallTime ends = points[i].at + trace.Hold();
      if (i + 1 < points.size() && points[i + 1].at > ends) changes.push_back(ends);
    }
  }
  std::ranges::sort(changes);
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  return changes;
}

MonotonicTime ReplayTime(const LinkTrace& trace, WallTime at) {
  return MonotonicTime(kEpoch + (at - trace.begin));
}

TracePlayer::TracePlayer(const LinkTrace& trace) : trace_(trace) {
  for (const auto& [key, points] : trace.links) {
    tracks_.push_back({.points = &points});
    snapshot_.links.push_back(Unknown(key));
  }
}

const LinkSnapshot& TracePlayer::At(WallTime now) {
  snapshot_.taken_at = ReplayTime(trace_, now);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    Track& track = tracks_[i];
    LinkView& view = snapshot_.links[i];
    const std::size_t before = track.next;
    while (track.next < track.points->size() && (*track.points)[track.next].at <= now) {
      ++track.next;
    }
    if (track.next == 0) continue;
    const LinkPoint& point = (*track.points)[track.next - 1];
    const bool holds = now - point.at < trace_.Hold();
    if (holds && (track.next != before || !track.holds)) view = ViewOf(view.key, point);
    if (!holds && track.holds) view = Unknown(view.key);
    track.holds = holds;
    if (holds) view.state_age = point.state_age.value_or(Nanoseconds(0)) + (now - point.at);
  }
  return snapshot_;
}

bool TracePlayer::Watched(const SitePair& line) const {
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const LinkKey& key = snapshot_.links[i].key;
    const bool of_line = (key.from_site == line.first && key.to_site == line.second) ||
                         (key.from_site == line.second && key.to_site == line.first);
    if (of_line && tracks_[i].holds) return true;
  }
  return false;
}

}  // namespace fairlead::extender
