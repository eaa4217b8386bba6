#include "deviceplugin/allocation/pairing.h"

#include <algorithm>

#include "deviceplugin/allocation/assignment.h"

namespace fairlead::deviceplugin {
namespace {

// Costs such that one pair at a distance outweighs all others at a nearer one: powers of a base
// above the number of pairs, times a factor that leaves room for the slots. 256^5 x 1024 x 256 <
// 2^62.
constexpr std::int64_t kMostPairs = 255;
constexpr std::int64_t kSlotRoom = 1024;

struct Seat {
  std::size_t hca;
  std::uint32_t slot;
};

std::int64_t CostOf(PciDistance distance, std::uint32_t slot) {
  std::int64_t weight = 1;
  for (int i = 0; i < static_cast<int>(distance); ++i) weight *= kMostPairs + 1;
  return weight * kSlotRoom + slot;
}

}  // namespace

std::vector<Pair> PairUp(std::span<const Gpu> gpus, std::span<const OfferedHca> hcas,
                         std::uint32_t slots) {
  // No HCA needs more slots than there are GPUs; all GPUs and HCAs of a machine are far below the
  // most that the costs allow.
  const auto count = std::min<std::size_t>(gpus.size(), kMostPairs);
  std::vector<Seat> seats;
  for (std::uint32_t slot = 0; slot < std::min<std::size_t>(slots, count); ++slot) {
    for (std::size_t hca = 0; hca < hcas.size(); ++hca) seats.push_back({hca, slot});
  }
  const bool by_gpu = count <= seats.size();
  const std::size_t rows = by_gpu ? count : seats.size();
  const std::size_t columns = by_gpu ? seats.size() : count;
  std::vector<std::vector<std::int64_t>> cost(rows, std::vector<std::int64_t>(columns));
  const auto distance = [&](std::size_t gpu, const Seat& seat) {
    return DistanceBetween(*hcas[seat.hca].hca, gpus[gpu]);
  };
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t gpu = by_gpu ? row : column;
      const Seat& seat = seats[by_gpu ? column : row];
      cost[row][column] = CostOf(distance(gpu, seat), seat.slot);
    }
  }
  const std::vector<std::size_t> chosen = CheapestAssignment(cost);
  std::vector<Pair> pairs;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t gpu = by_gpu ? row : chosen[row];
    const Seat& seat = seats[by_gpu ? chosen[row] : row];
    pairs.push_back({gpu, seat.hca, seat.slot, distance(gpu, seat)});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.gpu < b.gpu; });
  return pairs;
}

}  // namespace fairlead::deviceplugin
