#include "linkprobe/record/recording.h"

namespace fairlead::linkprobe {
namespace {

// The wall clock is slewed by NTP all the time; a step is more than that.
constexpr Nanoseconds kLeastStep = Seconds(1);

bool NotNegative(const std::optional<Nanoseconds>& value) {
  return !value || *value >= Nanoseconds::zero();
}

bool InOrder(const std::optional<Nanoseconds>& less, const std::optional<Nanoseconds>& more) {
  return !less || !more || *less <= *more;
}

bool Possible(const WindowDirection& direction) {
  return direction.lost <= direction.sent && NotNegative(direction.jitter) &&
         NotNegative(direction.delay_variation);
}

bool Possible(const LineWindow& window) {
  return window.begin >= Nanoseconds::zero() && window.end > window.begin &&
         NotNegative(window.rtt_min) && NotNegative(window.rtt_p50) &&
         NotNegative(window.rtt_p99) && InOrder(window.rtt_min, window.rtt_p50) &&
         InOrder(window.rtt_p50, window.rtt_p99) && Possible(window.forward) &&
         Possible(window.reverse) && NotNegative(window.host_delay) &&
         (!window.bandwidth || window.bandwidth->bits_per_second >= 0);
}

}  // namespace

void RecordingBuilder::Add(LineWindow window) {
  if (!Possible(window)) {
    ++recording_.passed_over.impossible;
    return;
  }
  const auto [last, fresh] = last_.try_emplace({window.line, window.path});
  if (!fresh && window.begin < last->second.end) {
    ++recording_.passed_over.out_of_order;
    return;
  }
  if (!fresh) {
    const Nanoseconds by_wall = window.wall_end - last->second.wall_end;
    const Nanoseconds difference = by_wall - (window.end - last->second.end);
    if (difference > kLeastStep || difference < -kLeastStep) ++recording_.clock_steps;
  }
  last->second = {window.end, window.wall_end};
  const Nanoseconds length = window.end - window.begin;
  const Nanoseconds wanted = recording_.facts.window;
  if (wanted > Nanoseconds::zero() && (length < wanted / 2 || length > wanted * 2)) {
    ++recording_.passed_over.odd_length;
    return;
  }
  const LineKey key{window.line, window.path, window.rung};
  recording_.lines[key].push_back(std::move(window));
}

}  // namespace fairlead::linkprobe
