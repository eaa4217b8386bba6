#include "deviceplugin/pool/match_pools.h"

#include <optional>

namespace fairlead::deviceplugin {
namespace {

// What became of one HCA.
struct Fate {
  std::optional<std::size_t> pool;
  std::vector<Rejection> rejections;
  std::vector<std::string> also_wanted_by;
};

Fate FateOf(const Hca& hca, bool rdma_cm, const std::vector<PoolConfig>& pools) {
  Fate fate;
  const std::optional<Rejection> unusable = Unusable(hca, rdma_cm);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (!pools[i].priority_of.empty()) continue;
    std::optional<Rejection> rejection = unusable ? unusable : RejectedBy(pools[i], hca);
    if (rejection) {
      rejection->pool = pools[i].resource;
      fate.rejections.push_back(*std::move(rejection));
    } else if (fate.pool) {
      fate.also_wanted_by.push_back(pools[i].resource);
    } else {
      fate.pool = i;
    }
  }
  return fate;
}

Overlap OverlapOf(std::size_t position, const Hca& hca, const std::string& kept_by,
                  std::vector<std::string> wanted_by) {
  std::string sentence = hca.name + " is selected by pool " + kept_by;
  for (const std::string& pool : wanted_by) sentence += " and by pool " + pool;
  sentence += "; " + kept_by +
              ", listed first, has it. Narrow the selectors, or declare priorityOf where both are "
              "to share it.";
  return {position, kept_by, std::move(wanted_by), std::move(sentence)};
}

}  // namespace

PoolMatch MatchPools(const NodeInventory& inventory, const std::vector<PoolConfig>& pools) {
  PoolMatch match;
  match.hcas.resize(pools.size());
  for (std::size_t i = 0; i < inventory.hcas.size(); ++i) {
    const Hca& hca = inventory.hcas[i];
    Fate fate = FateOf(hca, inventory.rdma_cm, pools);
    if (!fate.pool) {
      match.left_out.push_back({i, std::move(fate.rejections)});
      continue;
    }
    match.hcas[*fate.pool].push_back(i);
    if (fate.also_wanted_by.empty()) continue;
    match.overlaps.push_back(
        OverlapOf(i, hca, pools[*fate.pool].resource, std::move(fate.also_wanted_by)));
  }
  for (std::size_t i = 0; i < pools.size(); ++i) {
    for (std::size_t j = 0; j < pools.size() && !pools[i].priority_of.empty(); ++j) {
      if (pools[j].resource == pools[i].priority_of) match.hcas[i] = match.hcas[j];
    }
  }
  return match;
}

}  // namespace fairlead::deviceplugin
