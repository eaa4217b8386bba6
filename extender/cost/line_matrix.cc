#include "extender/cost/line_matrix.h"

#include <algorithm>
#include <optional>

namespace fairlead::extender {

LineMatrix::LineMatrix(std::vector<std::string> sites, const LinkSnapshot& links,
                       const LineCatalogue& catalogue, const LineOccupancy& occupancy,
                       std::span<const std::pair<std::string, std::string>> as_down)
    : sites_(std::move(sites)), lines_(sites_.size() * sites_.size()) {
  const std::optional<double> fallback = FallbackRtt(links, catalogue, sites_);
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = i; j < size(); ++j) {
      const std::pair<std::string, std::string> pair = std::minmax(sites_[i], sites_[j]);
      const auto used = occupancy.find(pair);
      const std::uint32_t gangs = used == occupancy.end() ? 0 : used->second;
      LineEstimate line = EstimateLine(links, catalogue, sites_[i], sites_[j], gangs, fallback);
      const bool down = std::ranges::find(as_down, pair) != as_down.end();
      if (down) line.state = LinkState::kDown;
      lines_[i * size() + j] = line;
      lines_[j * size() + i] = line;
    }
  }
}

}  // namespace fairlead::extender
