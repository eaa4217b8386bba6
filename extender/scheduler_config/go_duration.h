// Durations as Go programs read them.
#pragma once

#include <optional>
#include <string_view>

#include "common/base/clock.h"

namespace fairlead::extender {

// "200ms", "1.5s", "1m30s": what Go's time.ParseDuration takes, with a sign too. Nothing for any
// other text and for more than 292 years.
std::optional<Nanoseconds> ParseGoDuration(std::string_view text);

}  // namespace fairlead::extender
