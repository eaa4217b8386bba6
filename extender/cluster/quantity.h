// Quantities as Kubernetes writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fairlead::extender {

// Larger ones count as this much: so many pods of any request can be added up.
inline constexpr std::int64_t kMostAmount = std::int64_t{1} << 50;

// "500m", "1.5Gi", "2e3", "16k" in units of 1/scale, rounded up as Kubernetes does, at most
// kMostAmount; `scale` is 1 or 1000. Nothing where it is no quantity or negative.
std::optional<std::int64_t> ParseAmount(std::string_view text, std::int64_t scale = 1);

}  // namespace fairlead::extender
