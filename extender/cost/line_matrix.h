// The estimates of all lines between the sites of one decision, by index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "extender/cost/line_estimate.h"

namespace fairlead::extender {

// Gangs that use a line, by its two sites in sorted order.
using LineOccupancy = std::map<std::pair<std::string, std::string>, std::uint32_t>;

// Immutable. Symmetric; At(i, i) is the inside of site i.
class LineMatrix {
 public:
  // Lines `as_down`, each sorted, count as Down, whatever is measured.
  LineMatrix(std::vector<std::string> sites, const LinkSnapshot& links,
             const LineCatalogue& catalogue, const LineOccupancy& occupancy,
             std::span<const std::pair<std::string, std::string>> as_down = {});

  std::size_t size() const { return sites_.size(); }
  const std::string& site(std::size_t i) const { return sites_[i]; }
  const LineEstimate& At(std::size_t i, std::size_t j) const { return lines_[i * size() + j]; }

 private:
  std::vector<std::string> sites_;
  std::vector<LineEstimate> lines_;
};

}  // namespace fairlead::extender
