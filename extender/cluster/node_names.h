// The names and sites of the cluster's nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::extender {

// An immutable value.
class NodeNames {
 public:
  struct Entry {
    std::string name;
    std::string site;  // empty: the node has none
  };

  NodeNames() = default;
  // Names differ.
  explicit NodeNames(const std::vector<Entry>& nodes);

  // The place of a node in the list given; nothing when it is not known.
  std::optional<std::uint32_t> Find(std::string_view name) const;
  // Empty when the node is not known or has none.
  std::string_view SiteOf(std::string_view name) const;
  // Sorted, each with at least one node.
  const std::vector<std::string>& sites() const { return sites_; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    std::string name;
    std::uint32_t site = UINT32_MAX;  // into sites_; none
  };
  // Open addressing, at most half full: a scheduler asks for hundreds of names at a time.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t node = UINT32_MAX;  // free
  };

  std::size_t SlotOf(std::string_view name, std::uint32_t hash) const;

  std::vector<Node> nodes_;
  std::vector<std::string> sites_;
  std::vector<Slot> slots_;
};

}  // namespace fairlead::extender
