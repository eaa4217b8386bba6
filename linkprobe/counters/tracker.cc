#include "linkprobe/counters/tracker.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "linkprobe/counters/step.h"

namespace fairlead::linkprobe {
namespace {

// 16 Tb/s, ten times the fastest port there is; no counter counts less than a byte each.
constexpr double kMostPerSecond = 2e12;
// Those of 32 bits count requests and errors, never bytes. The smaller this is, the fewer resets
// pass for a wrap.
constexpr double kMostEventsPerSecond = 1e8;

auto Order(const TrackedCounter& counter) { return std::tie(counter.source, counter.name); }

}  // namespace

const TrackedCounter* TrackedPort::Find(CounterSource source, std::string_view name) const {
  const auto found = std::lower_bound(
      counters.begin(), counters.end(), std::pair(source, name),
      [](const TrackedCounter& counter, const std::pair<CounterSource, std::string_view>& key) {
        return std::pair(counter.source, std::string_view(counter.name)) < key;
      });
  if (found == counters.end() || found->source != source || found->name != name) return nullptr;
  return &*found;
}

std::optional<std::uint64_t> TrackedPort::Counted(CounterSource source,
                                                  std::string_view name) const {
  const TrackedCounter* counter = Find(source, name);
  return counter == nullptr ? std::nullopt : counter->counted;
}

std::vector<TrackedPort> CounterTracker::Advance(const CounterReading& reading) {
  std::map<PortKey, PastPort> next;
  std::vector<TrackedPort> tracked;
  for (const PortReading& port : reading.ports) {
    const PortKey key{port.device, port.port};
    const auto [place, inserted] = next.try_emplace(key);
    if (!inserted) continue;
    const auto before = ports_.find(key);
    tracked.push_back(
        AdvancePort(port, before == ports_.end() ? nullptr : &before->second, place->second));
  }
  ports_ = std::move(next);
  return tracked;
}

TrackedPort CounterTracker::AdvancePort(const PortReading& reading, const PastPort* before,
                                        PastPort& after) {
  TrackedPort port{.device = reading.device,
                   .port = reading.port,
                   .netdev = reading.netdev,
                   .rate_bytes_per_second = reading.rate_bytes_per_second,
                   .at = reading.at,
                   .unreadable = reading.unreadable,
                   .problem = reading.problem};
  after.incarnation = reading.incarnation;
  after.at = reading.at;
  const bool made_anew = before != nullptr && before->incarnation != reading.incarnation;
  if (made_anew) ++totals_.resets;
  if (before != nullptr && !made_anew && reading.at > before->at) {
    port.interval = reading.at - before->at;
  }
  const double seconds = static_cast<double>(port.interval.count()) * 1e-9;
  for (const CounterValue& value : reading.values) {
    auto meaning = MeaningOf(value.source, value.name);
    if (!meaning) continue;
    const Key key{value.source, value.name};
    const auto [place, inserted] = after.counters.try_emplace(key);
    if (!inserted) continue;
    const Past* past = nullptr;
    if (before != nullptr && !made_anew) {
      const auto found = before->counters.find(key);
      if (found != before->counters.end()) past = &found->second;
    }
    port.counters.push_back(
        AdvanceCounter(value, *std::move(meaning), past, seconds, place->second));
  }
  std::sort(port.counters.begin(), port.counters.end(),
            [](const TrackedCounter& a, const TrackedCounter& b) { return Order(a) < Order(b); });
  return port;
}

TrackedCounter CounterTracker::AdvanceCounter(const CounterValue& value, CounterMeaning meaning,
                                              const Past* before, double seconds, Past& after) {
  after.value = value.value;
  TrackedCounter counter{.source = value.source, .name = value.name, .meaning = meaning};
  if (before != nullptr) after.rounds = before->rounds;
  if (before != nullptr && !meaning.gauge && seconds > 0) {
    const CounterStep step = StepOf(before->value, value.value, meaning, seconds,
                                    meaning.bits == 32 ? kMostEventsPerSecond : kMostPerSecond);
    counter.counted = step.counted;
    switch (step.kind) {
      case StepKind::kAdvanced:
      case StepKind::kStuck:
        break;
      case StepKind::kWrapped:
        ++after.rounds;
        ++totals_.wraps;
        break;
      case StepKind::kReset:
        after.rounds = 0;
        ++totals_.resets;
        break;
      case StepKind::kImpossible:
        ++totals_.impossible;
        break;
    }
  }
  counter.total =
      static_cast<double>(value.value) +
      static_cast<double>(after.rounds) * std::ldexp(1.0, static_cast<int>(meaning.bits));
  return counter;
}

}  // namespace fairlead::linkprobe
