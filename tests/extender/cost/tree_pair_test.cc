#include "extender/cost/tree_pair.h"

#include <gtest/gtest.h>

#include <bit>

namespace fairlead::extender {
namespace {

std::size_t Depth(const TreeParents& parents, std::size_t place) {
  std::size_t depth = 0;
  while (parents[place] != place && depth <= parents.size()) {
    place = parents[place];
    ++depth;
  }
  return depth;
}

TEST(DoubleBinaryTree, IsThatOfNcclForFourteen) {
  // The drawing in NCCL's sources: 0 over 8, 8 over 4 and 12, 4 over 2 and 6, 12 over 10 and 13.
  const TreeParents first = DoubleBinaryTree(14)[0];
  EXPECT_EQ(first, (TreeParents{0, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12}));
}

TEST(DoubleBinaryTree, BothTreesReachEveryPlaceInLogarithmicDepth) {
  for (std::size_t n = 1; n <= 65; ++n) {
    for (const TreeParents& parents : DoubleBinaryTree(n)) {
      std::size_t roots = 0;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_LT(parents[i], n);
        if (parents[i] == i) ++roots;
        EXPECT_LE(Depth(parents, i), std::bit_width(n)) << n;
      }
      EXPECT_EQ(roots, 1U) << n;
    }
  }
}

TEST(DoubleBinaryTree, NoPlaceHasTwoChildrenInBoth) {
  for (std::size_t n = 2; n <= 64; ++n) {
    const auto trees = DoubleBinaryTree(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto children = [&](const TreeParents& parents) {
        std::size_t count = 0;
        for (std::size_t j = 0; j < n; ++j) count += parents[j] == i && j != i ? 1 : 0;
        return count;
      };
      EXPECT_LE(children(trees[0]) + children(trees[1]), 3U) << n << " " << i;
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
