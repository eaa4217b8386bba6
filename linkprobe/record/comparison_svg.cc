#include "linkprobe/record/comparison_svg.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/svg/svg_writer.h"
#include "linkprobe/record/axis.h"
#include "linkprobe/record/value_series.h"
#include "linkprobe/record/value_text.h"

namespace fairlead::linkprobe {
namespace {

constexpr double kWidth = 1240;
constexpr double kMargin = 24;
constexpr double kPlotLeft = 220;
constexpr double kPlotWidth = 540;
constexpr double kWordsLeft = kPlotLeft + kPlotWidth + 28;
constexpr double kRowHeight = 78;
constexpr double kStripHeight = 22;
constexpr std::size_t kMostDots = 240;

constexpr char kInk[] = "#1f2328";
constexpr char kFaint[] = "#6e7781";
constexpr char kRule[] = "#d8dee4";
constexpr char kBefore[] = "#818b98";
constexpr char kAfter[] = "#1f6feb";

const char* VerdictColour(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "#1a7f37";
    case Verdict::kWorse:
      return "#cf222e";
    case Verdict::kNoDifference:
    case Verdict::kTooFewWindows:
      return kFaint;
  }
  return kFaint;
}

// Spreads neighbours over the height of a strip; the same picture each time.
double Offset(std::size_t i) { return static_cast<double>(i * 5 % 7) / 6 - 0.5; }

double X(const Axis& axis, double value) { return kPlotLeft + axis.Place(value) * kPlotWidth; }

// What an axis spans at least, so that no loss at all is not drawn in billionths.
double Narrowest(LineValue value) {
  if (value == LineValue::kBandwidth) return 1e6;
  return IsLoss(value) ? 0.01 : 1e-6;
}

// Windows as dots, quartiles as a box, median as a bar.
void DrawStrip(SvgWriter& svg, const Axis& axis, const ValueSide& side, double top,
               const char* colour) {
  if (side.windows.empty()) {
    svg.Text(kPlotLeft + 4, top + 15, "no values", {.size = 11, .colour = kFaint});
    return;
  }
  std::vector<double> sorted = side.windows;
  std::sort(sorted.begin(), sorted.end());
  const double middle = top + kStripHeight / 2;
  const double low = X(axis, SortedQuantile(sorted, 0.25));
  const double high = X(axis, SortedQuantile(sorted, 0.75));
  svg.Rect(low, top + 3, std::max(1.0, high - low), kStripHeight - 6, colour, 0.28);
  const std::size_t dots = std::min(kMostDots, sorted.size());
  for (std::size_t i = 0; i < dots; ++i) {
    const double value = sorted[i * sorted.size() / dots];
    svg.Dot(X(axis, value), middle + Offset(i) * (kStripHeight - 8), 2, colour, 0.45);
  }
  const double median = X(axis, side.estimate.value);
  svg.Line(median, top, median, top + kStripHeight, colour, 3);
}

std::size_t Beyond(const Axis& axis, const ValueSide& side) {
  return static_cast<std::size_t>(std::count_if(side.windows.begin(), side.windows.end(),
                                                [&](double value) { return !axis.Holds(value); }));
}

void DrawAxis(SvgWriter& svg, const Axis& axis, LineValue value, double top, double bottom) {
  svg.Line(kPlotLeft, bottom, kPlotLeft + kPlotWidth, bottom, kRule);
  for (const double tick : axis.ticks) {
    const double x = X(axis, tick);
    svg.Line(x, top, x, bottom, kRule);
    svg.Text(x, bottom + 13, ShowValue(value, tick),
             {.size = 10.5, .colour = kFaint, .anchor = TextAnchor::kMiddle});
  }
}

void DrawWords(SvgWriter& svg, const ValueComparison& compared, double top) {
  svg.Text(kWordsLeft, top + 14, VerdictWords(compared.verdict),
           {.size = 14, .colour = VerdictColour(compared.verdict), .bold = true});
  const bool both = !compared.before.windows.empty() && !compared.after.windows.empty();
  if (both) {
    svg.Text(kWordsLeft, top + 31,
             ShowValue(compared.value, compared.before.estimate.value) + " \xE2\x86\x92 " +
                 ShowValue(compared.value, compared.after.estimate.value),
             {.size = 12, .colour = kInk});
  }
  if (compared.interval) {
    svg.Text(kWordsLeft, top + 47,
             ShowDifference(compared.value, compared.difference) + " (" +
                 ShowDifference(compared.value, compared.interval->lower) + " .. " +
                 ShowDifference(compared.value, compared.interval->upper) + ")",
             {.size = 11, .colour = kFaint});
  } else if (!compared.reason.empty()) {
    svg.Text(kWordsLeft, top + 47, compared.reason, {.size = 11, .colour = kFaint});
  }
}

void DrawValue(SvgWriter& svg, const ValueComparison& compared, double top) {
  std::vector<double> all = compared.before.windows;
  all.insert(all.end(), compared.after.windows.begin(), compared.after.windows.end());
  const Axis axis = FitAxis(all, 0, Narrowest(compared.value));
  svg.Text(kMargin, top + 14, ValueTitle(compared), {.size = 13, .colour = kInk, .bold = true});
  svg.Text(kPlotLeft - 10, top + 16, "before",
           {.size = 10.5, .colour = kBefore, .anchor = TextAnchor::kEnd});
  svg.Text(kPlotLeft - 10, top + 40, "after",
           {.size = 10.5, .colour = kAfter, .anchor = TextAnchor::kEnd});
  DrawAxis(svg, axis, compared.value, top, top + 2 * kStripHeight + 4);
  DrawStrip(svg, axis, compared.before, top, kBefore);
  DrawStrip(svg, axis, compared.after, top + kStripHeight + 3, kAfter);
  const std::size_t beyond = Beyond(axis, compared.before) + Beyond(axis, compared.after);
  if (beyond > 0) {
    svg.Text(kMargin, top + 30, std::to_string(beyond) + " beyond the axis",
             {.size = 10.5, .colour = kFaint});
  }
  DrawWords(svg, compared, top);
}

}  // namespace

std::string ComparisonSvg(const Comparison& comparison, const NamedRecording& before,
                          const NamedRecording& after) {
  SvgWriter svg;
  double y = kMargin + 14;
  svg.Text(kMargin, y, Conclusion(comparison), {.size = 18, .colour = kInk, .bold = true});
  y += 24;
  const auto file = [&](const char* when, const NamedRecording& named, const char* colour) {
    svg.Text(kMargin, y, when, {.size = 12, .colour = colour, .bold = true});
    svg.Text(kMargin + 48, y, Shown(named.name) + ": " + RecordingSentence(named.recording),
             {.size = 12, .colour = kFaint});
    y += 18;
  };
  file("before", before, kBefore);
  file("after", after, kAfter);
  for (const LineComparison& line : comparison.lines) {
    y += 14;
    svg.Line(kMargin, y, kWidth - kMargin, y, kRule);
    y += 24;
    svg.Text(kMargin, y, LineTitle(line.key), {.size = 15, .colour = kInk, .bold = true});
    y += 16;
    for (const ValueComparison& value : line.values) {
      DrawValue(svg, value, y);
      y += kRowHeight;
    }
  }
  for (const NotCompared& alone : comparison.not_compared) {
    svg.Text(kMargin, y + 18, "not compared: " + LineTitle(alone.key) + ": " + alone.reason,
             {.size = 12, .colour = kFaint});
    y += 20;
  }
  return svg.Document(kWidth, y + kMargin, "Lines before and after: " + Conclusion(comparison));
}

}  // namespace fairlead::linkprobe
