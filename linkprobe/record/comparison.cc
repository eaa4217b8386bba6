#include "linkprobe/record/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/units/human.h"
#include "linkprobe/record/value_series.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::array kEachOnce{LineValue::kRttP50,        LineValue::kRttP99,
                               LineValue::kJitterForward, LineValue::kJitterReverse,
                               LineValue::kLossForward,   LineValue::kLossReverse};

// FNV-1a: every value of every line draws its own numbers, whatever else is compared beside it.
std::uint64_t SeedOf(std::uint64_t seed, const LineKey& key, LineValue value, bool after) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto mix = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211ULL; };
  for (const char c : key.line) mix(static_cast<unsigned char>(c));
  mix(key.path);
  mix(static_cast<std::uint64_t>(value));
  mix(after ? 1 : 0);
  return hash ^ seed;
}

ValueSide MakeSide(const std::vector<LineWindow>& windows, LineValue value,
                   const std::string& source, std::uint64_t seed) {
  ValueSide side;
  if (!IsLoss(value)) {
    side.windows = SeriesOf(windows, value, source);
    side.estimate = EstimateMedian(side.windows, seed);
    return side;
  }
  const Trials trials = TrialsOf(windows, value);
  for (std::size_t i = 0; i < trials.trials.size(); ++i) {
    side.windows.push_back(static_cast<double>(trials.events[i]) /
                           static_cast<double>(trials.trials[i]));
  }
  side.lost = trials.AllEvents();
  side.sent = trials.AllTrials();
  side.estimate = EstimateRatio(trials, seed);
  return side;
}

// Why a side says nothing; empty where it says enough.
std::string TooFew(const char* name, const Estimate& estimate) {
  if (estimate.windows >= kFewestWindows && estimate.Blocks() >= kFewestBlocks) return {};
  if (estimate.windows < kFewestWindows) {
    return std::string(name) + " has " + Counted(estimate.windows, "window", "windows") +
           "; record " + std::to_string(kFewestWindows) + " or more";
  }
  const auto wanted =
      static_cast<std::uint64_t>(std::ceil(kFewestBlocks * static_cast<double>(estimate.block)));
  return std::string(name) + " has " + std::to_string(estimate.windows) + " windows, about " +
         std::to_string(estimate.block) + " of which hang together; record " +
         std::to_string(wanted) + " or more";
}

Interval Hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

void Judge(ValueComparison& compared, const std::vector<LineWindow>& before,
           const std::vector<LineWindow>& after, double confidence) {
  Interval interval =
      DifferenceInterval(compared.before.estimate, compared.after.estimate, confidence);
  if (IsLoss(compared.value)) {
    // Bursts make the blocks' interval the wider one, rare losses the other.
    interval = Hull(interval, ProportionDifference(TrialsOf(before, compared.value),
                                                   TrialsOf(after, compared.value), confidence));
  }
  compared.interval = interval;
  compared.verdict = Verdict::kNoDifference;
  if (interval.lower <= 0 && interval.upper >= 0) return;
  if (std::abs(compared.difference) < compared.resolution) {
    compared.reason = "smaller than these stamps can show";
    return;
  }
  const bool more_is_better = compared.value == LineValue::kBandwidth;
  compared.verdict =
      (compared.difference > 0) == more_is_better ? Verdict::kBetter : Verdict::kWorse;
}

struct Wanted {
  LineValue value;
  std::string source;
};

std::vector<Wanted> ValuesOf(const std::vector<LineWindow>& before,
                             const std::vector<LineWindow>& after) {
  std::vector<Wanted> wanted;
  for (const LineValue value : kEachOnce) wanted.push_back({value, {}});
  std::set<std::string> sources = BandwidthSources(before);
  sources.merge(BandwidthSources(after));
  for (const std::string& source : sources) wanted.push_back({LineValue::kBandwidth, source});
  return wanted;
}

LineComparison Estimated(const LineKey& key, const std::vector<LineWindow>& before,
                         const std::vector<LineWindow>& after, std::uint64_t seed) {
  LineComparison line{.key = key, .values = {}};
  for (const Wanted& wanted : ValuesOf(before, after)) {
    ValueComparison compared{.value = wanted.value, .source = wanted.source};
    compared.before =
        MakeSide(before, wanted.value, wanted.source, SeedOf(seed, key, wanted.value, false));
    compared.after =
        MakeSide(after, wanted.value, wanted.source, SeedOf(seed, key, wanted.value, true));
    // A value that neither knows is no question; jitter, for one, needs answers.
    if (compared.before.windows.empty() && compared.after.windows.empty()) continue;
    compared.difference = compared.after.estimate.value - compared.before.estimate.value;
    compared.resolution = ResolutionOf(wanted.value, key.rung);
    compared.reason = TooFew("before", compared.before.estimate);
    if (compared.reason.empty()) compared.reason = TooFew("after", compared.after.estimate);
    line.values.push_back(std::move(compared));
  }
  return line;
}

std::string WhyAlone(const LineKey& key, const Recording& other, const char* where) {
  for (const auto& [theirs, windows] : other.lines) {
    if (theirs.line == key.line && theirs.path == key.path) {
      return "measured as " + std::string(TransportRungName(theirs.rung)) + " " + where +
             "; values of different rungs are not comparable";
    }
  }
  return std::string("not recorded ") + where;
}

}  // namespace

std::size_t Comparison::Count(Verdict verdict) const {
  std::size_t count = 0;
  for (const LineComparison& line : lines) {
    for (const ValueComparison& value : line.values) count += value.verdict == verdict ? 1 : 0;
  }
  return count;
}

Comparison Compare(const Recording& before, const Recording& after,
                   const CompareSettings& settings) {
  Comparison result{.confidence = settings.confidence};
  std::size_t questions = 0;
  for (const auto& [key, windows] : before.lines) {
    const auto other = after.lines.find(key);
    if (other == after.lines.end()) {
      result.not_compared.push_back({key, WhyAlone(key, after, "after")});
      continue;
    }
    result.lines.push_back(Estimated(key, windows, other->second, settings.seed));
    for (const ValueComparison& value : result.lines.back().values) {
      questions += value.reason.empty() ? 1 : 0;
    }
  }
  for (const auto& [key, windows] : after.lines) {
    if (before.lines.contains(key)) continue;
    result.not_compared.push_back({key, WhyAlone(key, before, "before")});
  }
  result.value_confidence =
      1 - (1 - settings.confidence) / static_cast<double>(std::max<std::size_t>(1, questions));
  for (LineComparison& line : result.lines) {
    for (ValueComparison& value : line.values) {
      if (!value.reason.empty()) continue;
      Judge(value, before.lines.at(line.key), after.lines.at(line.key), result.value_confidence);
    }
  }
  return result;
}

}  // namespace fairlead::linkprobe
