#include "extender/cost/tree_pair.h"

namespace fairlead::extender {
namespace {

// The lowest bit set tells a place's level; its parent has the next higher bit in its stead.
std::size_t Parent(std::size_t place, std::size_t n) {
  if (place == 0) return 0;
  const std::size_t bit = place & (~place + 1);
  const std::size_t without = place ^ bit;
  const std::size_t parent = without | bit << 1;
  return parent < n ? parent : without;
}

}  // namespace

std::array<TreeParents, 2> DoubleBinaryTree(std::size_t n) {
  std::array<TreeParents, 2> trees{TreeParents(n), TreeParents(n)};
  for (std::size_t place = 0; place < n; ++place) {
    const std::size_t parent = Parent(place, n);
    trees[0][place] = parent;
    // An even count is mirrored, an odd one shifted by one.
    if (n % 2 == 0) {
      trees[1][n - 1 - place] = n - 1 - parent;
    } else {
      trees[1][(place + 1) % n] = (parent + 1) % n;
    }
  }
  return trees;
}

}  // namespace fairlead::extender
