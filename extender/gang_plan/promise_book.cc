#include "extender/gang_plan/promise_book.h"

#include <utility>

namespace fairlead::extender {

void PromiseBook::Add(const GangKey& gang, const PodNeeds& needs) {
  Shape shape{.needs = needs, .owner = needs.one_per_host ? gang : GangKey{}};
  const auto place = shapes_.try_emplace(std::move(shape)).first;
  ++place->second.gangs;
  gangs_.emplace(gang, Promise{.shape = place, .members = {}});
}

// What the gang had in the totals is out of them.
void PromiseBook::Take(Promise& promise) {
  auto& by_site = promise.shape->second.by_site;
  for (const auto& [site, members] : std::exchange(promise.members, {})) {
    const auto total = by_site.find(site);
    total->second -= members;
    if (total->second == 0) by_site.erase(total);
  }
}

void PromiseBook::Set(const GangKey& gang, SiteCounts members) {
  std::erase_if(members, [](const auto& entry) { return entry.second == 0; });
  Promise& promise = gangs_.find(gang)->second;
  if (promise.members == members) return;
  Take(promise);
  for (const auto& [site, count] : members) promise.shape->second.by_site[site] += count;
  promise.members = std::move(members);
}

void PromiseBook::Erase(const GangKey& gang) {
  const auto found = gangs_.find(gang);
  if (found == gangs_.end()) return;
  Take(found->second);
  const auto shape = found->second.shape;
  if (--shape->second.gangs == 0) shapes_.erase(shape);
  gangs_.erase(found);
}

std::vector<PromisedMembers> PromiseBook::Without(const GangKey& except) const {
  const auto own = gangs_.find(except);
  std::vector<PromisedMembers> promised;
  for (auto shape = shapes_.begin(); shape != shapes_.end(); ++shape) {
    const bool has_own = own != gangs_.end() && own->second.shape == shape;
    for (const auto& [site, total] : shape->second.by_site) {
      std::uint64_t members = total;
      if (has_own) {
        const auto part = own->second.members.find(site);
        if (part != own->second.members.end()) members -= part->second;
      }
      if (members == 0) continue;
      promised.push_back({.site = site, .members = members, .needs = &shape->first.needs});
    }
  }
  return promised;
}

}  // namespace fairlead::extender
