#include "extender/replay/words.h"

#include <cmath>
#include <cstdio>

namespace fairlead::extender {

double InSeconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string SpanText(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  const double size = std::abs(seconds);
  char text[48];
  if (size < 2 * kMinute) {
    std::snprintf(text, sizeof text, "%.0f s", std::round(seconds) + 0.0);
  } else if (size < 2 * kHour) {
    std::snprintf(text, sizeof text, "%.0f min", seconds / kMinute);
  } else {
    std::snprintf(text, sizeof text, "%.1f h", seconds / kHour);
  }
  return text;
}

std::string LinesText(const std::vector<SitePair>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += i + 1 == lines.size() ? " and " : ", ";
    text += LineText(lines[i]);
  }
  return text.empty() ? "no line" : text;
}

}  // namespace fairlead::extender
