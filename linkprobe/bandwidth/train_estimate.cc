#include "linkprobe/bandwidth/train_estimate.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kLeastArrivals = 8;
constexpr std::uint32_t kShortestTrain = 16;

}  // namespace

std::optional<double> TrainRate(std::span<const TrainArrival> arrivals, std::uint32_t frame_bytes) {
  std::set<std::uint32_t> seen;
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const TrainArrival& arrival : arrivals) {
    if (!seen.insert(arrival.index).second) continue;
    first = seen.size() == 1 ? arrival.at_ns : std::min(first, arrival.at_ns);
    last = seen.size() == 1 ? arrival.at_ns : std::max(last, arrival.at_ns);
  }
  if (seen.size() < kLeastArrivals || last <= first) return std::nullopt;
  // A peer's stamps may be any two numbers, further apart than the signed type holds.
  const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  return static_cast<double>(seen.size() - 1) * frame_bytes * 1e9 / static_cast<double>(span);
}

std::optional<TrainEstimate> EstimateFromTrains(std::vector<double> rates) {
  if (rates.size() < kLeastTrains) return std::nullopt;
  std::sort(rates.begin(), rates.end());
  const auto at = [&](double share) {
    return rates[static_cast<std::size_t>(share * static_cast<double>(rates.size() - 1) + 0.5)];
  };
  const std::size_t middle = rates.size() / 2;
  const double median =
      rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
  return TrainEstimate{.bytes_per_second = median,
                       .lower_quartile = at(0.25),
                       .upper_quartile = at(0.75),
                       .trains = static_cast<std::uint32_t>(rates.size())};
}

std::uint32_t NextTrainLength(std::optional<double> bytes_per_second, std::uint32_t frame_bytes,
                              Nanoseconds wanted_span, std::uint64_t most_bytes) {
  const auto most = static_cast<double>(
      std::max<std::uint64_t>(kShortestTrain, most_bytes / std::max(1U, frame_bytes)));
  if (!bytes_per_second) return kShortestTrain;
  const double wanted =
      std::ceil(*bytes_per_second * static_cast<double>(wanted_span.count()) * 1e-9 / frame_bytes) +
      1;
  return static_cast<std::uint32_t>(std::clamp(wanted, static_cast<double>(kShortestTrain), most));
}

}  // namespace fairlead::linkprobe
