#include "extender/link/external_merge.h"

#include <algorithm>
#include <cmath>

#include "common/base/quote.h"

namespace fairlead::extender {
namespace {

LinkKey Reversed(const LinkKey& key) { return {key.to_site, key.from_site}; }

Nanoseconds InNanoseconds(double seconds) { return Nanoseconds(std::llround(seconds * 1e9)); }

// Each takes the reading over and returns true, or leaves the view as it is.
bool TakeRtt(const ExternalReading& reading, Nanoseconds age, LinkView& view) {
  const Nanoseconds rtt = InNanoseconds(reading.number);
  if (view.rtt_p50 || (view.floor_rtt && rtt < *view.floor_rtt)) return false;
  view.rtt_p50 = rtt;
  view.rung = TransportRung::kPromql;
  view.age = age;
  if (view.state == LinkState::kUnknown && view.evidence.empty()) {
    view.evidence = "no probe measures this line; its RTT is from the Prometheus query " +
                    Quoted(reading.query);
  }
  return true;
}

bool TakeLoss(const ExternalReading& reading, LinkView& view) {
  DirectionMeasurement& way = reading.key == view.key ? view.forward : view.reverse;
  if (way.loss.known()) return false;
  way.loss.ratio = way.loss.lower = way.loss.upper = reading.number;
  return true;
}

bool TakeUtilisation(const ExternalReading& reading, LinkView& view) {
  if (view.available_bytes_per_second || !view.capacity_bytes_per_second) return false;
  view.available_bytes_per_second =
      *view.capacity_bytes_per_second * std::max(0.0, 1 - reading.number);
  return true;
}

bool Take(const ExternalReading& reading, Nanoseconds age, LinkView& view) {
  switch (reading.value) {
    case PrometheusValue::kRtt:
      return TakeRtt(reading, age, view);
    case PrometheusValue::kLoss:
      return TakeLoss(reading, view);
    case PrometheusValue::kUtilisation:
      return TakeUtilisation(reading, view);
  }
  return false;
}

// A reading of the way back says something of this one, too, but for its utilisation.
bool Concerns(const ExternalReading& reading, const LinkView& view, bool way_back) {
  if (!way_back) return reading.key == view.key;
  return reading.key == Reversed(view.key) && reading.value != PrometheusValue::kUtilisation;
}

}  // namespace

void MergeExternal(const ExternalReadings& external, MonotonicTime now, LinkView& view) {
  for (const bool way_back : {false, true}) {
    for (const ExternalReading& reading : external.readings) {
      if (!Concerns(reading, view, way_back)) continue;
      const Nanoseconds age = std::max(now - reading.at, Nanoseconds::zero());
      if (age >= external.stale_after) continue;
      const bool used = Take(reading, age, view);
      if (way_back && !used) continue;  // listed with the link of its own direction
      view.external.push_back({.value = reading.value,
                               .number = reading.number,
                               .query = reading.query,
                               .age = age,
                               .used = used});
    }
  }
}

}  // namespace fairlead::extender
