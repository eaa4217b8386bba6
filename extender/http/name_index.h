// Finds a node's name among those already seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "extender/http/extender_args.h"

namespace fairlead::extender {

// Open addressing over the names of a vector of nodes; keeps its memory between uses.
class NameIndex {
 public:
  // Forgets all names and makes room for `count`.
  void Reset(std::size_t count) {
    std::size_t slots = 16;
    while (slots < count * 2) slots *= 2;
    slots_.assign(slots, kFree);
  }

  // The index in `nodes` of the node with this name; `index_if_new`, now remembered, if there is
  // none. At most as many names as Reset made room for.
  std::uint32_t FindOrAdd(std::string_view name, const std::vector<OfferedNode>& nodes,
                          std::uint32_t index_if_new) {
    std::size_t slot = std::hash<std::string_view>{}(name) & (slots_.size() - 1);
    while (slots_[slot] != kFree) {
      if (nodes[slots_[slot]].name == name) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = index_if_new;
    return index_if_new;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  std::vector<std::uint32_t> slots_;
};

}  // namespace fairlead::extender
