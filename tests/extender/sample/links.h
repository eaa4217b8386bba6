// Made-up sites, lines and reports for the tests of the extender's core.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/link/loss_interval.h"
#include "extender/link/line_catalogue.h"
#include "extender/link/link_view.h"
#include "extender/link/path_report.h"

namespace fairlead::extender::sample {

inline Nanoseconds Ms(double value) {
  return Nanoseconds(static_cast<std::int64_t>(std::llround(value * 1e6)));
}

inline MonotonicTime At(double seconds) {
  return MonotonicTime(Nanoseconds(static_cast<std::int64_t>(std::llround(seconds * 1e9))));
}

inline WallTime WallAt(double seconds) {
  return WallTime(Nanoseconds(static_cast<std::int64_t>(std::llround(seconds * 1e9))));
}

// Hong Kong, Singapore and Tokyo with lines of 1 Gb/s, and "mars" without coordinates or lines.
inline LineCatalogue Catalogue() {
  return LineCatalogue(
      {{"tyo", Coordinates{35.6762, 139.6503}},
       {"hk", Coordinates{22.3193, 114.1694}},
       {"sg", Coordinates{1.3521, 103.8198}},
       {"mars", std::nullopt}},
      {{"sg", "hk", 1'000'000'000}, {"hk", "tyo", 1'000'000'000}, {"tyo", "sg", 1'000'000'000}});
}

// A view with so many fresh samples that no prior is left in it.
inline LinkView View(const std::string& from, const std::string& to, double p50_ms, double p99_ms) {
  LinkView view;
  view.key = {from, to};
  view.state = LinkState::kHealthy;
  view.reason = LinkReason::kNone;
  view.rung = TransportRung::kRdmaUdSw;
  view.rtt_min = Ms(p50_ms);
  view.rtt_p50 = Ms(p50_ms);
  view.rtt_p99 = Ms(p99_ms);
  view.samples = 1'000'000'000'000;
  view.age = Nanoseconds(0);
  view.forward.loss = MakeLossInterval(0, 1000);
  view.reverse.loss = MakeLossInterval(0, 1000);
  return view;
}

// A snapshot under construction; every line is symmetric unless a view is changed afterwards.
class Links {
 public:
  Links& Line(const std::string& a, const std::string& b, double p50_ms, double p99_ms) {
    views_[{a, b}] = View(a, b, p50_ms, p99_ms);
    views_[{b, a}] = View(b, a, p50_ms, p99_ms);
    return *this;
  }
  LinkView& At(const std::string& from, const std::string& to) { return views_.at({from, to}); }
  Links& State(const std::string& a, const std::string& b, LinkState state, LinkReason reason) {
    for (LinkView* view : {&At(a, b), &At(b, a)}) {
      view->state = state;
      view->reason = reason;
    }
    return *this;
  }
  LinkSnapshot Snapshot() const {
    LinkSnapshot snapshot;
    for (const auto& [key, view] : views_) {
      snapshot.links.push_back(view);
      snapshot.histories.push_back(std::make_shared<const std::vector<LinkHistoryPoint>>());
    }
    return snapshot;
  }

 private:
  std::map<std::pair<std::string, std::string>, LinkView> views_;
};

// The three lines of the lab without jitter: 36, 50 and 68 ms.
inline Links Lab() {
  return Links().Line("hk", "sg", 36, 36).Line("hk", "tyo", 50, 50).Line("sg", "tyo", 68, 68);
}

// A clean path of 600 samples.
inline PathReport Path(const std::string& peer, const std::string& site, double p50_ms) {
  PathReport path;
  path.peer_node = peer;
  path.peer_site = site;
  path.measurement.rung = TransportRung::kRdmaUdSw;
  path.measurement.samples = 600;
  path.measurement.window = Seconds(60);
  path.measurement.rtt_min = Ms(p50_ms - 0.5);
  path.measurement.rtt_p50 = Ms(p50_ms);
  path.measurement.rtt_p99 = Ms(p50_ms + 1);
  path.measurement.forward.loss = MakeLossInterval(0, 600);
  path.measurement.reverse.loss = MakeLossInterval(0, 600);
  path.measurement.age = Ms(100);
  path.state = LinkState::kHealthy;
  path.reason = LinkReason::kNone;
  path.evidence = "p50 as ever";
  return path;
}

inline PathReport Judged(PathReport path, LinkState state, LinkReason reason) {
  path.state = state;
  path.reason = reason;
  path.evidence = std::string("because of ") + std::string(LinkReasonName(reason));
  return path;
}

}  // namespace fairlead::extender::sample
