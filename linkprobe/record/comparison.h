// Two recordings of the same lines, before and after a change: what became better or worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkprobe/record/difference.h"
#include "linkprobe/record/recording.h"

namespace fairlead::linkprobe {

// What is compared of a line. RTT and jitter are medians over the windows, in seconds; loss is all
// that was lost over all that was sent; bandwidth is the median in bits per second.
enum class LineValue {
  kRttP50,
  kRttP99,
  kJitterForward,
  kJitterReverse,
  kLossForward,
  kLossReverse,
  kBandwidth,
};

enum class Verdict { kBetter, kNoDifference, kWorse, kTooFewWindows };

// Stable words: "rtt_p50", "loss_forward"; "better", "no difference shown", "worse", "too few
// windows to say".
std::string_view LineValueName(LineValue value);
std::string_view VerdictWords(Verdict verdict);

// One value in one of the recordings.
struct ValueSide {
  Estimate estimate;
  std::vector<double> windows;  // in order of time
  std::uint64_t lost = 0;       // of losses only
  std::uint64_t sent = 0;
};

struct ValueComparison {
  LineValue value = LineValue::kRttP50;
  std::string source{};  // of a bandwidth
  ValueSide before{};
  ValueSide after{};
  double difference = 0;               // after - before
  std::optional<Interval> interval{};  // absent with too few windows
  double resolution = 0;               // smaller differences are the method's, not the line's
  Verdict verdict = Verdict::kTooFewWindows;
  std::string reason{};  // one sentence where the words alone do not say it, else empty
};

struct LineComparison {
  LineKey key;
  std::vector<ValueComparison> values;
};

// A line that only one of the recordings has, and why.
struct NotCompared {
  LineKey key;
  std::string reason;
};

struct CompareSettings {
  double confidence = 0.95;  // that all intervals together hold
  std::uint64_t seed = 1;
};

struct Comparison {
  double confidence = 0.95;
  double value_confidence = 0.95;  // of each interval (Bonferroni), so that all hold together
  std::vector<LineComparison> lines{};
  std::vector<NotCompared> not_compared{};

  std::size_t Count(Verdict verdict) const;
};

// Fewer windows than this, or fewer stretches of them that hang together, say nothing.
inline constexpr std::size_t kFewestWindows = 10;
inline constexpr double kFewestBlocks = 5;

// Repeatable: the same recordings and seed give the same result.
Comparison Compare(const Recording& before, const Recording& after,
                   const CompareSettings& settings);

}  // namespace fairlead::linkprobe
