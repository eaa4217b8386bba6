// What the configuration says about sites and the lines between them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "common/config/config.h"

namespace fairlead::extender {

// An immutable value; the order of two sites does not matter.
class LineCatalogue {
 public:
  LineCatalogue() = default;
  LineCatalogue(const std::vector<SiteConfig>& sites, const std::vector<LineConfig>& lines);

  // Names of the configured sites, sorted.
  const std::vector<std::string>& sites() const { return sites_; }

  // Absent unless both sites have coordinates and differ.
  std::optional<Nanoseconds> FloorRtt(std::string_view a, std::string_view b) const;

  // Declared capacity; absent for a line that is not configured or declares none.
  std::optional<double> CapacityBytesPerSecond(std::string_view a, std::string_view b) const;

 private:
  using Pair = std::pair<std::string, std::string>;  // sorted
  static Pair Sorted(std::string_view a, std::string_view b);

  std::vector<std::string> sites_;
  std::map<Pair, Nanoseconds> floors_;
  std::map<Pair, double> capacities_;
};

}  // namespace fairlead::extender
