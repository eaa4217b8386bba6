#include "common/units/duration.h"

#include <array>
#include <cstdint>
#include <cstdio>

#include "common/units/quantity.h"

namespace fairlead {
namespace {

constexpr std::array<Unit, 6> kUnits{{{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", 1'000'000'000},
                                      {"m", 60'000'000'000},
                                      {"h", 3'600'000'000'000}}};
constexpr QuantityKind kDuration{"duration", "250ms", kUnits};

struct HumanUnit {
  double below;  // used for magnitudes below this many nanoseconds
  double scale;
  const char* name;
};
// The bounds sit where rounding to four digits would carry into the next unit.
constexpr std::array<HumanUnit, 6> kHumanUnits{{{1e3, 1, "ns"},
                                                {999.95e3, 1e3, "us"},
                                                {999.95e6, 1e6, "ms"},
                                                {120e9, 1e9, "s"},
                                                {7200e9, 60e9, "min"},
                                                {1e30, 3600e9, "h"}}};

std::uint64_t Magnitude(Nanoseconds value) {
  const auto bits = static_cast<std::uint64_t>(value.count());
  return value.count() < 0 ? 0 - bits : bits;
}

}  // namespace

Result<Nanoseconds> ParseDuration(std::string_view text) {
  return ParseQuantity(kDuration, text).map([](std::uint64_t count) {
    return Nanoseconds(static_cast<std::int64_t>(count));
  });
}

std::string FormatDuration(Nanoseconds value) {
  if (value.count() == 0) return "0s";
  return (value.count() < 0 ? "-" : "") + FormatQuantity(kDuration, Magnitude(value));
}

std::string HumanDuration(Nanoseconds value) {
  const auto magnitude = static_cast<double>(Magnitude(value));
  for (const HumanUnit& unit : kHumanUnits) {
    if (magnitude >= unit.below) continue;
    const double scaled = magnitude / unit.scale;
    const int decimals = scaled < 9.9995 ? 3 : scaled < 99.995 ? 2 : scaled < 999.95 ? 1 : 0;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, scaled);
    std::string digits = text;
    if (digits.find('.') != std::string::npos) {
      while (digits.ends_with('0')) digits.pop_back();
      if (digits.ends_with('.')) digits.pop_back();
    }
    return (value.count() < 0 ? "-" : "") + digits + " " + unit.name;
  }
  return FormatDuration(value);
}

}  // namespace fairlead
