// How much a line carries, by what is declared of it and what tests have found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "common/link/declared_rate.h"

namespace fairlead::extender {

// The later one counts before the earlier one.
enum class RateSource { kDeclared, kTrain, kSaturation };

// "declared", "train", "saturation".
constexpr std::string_view RateSourceName(RateSource source) {
  switch (source) {
    case RateSource::kDeclared:
      return "declared";
    case RateSource::kTrain:
      return "train";
    case RateSource::kSaturation:
      return "saturation";
  }
  return "";
}

// What one test found.
struct CapacityTest {
  RateSource source = RateSource::kTrain;
  double bytes_per_second = 0;  // on the wire
  Nanoseconds age{};
  bool at_least = false;  // something else than the line was the limit
};

// For how long a test counts.
struct TestLifetimes {
  Nanoseconds train = std::chrono::hours(6);
  Nanoseconds saturation = std::chrono::hours(48);
  bool operator==(const TestLifetimes&) const = default;
};

struct LineRate {
  double bytes_per_second = 0;
  RateSource source = RateSource::kDeclared;
  Nanoseconds age{};      // of the test; zero where it is declared
  bool at_least = false;  // no more is known
};

struct LineCapacity {
  std::optional<LineRate> rate{};
  DeclaredRateDoubt doubt = DeclaredRateDoubt::kNone;
};

// The freshest saturation test before the freshest train before what is declared; tests that are
// too old do not count, and one that found a limit of its own only as a lower bound. A line has no
// more than is declared for it, unless a test says that the declaration is wrong by ten times. Of
// `declared` and `used` (at most, by counters) see LineRates. Pure.
LineCapacity JudgeCapacity(const std::vector<CapacityTest>& tests, std::optional<double> declared,
                           std::optional<double> used, const TestLifetimes& lifetimes);

// The newest test of each source, so that a probe that starts anew does not make it unknown. Pure,
// not thread-safe.
class TestMemory {
 public:
  // `test.age` is counted to `now`.
  void Add(const CapacityTest& test, MonotonicTime now);
  // With their ages at `now`, by source.
  std::vector<CapacityTest> At(MonotonicTime now) const;

 private:
  struct Kept {
    CapacityTest test;
    MonotonicTime at{};
  };
  std::array<std::optional<Kept>, 3> kept_;  // by source
};

}  // namespace fairlead::extender
