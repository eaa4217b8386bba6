// A decider standalone, in three sites of two nodes each.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "extender/cluster/standalone.h"
#include "tests/extender/decision/decider_fixture.h"

namespace fairlead::extender {

class DeciderTest : public DeciderFixture {
 protected:
  DeciderTest() {
    Config config;
    for (const char* site : {"hk", "sg", "tyo"}) {
      config.sites.push_back({.name = site, .coordinates = std::nullopt});
      for (const char* number : {"1", "2"}) {
        config.nodes.push_back({.name = site + std::string(number), .site = site, .hcas = 1});
      }
    }
    config.extender.gang_ttl = Seconds(60);
    cluster_.Publish(StandaloneView(config.nodes));
    setup_.Publish(MakeSetup(config, cluster_.Get()->names()));
    Publish();
  }

  void Publish() {
    LinkSnapshot snapshot;
    for (const char* from : {"hk", "sg", "tyo"}) {
      for (const char* to : {"hk", "sg", "tyo"}) {
        LinkView link;
        link.key = {.from_site = from, .to_site = to};
        const auto down = down_.find(link.key);
        link.state = down == down_.end() ? LinkState::kHealthy : LinkState::kDown;
        link.probers = link.agreeing = link.quorum = 1;
        link.rung = TransportRung::kRdmaUdSw;
        link.samples = 600;
        link.age = Milliseconds(100);
        const Nanoseconds rtt = Rtt(link.key);
        link.rtt_min = link.rtt_p50 = rtt;
        link.rtt_p99 = rtt + rtt / 50;
        snapshot.links.push_back(link);
        snapshot.histories.push_back(std::make_shared<const std::vector<LinkHistoryPoint>>());
      }
    }
    links_.Publish(std::move(snapshot));
  }

  static Nanoseconds Rtt(const LinkKey& key) {
    if (key.from_site == key.to_site) return Nanoseconds(80'000);
    const bool hk = key.from_site == "hk" || key.to_site == "hk";
    const bool sg = key.from_site == "sg" || key.to_site == "sg";
    if (hk && sg) return Milliseconds(36);
    return hk ? Milliseconds(50) : Milliseconds(68);
  }

  void TakeDown(const std::string& a, const std::string& b) {
    down_.insert({.from_site = a, .to_site = b});
    down_.insert({.from_site = b, .to_site = a});
    Publish();
  }

  std::set<LinkKey> down_;
};

}  // namespace fairlead::extender
