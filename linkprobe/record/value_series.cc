#include "linkprobe/record/value_series.h"

namespace fairlead::linkprobe {
namespace {

std::optional<double> InSeconds(const std::optional<Nanoseconds>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(value->count()) / 1e9;
}

std::optional<double> ValueOf(const LineWindow& window, LineValue value,
                              const std::string& source) {
  if (window.tested && value != LineValue::kBandwidth) return std::nullopt;
  switch (value) {
    case LineValue::kRttP50:
      return InSeconds(window.rtt_p50);
    case LineValue::kRttP99:
      return InSeconds(window.rtt_p99);
    case LineValue::kJitterForward:
      return InSeconds(window.forward.jitter);
    case LineValue::kJitterReverse:
      return InSeconds(window.reverse.jitter);
    case LineValue::kLossForward:
    case LineValue::kLossReverse:
      return std::nullopt;
    case LineValue::kBandwidth:
      if (!window.bandwidth || window.bandwidth->source != source) return std::nullopt;
      return window.bandwidth->bits_per_second;
  }
  return std::nullopt;
}

}  // namespace

bool IsLoss(LineValue value) {
  return value == LineValue::kLossForward || value == LineValue::kLossReverse;
}

std::vector<double> SeriesOf(const std::vector<LineWindow>& windows, LineValue value,
                             const std::string& source) {
  std::vector<double> series;
  for (const LineWindow& window : windows) {
    if (const auto found = ValueOf(window, value, source)) series.push_back(*found);
  }
  return series;
}

Trials TrialsOf(const std::vector<LineWindow>& windows, LineValue value) {
  Trials trials;
  for (const LineWindow& window : windows) {
    const WindowDirection& direction =
        value == LineValue::kLossForward ? window.forward : window.reverse;
    if (direction.sent == 0 || window.tested) continue;
    trials.events.push_back(direction.lost);
    trials.trials.push_back(direction.sent);
  }
  return trials;
}

std::set<std::string> BandwidthSources(const std::vector<LineWindow>& windows) {
  std::set<std::string> sources;
  for (const LineWindow& window : windows) {
    if (window.bandwidth) sources.insert(window.bandwidth->source);
  }
  return sources;
}

double ResolutionOf(LineValue value, TransportRung rung) {
  if (IsLoss(value) || value == LineValue::kBandwidth) return 0;
  switch (rung) {
    case TransportRung::kRdmaUdHw:
    case TransportRung::kUdpHw:
      return 1e-6;
    case TransportRung::kRdmaUdSw:
    case TransportRung::kUdpSw:
      return 20e-6;
    case TransportRung::kTcp:
    case TransportRung::kPromql:
      return 1e-3;
  }
  return 0;
}

}  // namespace fairlead::linkprobe
