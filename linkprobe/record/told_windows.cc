#include "linkprobe/record/told_windows.h"

#include <algorithm>

#include "linkprobe/record/test_spans.h"

namespace fairlead::linkprobe {

std::vector<LineWindow> ToldWindows::Observe(const std::vector<ToldLink>& links, Nanoseconds at,
                                             WallTime wall_at) {
  std::vector<LineWindow> windows;
  for (const ToldLink& link : links) {
    if (link.from == link.to) continue;
    if (auto window = Cut(link, at, wall_at)) windows.push_back(*std::move(window));
  }
  return windows;
}

std::optional<LineWindow> ToldWindows::Cut(const ToldLink& link, Nanoseconds at, WallTime wall_at) {
  LineWindow window;
  window.line = link.from + " > " + link.to;
  const auto [last, fresh] = told_.try_emplace(window.line, at);
  if (fresh) return std::nullopt;
  // After answers that did not come, values still cover no more than usual.
  window.begin = std::max(last->second, at - window_);
  window.end = at;
  last->second = at;
  if (!link.rung || !link.age || *link.age > window_) return std::nullopt;
  window.rung = *link.rung;
  window.wall_end = wall_at;
  window.samples = link.samples;
  window.rtt_min = link.rtt_min;
  window.rtt_p50 = link.rtt_p50;
  window.rtt_p99 = link.rtt_p99;
  window.forward = link.forward;
  window.reverse = link.reverse;
  window.lost_unknown = link.lost_unknown;
  window.tested = link.tested;
  for (const ToldTest& test : link.tests) {
    if (test.age > at - window.begin) continue;
    window.bandwidth = MakeWindowBandwidth(test.bytes_per_second, test.source, test.at_least);
  }
  return window;
}

}  // namespace fairlead::linkprobe
