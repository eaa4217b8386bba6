#include "deviceplugin/node/judge_node.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "deviceplugin/allocation/make_offer.h"

namespace fairlead::deviceplugin {
namespace {

// What any container could be told wrong: the warnings of a grant of everything there is.
std::vector<std::string> Warnings(const Offer& offer) {
  std::set<std::string> all;
  for (const auto& resource : offer) {
    std::vector<std::string> ids;
    for (const OfferedDevice& device : resource->devices()) ids.push_back(device.id);
    if (ids.empty()) continue;
    if (const auto grant = resource->Allocate(ids)) {
      for (const std::string& warning : grant->warnings) {
        all.insert(resource->name() + ": " + warning);
      }
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace

Offer OfferFor(const NodeState& state, const DevicepluginConfig& config) {
  std::vector<HcaVerdict> verdicts;
  for (const WatchedHca& watched : state.watched) {
    verdicts.push_back({.healthy = watched.healthy, .present = watched.present, .id = watched.id});
  }
  return MakeOffer(state.inventory, state.match, verdicts, config);
}

JudgedNode JudgeNode(NodeInventory inventory, HealthBook& book,
                     std::span<const NicVerdict> verdicts, const DevicepluginConfig& config,
                     ReadSpan read) {
  book.Configure({.down_after = config.health.down_after,
                  .up_after = config.health.up_after,
                  .remove_after = config.remove_after});
  NodeState state;
  state.read_at = read.begin;
  state.watched = book.Update(inventory, verdicts, read);
  state.inventory = std::move(inventory);
  state.inventory.hcas.clear();
  for (const WatchedHca& watched : state.watched) state.inventory.hcas.push_back(watched.hca);
  state.match = MatchPools(state.inventory, config.pools);
  Offer offer = OfferFor(state, config);
  state.warnings = Warnings(offer);
  return {std::move(state), std::move(offer)};
}

}  // namespace fairlead::deviceplugin
