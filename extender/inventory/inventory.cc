#include "extender/inventory/inventory.h"

#include <algorithm>

namespace fairlead::extender {

Inventory::Inventory(const std::vector<NodeConfig>& nodes) {
  for (const NodeConfig& node : nodes) sites_.push_back(node.site);
  std::sort(sites_.begin(), sites_.end());
  sites_.erase(std::unique(sites_.begin(), sites_.end()), sites_.end());
  for (const NodeConfig& node : nodes) {
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    if (!index_.emplace(node.name, fresh).second) continue;
    const auto site = std::lower_bound(sites_.begin(), sites_.end(), node.site);
    nodes_.push_back({.name = node.name,
                      .site = static_cast<std::uint32_t>(site - sites_.begin()),
                      .hcas = node.hcas});
  }
}

std::optional<std::uint32_t> Inventory::Find(std::string_view name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

std::string_view Inventory::SiteOf(std::string_view name) const {
  const auto node = Find(name);
  return node ? std::string_view(sites_[nodes_[*node].site]) : std::string_view();
}

}  // namespace fairlead::extender
