#include "linkprobe/record/value_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "common/base/quote.h"
#include "common/units/duration.h"
#include "common/units/human.h"
#include "linkprobe/record/value_series.h"

namespace fairlead::linkprobe {
namespace {

Nanoseconds FromSeconds(double seconds) { return Nanoseconds(std::llround(seconds * 1e9)); }

std::string Magnitude(LineValue value, double number) {
  if (value == LineValue::kBandwidth) return HumanRate(number);
  if (IsLoss(value)) return HumanPercent(number);
  return HumanDuration(FromSeconds(number));
}

std::size_t WindowsOf(const Recording& recording) {
  std::size_t most = 0;
  for (const auto& [key, windows] : recording.lines) most = std::max(most, windows.size());
  return most;
}

std::string PassedOverText(const PassedOver& passed) {
  std::string text;
  const auto add = [&text](std::uint64_t count, const char* what) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  };
  add(passed.unreadable, "unreadable");
  add(passed.cut_off, "cut off");
  add(passed.impossible, "impossible");
  add(passed.out_of_order, "out of order");
  add(passed.odd_length, "of odd length");
  return text;
}

}  // namespace

std::string ValueTitle(const ValueComparison& compared) {
  switch (compared.value) {
    case LineValue::kRttP50:
      return "RTT p50";
    case LineValue::kRttP99:
      return "RTT p99";
    case LineValue::kJitterForward:
      return "jitter forward";
    case LineValue::kJitterReverse:
      return "jitter reverse";
    case LineValue::kLossForward:
      return "loss forward";
    case LineValue::kLossReverse:
      return "loss reverse";
    case LineValue::kBandwidth:
      return "bandwidth (" + Shown(compared.source) + ")";
  }
  return "";
}

std::string ShowValue(LineValue value, double number) { return Magnitude(value, number); }

std::string ShowDifference(LineValue value, double number) {
  std::string text = Magnitude(value, std::abs(number));
  if (IsLoss(value)) text.replace(text.size() - 1, 1, "pp");
  if (number == 0) return text;
  return (number < 0 ? "-" : "+") + text;
}

std::string LineTitle(const LineKey& key) {
  return Shown(key.line) + " path " + std::to_string(key.path) + ", " +
         std::string(TransportRungName(key.rung));
}

std::string Shown(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return plain && text.size() <= 80 ? std::string(text) : Quoted(text);
}

std::string ShowMinute(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time - day).count();
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d UTC", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(minutes / 60), static_cast<int>(minutes % 60));
  return text;
}

std::string RecordingSentence(const Recording& recording) {
  const RecordingFacts& facts = recording.facts;
  std::string text = Shown(facts.host) + ", " + ShowMinute(facts.started) + ", " +
                     Counted(WindowsOf(recording), "window", "windows") + " of " +
                     HumanDuration(facts.window);
  if (facts.source == kByExtender) text += ", told by an extender";
  if (facts.probes_per_second > 0) {
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.4g", facts.probes_per_second);
    text += std::string(", ") + rate + " probes/s";
  }
  if (!recording.complete) text += "; interrupted";
  if (recording.passed_over.Total() > 0) {
    text += "; passed over: " + PassedOverText(recording.passed_over);
  }
  if (recording.clock_steps > 0) {
    text += "; the clock was set " + Counted(recording.clock_steps, "time", "times") +
            ", which windows do not depend on";
  }
  return text;
}

}  // namespace fairlead::linkprobe
