#include "extender/cluster/node_names.h"

#include <algorithm>
#include <functional>

namespace fairlead::extender {
namespace {

std::uint32_t HashOf(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

}  // namespace

std::size_t NodeNames::SlotOf(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].node != UINT32_MAX &&
         (slots_[at].hash != hash || nodes_[slots_[at].node].name != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

NodeNames::NodeNames(const std::vector<Entry>& nodes) {
  for (const Entry& node : nodes) {
    if (!node.site.empty()) sites_.push_back(node.site);
  }
  std::ranges::sort(sites_);
  sites_.erase(std::unique(sites_.begin(), sites_.end()), sites_.end());
  std::size_t slots = 2;
  while (slots < 2 * nodes.size()) slots *= 2;
  slots_.resize(slots);
  nodes_.reserve(nodes.size());
  for (const Entry& node : nodes) {
    const std::uint32_t hash = HashOf(node.name);
    slots_[SlotOf(node.name, hash)] = {.hash = hash,
                                       .node = static_cast<std::uint32_t>(nodes_.size())};
    Node& entry = nodes_.emplace_back();
    entry.name = node.name;
    if (node.site.empty()) continue;
    const auto site = std::ranges::lower_bound(sites_, node.site);
    entry.site = static_cast<std::uint32_t>(site - sites_.begin());
  }
}

std::optional<std::uint32_t> NodeNames::Find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[SlotOf(name, HashOf(name))];
  if (slot.node == UINT32_MAX) return std::nullopt;
  return slot.node;
}

std::string_view NodeNames::SiteOf(std::string_view name) const {
  const auto node = Find(name);
  if (!node || nodes_[*node].site == UINT32_MAX) return {};
  return sites_[nodes_[*node].site];
}

}  // namespace fairlead::extender
