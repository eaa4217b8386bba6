// What a line is called.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace fairlead::extender {

// "hk-sg", the same for both directions.
inline std::string LineName(std::string_view a, std::string_view b) {
  const auto [first, second] = std::minmax(a, b);
  return std::string(first) + "-" + std::string(second);
}

}  // namespace fairlead::extender
