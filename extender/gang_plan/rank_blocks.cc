#include "extender/gang_plan/rank_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fairlead::extender {
namespace {

using Order = std::vector<std::size_t>;

void Append(std::vector<PlaceBlock>& blocks, PlaceBlock block) {
  if (block.count == 0) return;
  if (!blocks.empty() && blocks.back().place == block.place &&
      blocks.back().first + blocks.back().count == block.first) {
    blocks.back().count += block.count;
  } else {
    blocks.push_back(block);
  }
}

// Fills the ranks between those placed by walking the sites once.
class Walk {
 public:
  Walk(std::vector<std::uint32_t> seats, const Order& order)
      : seats_(std::move(seats)), order_(order) {}

  std::vector<PlaceBlock> Run(const std::vector<PlacedRank>& placed, std::uint32_t ranks) {
    std::uint32_t next = 0;
    for (const PlacedRank& one : placed) {
      Fill(next, one.rank);
      Append(blocks_, {one.rank, 1, one.place});
      next = one.rank + 1;
    }
    Fill(next, ranks);
    return std::move(blocks_);
  }

 private:
  void Fill(std::uint32_t next, std::uint32_t end) {
    while (next < end && at_ < order_.size()) {
      std::uint32_t& seats = seats_[order_[at_]];
      const std::uint32_t count = std::min(seats, end - next);
      Append(blocks_, {next, count, order_[at_]});
      next += count;
      seats -= count;
      if (seats == 0) ++at_;
    }
  }

  std::vector<std::uint32_t> seats_;
  const Order& order_;
  std::size_t at_ = 0;
  std::vector<PlaceBlock> blocks_;
};

std::vector<Order> Orders(std::size_t sites, bool ring) {
  std::vector<Order> orders;
  Order order(sites);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const bool reversed : {false, true}) {
    if (reversed) std::ranges::reverse(order);
    for (std::size_t start = 0; start < (ring ? sites : 1); ++start) {
      orders.push_back(order);
      std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    if (!ring && sites > 0) std::rotate(order.begin(), order.end() - 1, order.end());
  }
  return orders;
}

}  // namespace

std::size_t CountCrossings(const std::vector<PlaceBlock>& blocks, bool ring) {
  std::size_t crossings = 0;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    crossings += blocks[i].place != blocks[i - 1].place ? 1 : 0;
  }
  if (ring && blocks.size() > 1) crossings += blocks.front().place != blocks.back().place ? 1 : 0;
  return crossings;
}

std::vector<PlaceBlock> AssignRanks(const std::vector<std::uint32_t>& members, bool ring,
                                    std::vector<PlacedRank> placed) {
  const std::uint32_t ranks = std::accumulate(members.begin(), members.end(), 0U);
  std::erase_if(placed, [&](const PlacedRank& one) {
    return one.rank >= ranks || one.place >= members.size();
  });
  std::ranges::stable_sort(placed, {}, &PlacedRank::rank);
  // Not std::ranges::unique, which clang 14 cannot compile with this standard library.
  const auto same_rank = [](const PlacedRank& a, const PlacedRank& b) { return a.rank == b.rank; };
  placed.erase(std::unique(placed.begin(), placed.end(), same_rank), placed.end());

  std::vector<std::uint32_t> seats = members;
  for (const PlacedRank& one : placed) {
    if (seats[one.place] > 0) --seats[one.place];
  }
  std::vector<PlaceBlock> best;
  std::pair<std::size_t, std::size_t> fewest;
  for (const Order& order : Orders(members.size(), ring)) {
    std::vector<PlaceBlock> blocks = Walk(seats, order).Run(placed, ranks);
    const std::pair crossings{CountCrossings(blocks, ring), blocks.size()};
    if (!best.empty() && crossings >= fewest) continue;
    best = std::move(blocks);
    fewest = crossings;
  }
  return best;
}

}  // namespace fairlead::extender
