// Three sites with lines between them that nothing keeps from being tested.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "extender/lease/lease_desk.h"

namespace fairlead::extender {

inline LinkView QuietView(const std::string& from, const std::string& to) {
  LinkView view;
  view.key = {from, to};
  view.state = LinkState::kHealthy;
  view.used = LineUse{.bytes_per_second = 1e6, .nodes = 2, .age = Seconds(5)};
  view.rate = LineRate{.bytes_per_second = 125e6};
  return view;
}

struct World {
  explicit World(std::vector<std::string> names = {"hk", "sg", "tyo"}) : sites(std::move(names)) {
    std::ranges::sort(sites);
    for (const std::string& from : sites) {
      for (const std::string& to : sites) {
        if (from == to) continue;
        links.links.push_back(QuietView(from, to));
        for (const char* number : {"1", "2"}) {
          pairs.push_back({from + number, to + number, {from, to}, true});
        }
      }
    }
    std::ranges::sort(pairs);
  }

  LinkView& At(const std::string& from, const std::string& to) {
    return *std::ranges::find(links.links, LinkKey{from, to}, &LinkView::key);
  }
  LeaseQuestion Question() const {
    return {.now = now,
            .wall_now = WallTime(Seconds(20'000 * 86'400 + 3'600)) + now.time_since_epoch(),
            .leads = leads,
            .settings = settings,
            .links = links,
            .gangs = gangs,
            .pairs = pairs};
  }
  // After the time it takes to be sure of having taken over.
  void Lead(LeaseDesk& desk) {
    desk.Turn(Question());
    now += Seconds(105);
  }

  std::vector<std::string> sites;
  MonotonicTime now{Seconds(1000)};
  bool leads = true;
  BandwidthConfig settings{.train_interval = Seconds(600)};
  LinkSnapshot links{};
  GangLines gangs{.known = true};
  std::vector<TestPair> pairs{};
};

// What all nodes have been granted.
inline std::vector<BandwidthLease> LeasesOf(const LeaseDesk& desk, const World& world) {
  std::vector<BandwidthLease> leases;
  std::string before;
  for (const TestPair& pair : world.pairs) {
    if (pair.node == before) continue;
    before = pair.node;
    if (const BandwidthLease* lease = desk.LeaseOf(pair.node)) leases.push_back(*lease);
  }
  return leases;
}

}  // namespace fairlead::extender
