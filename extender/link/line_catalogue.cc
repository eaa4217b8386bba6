#include "extender/link/line_catalogue.h"

#include <algorithm>

namespace fairlead::extender {

LineCatalogue::LineCatalogue(const std::vector<SiteConfig>& sites,
                             const std::vector<LineConfig>& lines) {
  for (const SiteConfig& a : sites) {
    sites_.push_back(a.name);
    for (const SiteConfig& b : sites) {
      if (a.name >= b.name || !a.coordinates || !b.coordinates) continue;
      const Nanoseconds floor = FibreFloorRtt(*a.coordinates, *b.coordinates);
      if (floor > Nanoseconds(0)) floors_[Sorted(a.name, b.name)] = floor;
    }
  }
  std::ranges::sort(sites_);
  for (const LineConfig& line : lines) {
    if (!line.capacity_bits_per_second || *line.capacity_bits_per_second == 0) continue;
    capacities_[Sorted(line.site_a, line.site_b)] =
        static_cast<double>(*line.capacity_bits_per_second) / 8;
  }
}

std::optional<Nanoseconds> LineCatalogue::FloorRtt(std::string_view a, std::string_view b) const {
  const auto found = floors_.find(Sorted(a, b));
  if (found == floors_.end()) return std::nullopt;
  return found->second;
}

std::optional<double> LineCatalogue::CapacityBytesPerSecond(std::string_view a,
                                                            std::string_view b) const {
  const auto found = capacities_.find(Sorted(a, b));
  if (found == capacities_.end()) return std::nullopt;
  return found->second;
}

LineCatalogue::Pair LineCatalogue::Sorted(std::string_view a, std::string_view b) {
  return a < b ? Pair{a, b} : Pair{b, a};
}

}  // namespace fairlead::extender
