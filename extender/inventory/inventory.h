// The nodes of the cluster, as far as placement needs them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/config/config.h"

namespace fairlead::extender {

struct InventoryNode {
  std::string name;
  std::uint32_t site = 0;  // index into Inventory::sites()
  std::uint32_t hcas = 0;  // allocatable rdma/hca
};

// An immutable value.
class Inventory {
 public:
  Inventory() = default;
  // Standalone: the nodes of the configuration. Of a doubled name the first counts.
  explicit Inventory(const std::vector<NodeConfig>& nodes);

  const std::vector<InventoryNode>& nodes() const { return nodes_; }
  // Sorted, each with at least one node.
  const std::vector<std::string>& sites() const { return sites_; }

  // The index of a node; nothing when it is not known.
  std::optional<std::uint32_t> Find(std::string_view name) const;
  // The site of a node; empty when the node is not known.
  std::string_view SiteOf(std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<InventoryNode> nodes_;
  std::vector<std::string> sites_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> index_;
};

}  // namespace fairlead::extender
