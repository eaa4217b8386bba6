// Amounts of extended resources.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fairlead::extender {

// A Kubernetes quantity that is a whole number: digits and at most one of k, M, Ki, Mi, to which
// the API server shortens thousands. Nothing for any other text, and for more than 2^32 - 1 before
// the suffix. Pure.
std::optional<std::uint64_t> WholeUnits(std::string_view text);

}  // namespace fairlead::extender
