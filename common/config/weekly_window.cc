#include "common/config/weekly_window.h"

#include <array>
#include <optional>
#include <string>

#include "common/base/quote.h"
#include "common/units/number.h"

namespace fairlead {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::uint32_t kMinutesOfDay = 24 * 60;

struct Days {
  std::size_t first = 0;
  std::size_t count = 0;
};

std::optional<std::size_t> ParseDay(std::string_view text) {
  for (std::size_t i = 0; i < kDays.size(); ++i) {
    if (kDays[i] == text) return i;
  }
  return std::nullopt;
}

std::optional<Days> ParseDays(std::string_view text) {
  if (text == "daily") return Days{0, kDays.size()};
  const std::size_t dash = text.find('-');
  const auto first = ParseDay(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ParseDay(text.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return Days{*first, (*last + kDays.size() - *first) % kDays.size() + 1};
}

// "02:00" to "24:00", as minutes of the day.
std::optional<std::uint32_t> ParseMinute(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hours = ParseCount(text.substr(0, 2), 0, 24);
  const auto minutes = ParseCount(text.substr(3), 0, 59);
  if (!hours || !minutes) return std::nullopt;
  const auto minute = static_cast<std::uint32_t>(*hours * 60 + *minutes);
  return minute <= kMinutesOfDay ? std::optional(minute) : std::nullopt;
}

}  // namespace

Result<std::vector<WeeklyWindow>> ParseWeeklyWindow(std::string_view text) {
  const auto wrong = [&](std::string_view what) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + std::string(what) + "; write it like Sat 02:00-06:00 UTC");
  };
  constexpr std::string_view kZone = " UTC";
  if (!text.ends_with(kZone)) return wrong(" does not end in UTC, the only zone there is");
  const std::string_view span = text.substr(0, text.size() - kZone.size());
  const std::size_t space = span.find(' ');
  if (space == std::string_view::npos) return wrong(" is no day with its hours");
  const auto days = ParseDays(span.substr(0, space));
  if (!days) return wrong(" names no day; days are Mon to Sun, Mon-Fri or daily");
  const std::string_view hours = span.substr(space + 1);
  if (hours.size() != 11 || hours[5] != '-') return wrong(" is no day with its hours");
  const auto from = ParseMinute(hours.substr(0, 5));
  const auto to = ParseMinute(hours.substr(6));
  if (!from || !to || *from == kMinutesOfDay) return wrong(" has no such time of day");
  if (*from == *to) return wrong(" is empty; a whole day is 00:00-24:00");
  const std::uint32_t minutes = *from < *to ? *to - *from : kMinutesOfDay - *from + *to;
  std::vector<WeeklyWindow> windows;
  for (std::size_t i = 0; i < days->count; ++i) {
    const auto day = static_cast<std::uint32_t>((days->first + i) % kDays.size());
    windows.push_back({.from_minute = day * kMinutesOfDay + *from, .minutes = minutes});
  }
  return windows;
}

}  // namespace fairlead
