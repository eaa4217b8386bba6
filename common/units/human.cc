#include "common/units/human.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fairlead {
namespace {

std::string Number(const char* format, int digits, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, digits, value);
  return text.data();
}

// Two significant digits without an exponent.
int DecimalsBelowOne(double percent) {
  return std::min(20, 1 - static_cast<int>(std::floor(std::log10(std::abs(percent)))));
}

}  // namespace

std::string HumanAge(Nanoseconds age) {
  using std::chrono::duration_cast;
  const auto seconds = duration_cast<Seconds>(age).count();
  if (seconds < 1) return "<1 s";
  if (seconds < 120) return std::to_string(seconds) + " s";
  const auto minutes = seconds / 60;
  if (minutes < 120) return std::to_string(minutes) + " min";
  const auto hours = minutes / 60;
  if (hours < 48) return std::to_string(hours) + " h";
  return std::to_string(hours / 24) + " days";
}

std::string HumanPercent(double ratio) {
  const double percent = ratio * 100;
  if (percent == 0) return "0 %";
  const int decimals = std::abs(percent) < 1 ? DecimalsBelowOne(percent) : 1;
  return Number("%.*f", decimals, percent) + " %";
}

std::string HumanRate(double bits_per_second) {
  constexpr std::array<const char*, 5> kUnits{"bps", "kbps", "Mbps", "Gbps", "Tbps"};
  double value = bits_per_second;
  std::size_t unit = 0;
  // The bound sits where rounding to four digits would carry into the next unit.
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  const std::string digits = value < 9999.5 ? Number("%.*g", 4, value) : Number("%.*f", 0, value);
  return digits + " " + kUnits[unit];
}

std::string Counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace fairlead
