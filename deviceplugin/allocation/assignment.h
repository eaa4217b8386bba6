// The cheapest way to give each row a column of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairlead::deviceplugin {

// The column of each row such that the sum of cost[row][column] is least (the Hungarian method,
// rows^2 x columns steps). At least as many columns as rows; costs not negative, their sum below
// 2^62. The same answer for the same table. Pure.
std::vector<std::size_t> CheapestAssignment(const std::vector<std::vector<std::int64_t>>& cost);

}  // namespace fairlead::deviceplugin
