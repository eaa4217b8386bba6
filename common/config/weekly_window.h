// Spans of the week at which something may, or may not, happen.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead {

inline constexpr std::uint32_t kMinutesOfWeek = 7 * 24 * 60;

// Minutes of the week in UTC, from Monday 00:00 on. A window may go over the week's end.
struct WeeklyWindow {
  std::uint32_t from_minute = 0;
  std::uint32_t minutes = 0;
  bool operator==(const WeeklyWindow&) const = default;

  bool Contains(WallTime at) const {
    const std::int64_t minute =
        std::chrono::floor<std::chrono::minutes>(at.time_since_epoch()).count();
    constexpr std::int64_t kEpochMinute = 3 * 24 * 60;  // 1970-01-01 was a Thursday
    std::int64_t of_week = (minute + kEpochMinute) % kMinutesOfWeek;
    if (of_week < 0) of_week += kMinutesOfWeek;
    return (of_week + kMinutesOfWeek - from_minute) % kMinutesOfWeek < minutes;
  }
};

// "Sat 02:00-06:00 UTC", "Mon-Fri 22:00-04:00 UTC" (into the next day), "daily 00:00-24:00 UTC":
// one window a day, in the order of the days. kInvalidArgument for anything else.
Result<std::vector<WeeklyWindow>> ParseWeeklyWindow(std::string_view text);

}  // namespace fairlead
