// Which site each rank of a gang gets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairlead::extender {

// By place in the order of sites.
struct PlacedRank {
  std::uint32_t rank = 0;
  std::size_t place = 0;
};

struct PlaceBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::size_t place = 0;
  bool operator==(const PlaceBlock&) const = default;
};

// `members[i]` ranks go to the i-th site of a ring or chain. Where nothing is placed, each site
// gets one block, in the order given, so that the ring of ranks crosses each boundary once. Ranks
// already placed keep their site; of the orders that keep the ring of sites (every start, both ways
// round; a chain only both ways) the one in which neighbouring ranks change site least often is
// taken, of equals the first. Of ranks placed twice the first counts; those out of range are left
// out. O(sites x (sites + placed)).
std::vector<PlaceBlock> AssignRanks(const std::vector<std::uint32_t>& members, bool ring,
                                    std::vector<PlacedRank> placed);

// How often neighbouring ranks change site; with `ring` also from the last to the first.
std::size_t CountCrossings(const std::vector<PlaceBlock>& blocks, bool ring);

}  // namespace fairlead::extender
