// The double binary tree over an order of sites.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace fairlead::extender {

// Parents by place in the order; a root is its own parent.
using TreeParents = std::vector<std::size_t>;

// The two trees that NCCL builds over n ranks (src/graph/trees.cc): leaves of the first are inside
// the second. n is at least 1.
std::array<TreeParents, 2> DoubleBinaryTree(std::size_t n);

}  // namespace fairlead::extender
