// The nodes of the cluster, as far as placement needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/config.h"

namespace fairlead::extender {

struct InventoryNode {
  std::string name;
  std::uint32_t site = 0;  // index into Inventory::sites()
  std::uint32_t hcas = 0;  // allocatable rdma/hca
  std::uint32_t hash = 0;  // of the name; the same as long as the program runs
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
  // Open addressing, at most half full: a scheduler asks for hundreds of names at a time, and a
  // chained table would miss the cache for each.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t node = UINT32_MAX;  // free
  };

  // The slot of `name`, or the free one where it belongs.
  std::size_t SlotOf(std::string_view name, std::uint32_t hash) const;

  std::vector<InventoryNode> nodes_;
  std::vector<std::string> sites_;
  std::vector<Slot> slots_;
};

}  // namespace fairlead::extender
