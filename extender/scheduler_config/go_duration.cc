#include "extender/scheduler_config/go_duration.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace fairlead::extender {
namespace {

// Go keeps them in 63 bits; the last float below them.
constexpr double kMostNanoseconds = 9223372036854774784.0;

// The longer units first, so that "ms" is not taken for minutes.
constexpr std::pair<std::string_view, double> kUnits[] = {
    {"ns", 1},   {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"\xce\xbcs", 1e3},
    {"ms", 1e6}, {"s", 1e9},  {"m", 60e9},        {"h", 3600e9}};

}  // namespace

std::optional<Nanoseconds> ParseGoDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Nanoseconds(0);
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    if (text[0] != '.' && (text[0] < '0' || text[0] > '9')) return std::nullopt;
    double number = 0;
    const auto [rest, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    bool known = false;
    for (const auto& [unit, scale] : kUnits) {
      if (!text.starts_with(unit)) continue;
      total += number * scale;
      text.remove_prefix(unit.size());
      known = true;
      break;
    }
    if (!known || total > kMostNanoseconds) return std::nullopt;
  }
  return Nanoseconds(std::llround(negative ? -total : total));
}

}  // namespace fairlead::extender
