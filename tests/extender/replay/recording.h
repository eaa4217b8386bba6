// Made-up recordings of three sites: hk-sg 36 ms, hk-tyo 50 ms, sg-tyo 68 ms, all well.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "extender/replay/replay.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {

class Recording {
 public:
  static WallTime Begin() { return WallTime(Seconds(1'795'996'800)); }  // 2026-11-30T00:00:00Z
  static WallTime After(Nanoseconds time) { return Begin() + time; }

  Recording(Nanoseconds step, std::size_t points) : step_(step) {
    const std::map<LinkKey, double> lines{
        {{"hk", "sg"}, 36}, {{"hk", "tyo"}, 50}, {{"sg", "tyo"}, 68}};
    for (const auto& [line, ms] : lines) {
      for (const LinkKey& key : {line, LinkKey{line.to_site, line.from_site}}) {
        for (std::size_t i = 0; i < points; ++i) points_[key].push_back(Well(i, ms));
      }
    }
  }

  // Both directions, from one point to before the other, with this round trip.
  Recording& Degrade(const std::string& a, const std::string& b, std::size_t from, std::size_t to,
                     Nanoseconds rtt, LinkState state = LinkState::kDegraded) {
    for (const LinkKey& key : {LinkKey{a, b}, LinkKey{b, a}}) {
      std::vector<LinkPoint>& points = points_.at(key);
      for (std::size_t i = from; i < std::min(to, points.size()); ++i) {
        points[i].state = state;
        points[i].reason = LinkReason::kRttStep;
        points[i].agreeing = 1;
        points[i].rtt_min = points[i].rtt_p50 = points[i].rtt_p99 = rtt;
      }
    }
    return *this;
  }

  // Of both directions.
  Recording& Forget(const std::string& a, const std::string& b, std::size_t from, std::size_t to) {
    for (const LinkKey& key : {LinkKey{a, b}, LinkKey{b, a}}) {
      std::vector<LinkPoint>& points = points_.at(key);
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(from),
                   points.begin() + static_cast<std::ptrdiff_t>(to));
    }
    return *this;
  }

  LinkTrace Trace() const { return MakeTrace(points_); }

 private:
  LinkPoint Well(std::size_t i, double ms) const {
    LinkPoint point;
    point.at = After(step_ * static_cast<std::int64_t>(i));
    point.state = LinkState::kHealthy;
    point.reason = LinkReason::kNone;
    point.samples = 1'000'000'000;
    point.quorum = 1;
    point.age = Nanoseconds(0);
    point.rtt_min = point.rtt_p50 = point.rtt_p99 = sample::Ms(ms);
    return point;
  }

  const Nanoseconds step_;
  LinkPoints points_;
};

// A gang that hides up to 0.65 s of communication of 1 MB in each step.
inline ReplayGang GangAt(const std::string& name, SiteCounts members) {
  ReplayGang gang;
  gang.namespace_name = "ml";
  gang.name = name;
  gang.members = std::move(members);
  gang.wishes.profile = {
      .pattern = CommPattern::kAllreduce, .bytes_per_step = 1e6, .compute_per_step = Seconds(1)};
  gang.wishes.interval = Seconds(600);
  return gang;
}

}  // namespace fairlead::extender
