#include "extender/inventory/inventory.h"

#include <algorithm>
#include <functional>

namespace fairlead::extender {

namespace {

std::uint32_t HashOf(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

}  // namespace

std::size_t Inventory::SlotOf(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].node != UINT32_MAX &&
         (slots_[at].hash != hash || nodes_[slots_[at].node].name != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

Inventory::Inventory(const std::vector<NodeConfig>& nodes) {
  for (const NodeConfig& node : nodes) sites_.push_back(node.site);
  std::sort(sites_.begin(), sites_.end());
  sites_.erase(std::unique(sites_.begin(), sites_.end()), sites_.end());
  std::size_t slots = 2;
  while (slots < 2 * nodes.size()) slots *= 2;
  slots_.resize(slots);
  for (const NodeConfig& node : nodes) {
    const std::uint32_t hash = HashOf(node.name);
    Slot& slot = slots_[SlotOf(node.name, hash)];
    if (slot.node != UINT32_MAX) continue;
    slot = {.hash = hash, .node = static_cast<std::uint32_t>(nodes_.size())};
    const auto site = std::lower_bound(sites_.begin(), sites_.end(), node.site);
    nodes_.push_back({.name = node.name,
                      .site = static_cast<std::uint32_t>(site - sites_.begin()),
                      .hcas = node.hcas,
                      .hash = hash});
  }
}

std::optional<std::uint32_t> Inventory::Find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[SlotOf(name, HashOf(name))];
  if (slot.node == UINT32_MAX) return std::nullopt;
  return slot.node;
}

std::string_view Inventory::SiteOf(std::string_view name) const {
  const auto node = Find(name);
  return node ? std::string_view(sites_[nodes_[*node].site]) : std::string_view();
}

}  // namespace fairlead::extender
