#include "linkprobe/estimate/summary.h"

#include <algorithm>
#include <cmath>

#include "linkprobe/estimate/quantile.h"

namespace fairlead::linkprobe {
namespace {

// Drift between two samples as it shows in a delay, and the delay's change without it.
std::int64_t WithoutDrift(const Sample& sample, const Sample& reference,
                          std::int64_t Delays::*value, double gain) {
  const auto drift = gain * static_cast<double>((sample.at - reference.at).count());
  return sample.delays.*value - reference.delays.*value - static_cast<std::int64_t>(drift);
}

std::optional<Nanoseconds> Jitter(const SampleWindow& window, std::uint64_t first,
                                  std::int64_t Delays::*value, double gain) {
  std::optional<double> jitter;
  const Sample* before = nullptr;
  for (std::uint64_t i = first; i < window.end(); ++i) {
    const Sample& sample = window.at(i);
    if (!sample.usable) continue;
    if (before != nullptr && before->one_way_epoch == sample.one_way_epoch) {
      const auto change = static_cast<double>(WithoutDrift(sample, *before, value, gain));
      jitter = jitter.value_or(0) + (std::abs(change) - jitter.value_or(0)) / 16;
    }
    before = &sample;
  }
  if (!jitter) return std::nullopt;
  return Nanoseconds(static_cast<std::int64_t>(*jitter));
}

}  // namespace

void Summariser::Collect(const SampleWindow& window, std::uint64_t first,
                         std::int64_t Delays::*value) {
  scratch_.clear();
  for (std::uint64_t i = first; i < window.end(); ++i) {
    if (window.at(i).usable) scratch_.push_back(window.at(i).delays.*value);
  }
}

// Relative to the newest sample: absolute one-way values are the two clocks' distance, which may be
// of any size.
void Summariser::CollectOneWay(const SampleWindow& window, std::uint64_t first,
                               std::int64_t Delays::*value, double gain) {
  scratch_.clear();
  if (first == window.end()) return;
  const Sample& newest = window.newest();
  for (std::uint64_t i = first; i < window.end(); ++i) {
    const Sample& sample = window.at(i);
    if (!sample.usable || sample.one_way_epoch != newest.one_way_epoch) continue;
    scratch_.push_back(WithoutDrift(sample, newest, value, gain));
  }
}

std::optional<Nanoseconds> Summariser::QuantileOf(const SampleWindow& window, std::uint64_t first,
                                                  std::int64_t Delays::*value, double q) {
  Collect(window, first, value);
  return Quantile(scratch_, q);
}

std::optional<Nanoseconds> Summariser::LeastRtt(const SampleWindow& window, std::uint64_t first) {
  Collect(window, first, &Delays::rtt);
  if (scratch_.empty()) return std::nullopt;
  return Nanoseconds(*std::min_element(scratch_.begin(), scratch_.end()));
}

std::optional<Nanoseconds> Summariser::SpreadOf(const SampleWindow& window, std::uint64_t first,
                                                std::int64_t Delays::*value, double gain) {
  if (value == &Delays::rtt) {
    Collect(window, first, value);
  } else {
    CollectOneWay(window, first, value, gain);
  }
  return Spread(scratch_);
}

Summary Summariser::Summarise(const SampleWindow& window, std::uint64_t first,
                              std::optional<double> slope) {
  Summary summary;
  for (std::uint64_t i = first; i < window.end(); ++i) {
    const Sample& sample = window.at(i);
    ++summary.answered;
    summary.below_floor += sample.below_floor ? 1 : 0;
    summary.forward.duplicates += sample.forward_duplicates;
    summary.reverse.duplicates += sample.reverse_duplicates;
    summary.forward.reordered += sample.forward_reordered;
    summary.reverse.reordered += sample.reverse_reordered;
    summary.forward.ecn_marked += sample.forward_ecn ? 1 : 0;
    summary.reverse.ecn_marked += sample.reverse_ecn ? 1 : 0;
  }
  summary.rtt_min = LeastRtt(window, first);
  summary.rtt_p50 = Quantile(scratch_, 0.5);
  summary.rtt_p99 = Quantile(scratch_, 0.99);
  summary.prober_delay_p50 = QuantileOf(window, first, &Delays::prober_delay, 0.5);
  summary.responder_delay_p50 = QuantileOf(window, first, &Delays::responder_delay, 0.5);
  const auto fill = [&](DirectionSummary& out, std::int64_t Delays::*value, double sign) {
    // Between neighbours the drift is nothing, so jitter does not wait for it.
    out.jitter = Jitter(window, first, value, sign * slope.value_or(0));
    if (!slope) return;
    CollectOneWay(window, first, value, sign * *slope);
    const auto least = Quantile(scratch_, 0);
    if (least) out.pdv = *Quantile(scratch_, 0.99) - *least;
  };
  fill(summary.forward, &Delays::forward, 1);
  fill(summary.reverse, &Delays::reverse, -1);
  return summary;
}

}  // namespace fairlead::linkprobe
