#include "linkprobe/detect/baseline.h"

#include <algorithm>
#include <cstdlib>

#include "linkprobe/estimate/quantile.h"

namespace fairlead::linkprobe {
namespace {

constexpr double kMadFactor = 6;   // about 4 sigma of a normal p50
constexpr int kMadBandAtMost = 3;  // times the configured band
constexpr std::size_t kMostWindows = 3600;
constexpr std::size_t kEachCounts = 60;  // so few windows that each one moves the median
constexpr std::size_t kRefreshEvery = 15;

Nanoseconds Scaled(Nanoseconds value, double factor) {
  return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(value.count()) * factor));
}

}  // namespace

Baseline::Level Baseline::Compute() const {
  std::vector<std::int64_t> values = p50s_;
  Level level{*Quantile(values, 0.5), {}, {}};
  for (std::int64_t& value : values) value = std::abs(value - level.p50.count());
  level.mad = *Quantile(values, 0.5);
  values = spreads_;
  level.spread = Quantile(values, 0.5);
  return level;
}

void Baseline::Learn(Nanoseconds p50, std::optional<Nanoseconds> spread,
                     const DetectorSettings& settings) {
  p50s_.push_back(p50.count());
  if (spread) spreads_.push_back(spread->count());
  const auto span = static_cast<std::size_t>(
      std::clamp<std::int64_t>(settings.baseline_span / settings.window, 1, kMostWindows));
  const bool full = p50s_.size() >= span;
  if (!frozen_) {
    if (p50s_.size() < std::min<std::size_t>(settings.baseline_windows, span)) return;
    if (!full && ready_ && p50s_.size() > kEachCounts && p50s_.size() % kRefreshEvery != 0) return;
    const Level level = Compute();
    p50_ = level.p50;
    mad_ = level.mad;
    if (level.spread) spread_ = *level.spread;
    ready_ = true;
    frozen_ = full;
  } else if (full) {
    const Level level = Compute();
    p50_ = std::min(p50_, level.p50);
    mad_ = std::min(mad_, level.mad);
    if (level.spread) spread_ = std::min(spread_, *level.spread);
  }
  if (full) {
    p50s_.clear();
    spreads_.clear();
  }
}

void Baseline::Relearn(const std::vector<std::int64_t>& p50s) {
  p50s_ = p50s;
  spreads_.clear();
  p50_ = Compute().p50;
  frozen_ = false;
  ready_ = true;
}

Nanoseconds Baseline::ConfiguredBand(const DetectorSettings& settings) const {
  return std::max(Scaled(p50_, settings.band_ratio), settings.band_floor);
}

Nanoseconds Baseline::Band(const DetectorSettings& settings) const {
  const Nanoseconds configured = ConfiguredBand(settings);
  return std::max(configured, std::min(Scaled(mad_, kMadFactor), kMadBandAtMost * configured));
}

Nanoseconds Baseline::SpreadLimit(const DetectorSettings& settings) const {
  return std::max(Scaled(spread_, settings.pdv_factor), spread_ + settings.pdv_floor);
}

}  // namespace fairlead::linkprobe
