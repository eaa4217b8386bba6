#include "linkprobe/pacing/probe_schedule.h"

#include <algorithm>

namespace fairlead::linkprobe {
namespace {

constexpr Nanoseconds kShortestInterval = Milliseconds(1);
constexpr double kLeastGap = 0.5;
constexpr double kGreatestGap = 1.5;

}  // namespace

Nanoseconds ProbeSchedule::Fraction(Nanoseconds interval, double low, double high) {
  const double share = std::uniform_real_distribution<double>(low, high)(random_);
  return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(interval.count()) * share));
}

void ProbeSchedule::ScheduleAt(std::uint64_t stream, Stream& state, MonotonicTime due) {
  queue_.erase({state.due, stream});
  state.due = due;
  queue_.emplace(due, stream);
}

void ProbeSchedule::Set(std::uint64_t stream, Nanoseconds interval, MonotonicTime now) {
  interval = std::max(interval, kShortestInterval);
  const auto [entry, added] = streams_.try_emplace(stream, Stream{interval, now});
  // A known stream keeps its next send: a plan that is handed down again every second must neither
  // silence nor hurry it.
  if (!added && entry->second.interval == interval) return;
  entry->second.interval = interval;
  ScheduleAt(stream, entry->second, now + Fraction(interval, 0, 1));
}

void ProbeSchedule::Remove(std::uint64_t stream) {
  const auto entry = streams_.find(stream);
  if (entry == streams_.end()) return;
  queue_.erase({entry->second.due, stream});
  streams_.erase(entry);
}

std::optional<MonotonicTime> ProbeSchedule::NextDue() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first;
}

std::optional<std::uint64_t> ProbeSchedule::PopDue(MonotonicTime now) {
  while (!queue_.empty() && queue_.begin()->first <= now) {
    const std::uint64_t stream = queue_.begin()->second;
    Stream& state = streams_.at(stream);
    if (now - state.due > state.interval) {
      // The host stood still. What was missed stays missed, and each stream starts anew at a place
      // of its own within its interval; strictly later, so that this loop ends.
      ScheduleAt(stream, state, now + Nanoseconds(1) + Fraction(state.interval, 0, 1));
      continue;
    }
    ScheduleAt(stream, state,
               std::max(state.due + Fraction(state.interval, kLeastGap, kGreatestGap),
                        now + Fraction(state.interval, kLeastGap / 2, kLeastGap)));
    return stream;
  }
  return std::nullopt;
}

}  // namespace fairlead::linkprobe
