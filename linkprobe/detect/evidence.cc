#include "linkprobe/detect/evidence.h"

#include <cstdio>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::linkprobe {
namespace {

std::string Number(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::string DelayText(Nanoseconds value) {
  if (std::chrono::abs(value) < Milliseconds(1)) return HumanDuration(value);
  return Number("%.1f ms", static_cast<double>(value.count()) / 1e6);
}

std::string InSeconds(Nanoseconds value) {
  return Number("%.1f s", static_cast<double>(value.count()) / 1e9);
}

std::string AgainstBaseline(Nanoseconds p50, Nanoseconds baseline, Nanoseconds band) {
  return "p50 " + DelayText(p50) + " against a baseline of " + DelayText(baseline) + " (band " +
         DelayText(band) + ")";
}

std::string OfWindows(std::uint32_t count, std::uint32_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + " windows";
}

std::string LossText(const LossInterval& loss, std::string_view direction) {
  return std::to_string(loss.lost) + " of " + std::to_string(loss.sent) + " lost " +
         std::string(direction) + " (95 % interval " + HumanPercent(loss.lower) + " .. " +
         HumanPercent(loss.upper) + ")";
}

}  // namespace fairlead::linkprobe
