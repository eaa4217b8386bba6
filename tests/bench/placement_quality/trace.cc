#include "tests/bench/placement_quality/trace.h"

#include <array>
#include <cmath>
#include <random>

namespace fairlead::extender::quality {
namespace {

constexpr std::array kPatterns{CommPattern::kAllreduce, CommPattern::kHierarchical,
                               CommPattern::kPipeline, CommPattern::kLocalSgd, CommPattern::kTree};

// std::uniform_*_distribution differs between libraries; a trace must not.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_()) % limit; }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_()) / 4294967296.0;
  }

 private:
  std::mt19937 random_;
};

LineState Worse(const LineState& usual, Dice& dice) {
  LineState state = usual;
  switch (dice.Below(4)) {
    case 0: {  // a detour
      const double factor = dice.Between(1.2, 3);
      state.rtt_p50_ms *= factor;
      state.rtt_p99_ms *= factor;
      break;
    }
    case 1:
      state.gigabits *= dice.Between(0.1, 0.8);
      break;
    case 2:
      state.rtt_p99_ms *= dice.Between(1.5, 4);
      break;
    default:  // as usual
      break;
  }
  return state;
}

Arrival MakeArrival(const TraceSettings& settings, Dice& dice) {
  Arrival arrival;
  arrival.size = 2 + dice.Below(settings.most_members - 1);
  arrival.profile.pattern = kPatterns[dice.Below(kPatterns.size())];
  arrival.profile.bytes_per_step = std::pow(10.0, dice.Between(5, 9));
  arrival.leaves_after = 2 + dice.Below(12);
  return arrival;
}

}  // namespace

Trace MakeTrace(const TraceSettings& settings, std::uint32_t seed) {
  Dice dice(seed);
  Trace trace;
  for (std::size_t i = 0; i < settings.sites; ++i) {
    trace.sites.emplace_back(1, static_cast<char>('a' + i));
    trace.capacity.push_back(settings.least_capacity +
                             dice.Below(settings.most_capacity - settings.least_capacity + 1));
  }
  for (std::size_t a = 0; a < settings.sites; ++a) {
    for (std::size_t b = a + 1; b < settings.sites; ++b) {
      const double rtt = dice.Between(8, 180);
      trace.lines.push_back(
          {a, b, {rtt, rtt * dice.Between(1.0, 1.2), dice.Below(3) == 0 ? 1.0 : 10.0}});
    }
  }
  while (trace.events.size() < settings.events) {
    if (dice.Below(3) > 0) {
      trace.events.emplace_back(MakeArrival(settings, dice));
      continue;
    }
    LineChange change = trace.lines[dice.Below(static_cast<std::uint32_t>(trace.lines.size()))];
    change.state = Worse(change.state, dice);
    trace.events.emplace_back(change);
  }
  return trace;
}

}  // namespace fairlead::extender::quality
