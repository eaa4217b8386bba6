#include "linkprobe/record/window_cutter.h"

namespace fairlead::linkprobe {
namespace {

WindowDirection Direction(const DirectionMeasurement& measured, std::uint64_t sent,
                          std::uint64_t lost) {
  return {.sent = sent, .lost = lost, .jitter = measured.jitter, .delay_variation = measured.pdv};
}

}  // namespace

std::optional<LineWindow> WindowCutter::Observe(const PathObservation& seen) {
  const auto [cut, fresh] =
      cuts_.try_emplace({seen.line, seen.path}, Cut{.at = seen.at, .totals = seen.totals});
  if (fresh) return std::nullopt;
  const PathTotals& before = cut->second.totals;
  const PathTotals& now = seen.totals;
  if (now.sent < before.sent || now.answered < before.answered) {
    // The path was built anew; its counters say nothing about the time before.
    cut->second = {seen.at, now};
    return std::nullopt;
  }
  if (seen.at - cut->second.at < window_) return std::nullopt;
  const std::uint64_t answered = now.answered - before.answered;
  const std::uint64_t forward = now.lost_forward - before.lost_forward;
  const std::uint64_t reverse = now.lost_reverse - before.lost_reverse;
  LineWindow window;
  window.line = seen.line;
  window.path = seen.path;
  window.rung = seen.measurement.rung;
  window.begin = cut->second.at - started_;
  window.end = seen.at - started_;
  window.wall_end = seen.wall_at;
  window.lost_unknown = now.lost_unknown - before.lost_unknown;
  const bool silent = now.sent == before.sent;
  cut->second = {seen.at, now};
  if (silent) return std::nullopt;
  window.samples = seen.measurement.samples;
  window.rtt_min = seen.measurement.rtt_min;
  window.rtt_p50 = seen.measurement.rtt_p50;
  window.rtt_p99 = seen.measurement.rtt_p99;
  // What was lost on the way forward never set out on the way back.
  window.forward = Direction(seen.measurement.forward, answered + reverse + forward, forward);
  window.reverse = Direction(seen.measurement.reverse, answered + reverse, reverse);
  window.host_delay = seen.measurement.prober_delay_p50;
  return window;
}

}  // namespace fairlead::linkprobe
