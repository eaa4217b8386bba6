// Series with known properties, and recordings made of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "linkprobe/record/block_bootstrap.h"
#include "linkprobe/record/recording.h"

namespace fairlead::linkprobe {

// AR(1) with unit normal innovations (Box and Muller, the same on every machine).
inline std::vector<double> Autoregressive(std::size_t size, double r, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  };
  std::vector<double> series;
  double value = normal() / std::sqrt(1 - r * r);  // begins as it goes on
  for (std::size_t i = 0; i < size; ++i) {
    series.push_back(value);
    value = r * value + normal();
  }
  return series;
}

inline IndexStatistic MeanOf(const std::vector<double>& series) {
  return [&series](std::span<const std::size_t> chosen) {
    double sum = 0;
    for (const std::size_t i : chosen) sum += series[i];
    return sum / static_cast<double>(chosen.size());
  };
}

// A good window, the `i`th of a line.
inline LineWindow MakeWindow(std::size_t i, double rtt_seconds,
                             const std::string& line = "sg:7473") {
  LineWindow window;
  window.line = line;
  window.rung = TransportRung::kRdmaUdSw;
  window.begin = Seconds(5 * i);
  window.end = Seconds(5 * (i + 1));
  window.wall_end = WallTime(Seconds(1'800'000'000)) + window.end;
  window.samples = 50;
  window.rtt_p50 = Nanoseconds(std::llround(rtt_seconds * 1e9));
  window.rtt_min = *window.rtt_p50 - Milliseconds(1);
  window.rtt_p99 = *window.rtt_p50 + Milliseconds(2);
  window.forward = {.sent = 50, .lost = 0, .jitter = Milliseconds(1), .delay_variation = {}};
  window.reverse = {.sent = 50, .lost = 0, .jitter = Milliseconds(1), .delay_variation = {}};
  return window;
}

inline RecordingFacts MakeFacts() {
  RecordingFacts facts;
  facts.host = "hk-1";
  facts.program_version = "0.1.0";
  facts.started = WallTime(Seconds(1'800'000'000));
  facts.window = Seconds(5);
  facts.planned = Seconds(600);
  facts.probes_per_second = 10;
  return facts;
}

// One line whose p50 is `base` + `scale` x the series, in seconds.
inline Recording MakeRecording(const std::vector<double>& series, double base, double scale) {
  RecordingBuilder builder(MakeFacts());
  for (std::size_t i = 0; i < series.size(); ++i) {
    builder.Add(MakeWindow(i, base + scale * series[i]));
  }
  builder.NoteEnd();
  return builder.Take();
}

}  // namespace fairlead::linkprobe
