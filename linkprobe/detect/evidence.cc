#include "linkprobe/detect/evidence.h"

#include <cmath>
#include <cstdio>

namespace fairlead::linkprobe {
namespace {

std::string Number(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::string InMilliseconds(Nanoseconds value) {
  return Number("%.1f ms", static_cast<double>(value.count()) / 1e6);
}

std::string InSeconds(Nanoseconds value) {
  return Number("%.1f s", static_cast<double>(value.count()) / 1e9);
}

std::string InPercent(double ratio) {
  const double percent = ratio * 100;
  return Number(percent != 0 && percent < 1 ? "%.2f %%" : "%.1f %%", percent);
}

std::string AgainstBaseline(Nanoseconds p50, Nanoseconds baseline, Nanoseconds band) {
  return "p50 " + InMilliseconds(p50) + " against a baseline of " + InMilliseconds(baseline) +
         " (band " + InMilliseconds(band) + ")";
}

std::string OfWindows(std::uint32_t count, std::uint32_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + " windows";
}

std::string LossText(const LossInterval& loss, std::string_view direction) {
  return std::to_string(loss.lost) + " of " + std::to_string(loss.sent) + " lost " +
         std::string(direction) + " (95 % interval " + InPercent(loss.lower) + " .. " +
         InPercent(loss.upper) + ")";
}

}  // namespace fairlead::linkprobe
