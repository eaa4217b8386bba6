#include "deviceplugin/doctor_facts/holders.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::deviceplugin {

bool IsSlotOf(std::string_view id, std::string_view device_id) {
  if (!id.starts_with(device_id)) return false;
  id.remove_prefix(device_id.size());
  if (!id.starts_with("-s")) return false;
  const std::size_t end = std::min(id.find_first_not_of("0123456789", 2), id.size());
  return end > 2 && (end == id.size() || id[end] == '-');
}

void AddHolders(const PodHoldings& holdings, const NodeState& state, NodeFacts& facts) {
  using Holders = std::vector<std::string>;
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    if (!holdings.known()) {
      facts.hcas[i].holders = Known<Holders>::Not("kubelet has not told who holds what");
      continue;
    }
    Holders holders;
    for (const WatchedHca& watched : state.watched) {
      if (!watched.present || watched.hca.name != facts.inventory.hcas[i].name) continue;
      for (const Holding& holding : holdings.holdings) {
        if (std::any_of(holding.device_ids.begin(), holding.device_ids.end(),
                        [&](const std::string& id) { return IsSlotOf(id, watched.id); })) {
          holders.push_back(holding.pod_namespace + "/" + holding.pod + "/" + holding.container);
        }
      }
    }
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    facts.hcas[i].holders = std::move(holders);
  }
}

}  // namespace fairlead::deviceplugin
