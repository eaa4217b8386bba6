// The middle value that was really seen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fairlead::extender {

// Of an even number the smaller of the two in the middle. `values` is not empty.
template <class T>
T LowerMedian(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace fairlead::extender
