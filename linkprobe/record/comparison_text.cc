#include "linkprobe/record/comparison_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "common/units/human.h"
#include "linkprobe/record/value_text.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kColumns = 5;
using Row = std::array<std::string, kColumns>;

std::string IntervalText(const ValueComparison& compared) {
  const std::string difference = ShowDifference(compared.value, compared.difference);
  if (!compared.interval) return difference;
  return difference + " (" + ShowDifference(compared.value, compared.interval->lower) + " .. " +
         ShowDifference(compared.value, compared.interval->upper) + ")";
}

std::string SideText(LineValue value, const ValueSide& side) {
  return side.windows.empty() ? "-" : ShowValue(value, side.estimate.value);
}

Row RowOf(const ValueComparison& compared) {
  const bool both = !compared.before.windows.empty() && !compared.after.windows.empty();
  std::string verdict(VerdictWords(compared.verdict));
  if (!compared.reason.empty()) verdict += " (" + compared.reason + ")";
  return {ValueTitle(compared), SideText(compared.value, compared.before),
          SideText(compared.value, compared.after), both ? IntervalText(compared) : "-", verdict};
}

std::string Table(const std::vector<Row>& rows) {
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < kColumns; ++i) {
      line += row[i];
      if (i + 1 < kColumns) line.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += line + "\n";
  }
  return text;
}

std::string InPercent(double confidence) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %%", confidence * 100);
  return text;
}

}  // namespace

std::string Conclusion(const Comparison& comparison) {
  if (comparison.lines.empty()) return "no line is in both recordings";
  return std::to_string(comparison.Count(Verdict::kBetter)) + " better, " +
         std::to_string(comparison.Count(Verdict::kNoDifference)) + " no difference shown, " +
         std::to_string(comparison.Count(Verdict::kWorse)) + " worse, " +
         std::to_string(comparison.Count(Verdict::kTooFewWindows)) + " too few windows to say";
}

std::string ComparisonText(const Comparison& comparison, const NamedRecording& before,
                           const NamedRecording& after) {
  std::string text = "before  " + Shown(before.name) + ": " + RecordingSentence(before.recording) +
                     "\nafter   " + Shown(after.name) + ": " + RecordingSentence(after.recording) +
                     "\n";
  for (const LineComparison& line : comparison.lines) {
    std::vector<Row> rows{{"value", "before", "after", "difference", "verdict"}};
    for (const ValueComparison& value : line.values) rows.push_back(RowOf(value));
    text += "\n" + LineTitle(line.key) + "\n" + Table(rows);
  }
  for (const NotCompared& alone : comparison.not_compared) {
    text += "\nnot compared: " + LineTitle(alone.key) + ": " + alone.reason + "\n";
  }
  text += "\n" + Conclusion(comparison) + "\n";
  if (comparison.lines.empty()) return text;
  return text + "All differences lie within their intervals together with " +
         InPercent(comparison.confidence) + " confidence, each with " +
         InPercent(comparison.value_confidence) + ".\n";
}

}  // namespace fairlead::linkprobe
