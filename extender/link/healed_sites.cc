#include "extender/link/healed_sites.h"

#include <map>
#include <set>

namespace fairlead::extender {
namespace {

bool Healed(LinkState before, LinkState now) {
  switch (before) {
    case LinkState::kDown:
      return now == LinkState::kHealthy || now == LinkState::kSuspect ||
             now == LinkState::kDegraded;
    case LinkState::kDegraded:
      return now == LinkState::kHealthy;
    case LinkState::kUnknown:
    case LinkState::kHealthy:
    case LinkState::kSuspect:
      return false;
  }
  return false;
}

}  // namespace

std::vector<std::string> HealedSites(const LinkSnapshot& before, const LinkSnapshot& now) {
  std::map<LinkKey, LinkState> states;
  for (const LinkView& link : before.links) states.emplace(link.key, link.state);
  std::set<std::string> sites;
  for (const LinkView& link : now.links) {
    const auto earlier = states.find(link.key);
    if (earlier == states.end() || !Healed(earlier->second, link.state)) continue;
    sites.insert({link.key.from_site, link.key.to_site});
  }
  return {sites.begin(), sites.end()};
}

}  // namespace fairlead::extender
