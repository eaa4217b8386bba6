#include "linkprobe/counters/step.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kMost32 = 0xffffffff;
constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();
constexpr double kNoLimit = 1e30;

CounterMeaning Wide(std::uint32_t bits, std::uint64_t sticks_at = 0) {
  CounterMeaning meaning;
  meaning.bits = bits;
  meaning.sticks_at = sticks_at;
  return meaning;
}

struct Case {
  const char* what;
  std::uint64_t before;
  std::uint64_t now;
  CounterMeaning meaning;
  double most;
  StepKind kind;
  std::optional<std::uint64_t> counted;
};

TEST(CounterStepTest, Table) {
  const Case cases[] = {
      {"stands still", 7, 7, Wide(64), 1e9, StepKind::kAdvanced, 0},
      {"advances", 7, 9, Wide(64), 1e9, StepKind::kAdvanced, 2},
      {"a narrow one wraps", kMost32 - 4, 5, Wide(32), 1e8, StepKind::kWrapped, 10},
      {"a wide one wraps", kMost64 - 4, 5, Wide(64), 1e8, StepKind::kWrapped, 10},
      {"a wide one near 32 bits is reset", kMost32 - 4, 5, Wide(64), 1e8, StepKind::kReset, {}},
      {"is reset", 5000, 3, Wide(32), 1e8, StepKind::kReset, {}},
      {"is reset to 0", 5000, 0, Wide(64), 1e8, StepKind::kReset, {}},
      {"too much for a wrap", 3'000'000'000, 3, Wide(32), 1e8, StepKind::kReset, {}},
      {"wider than it can be", kMost32 + 9, 3, Wide(32), 1e8, StepKind::kReset, {}},
      {"rises by more than can be", 3, 4'000'000'000, Wide(64), 1e8, StepKind::kImpossible, {}},
      {"stuck", 65535, 65535, Wide(64, 65535), 1e8, StepKind::kStuck, {}},
      {"just reaches the end", 65530, 65535, Wide(64, 65535), 1e8, StepKind::kAdvanced, 5},
      {"cleared from the end", 65535, 0, Wide(64, 65535), 1e8, StepKind::kReset, {}},
      {"wider than its narrow form", kMost32, kMost32 + 7, Wide(64, kMost32), 1e8,
       StepKind::kAdvanced, 7},
  };
  for (const Case& each : cases) {
    const CounterStep step = StepOf(each.before, each.now, each.meaning, 1, each.most);
    EXPECT_EQ(step.kind, each.kind) << each.what;
    EXPECT_EQ(step.counted, each.counted) << each.what;
  }
}

// Whatever a counter does, what is said to have been counted is what has been counted, or nothing.
TEST(CounterStepTest, NeverTellsAnotherCountThanWasCounted) {
  std::mt19937_64 random(4711);
  for (int i = 0; i < 200'000; ++i) {
    const bool narrow = random() % 2 == 0;
    const std::uint64_t mask = narrow ? kMost32 : kMost64;
    const double most = 1e8;
    const std::uint64_t before = random() & mask;
    const std::uint64_t counted = random() % 100'000'001;
    const std::uint64_t now = (before + counted) & mask;
    const CounterStep step = StepOf(before, now, Wide(narrow ? 32 : 64), 1, most);
    ASSERT_EQ(step.counted, counted) << before << " to " << now;
    ASSERT_EQ(step.kind, now < before ? StepKind::kWrapped : StepKind::kAdvanced);
  }
}

TEST(CounterStepTest, WhatIsToldIsAlwaysPossible) {
  std::mt19937_64 random(815);
  for (int i = 0; i < 200'000; ++i) {
    // Values of all magnitudes, unrelated to each other: resets, garbage, other counters.
    const std::uint64_t before = random() >> (random() % 64);
    const std::uint64_t now = random() >> (random() % 64);
    const CounterMeaning meaning = Wide(random() % 2 == 0 ? 32 : 64);
    const double seconds = static_cast<double>(random() % 100'000 + 1) * 1e-3;
    const CounterStep step = StepOf(before, now, meaning, seconds, 1e6);
    if (step.counted) {
      ASSERT_LE(static_cast<double>(*step.counted), 1e6 * seconds);
    }
    ASSERT_EQ(step.counted.has_value(),
              step.kind == StepKind::kAdvanced || step.kind == StepKind::kWrapped);
  }
}

TEST(CounterStepTest, AResetIsNeverNegative) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t before = random() >> (1 + random() % 63);  // the lower half
    if (before == 0) continue;
    const CounterStep step = StepOf(before, random() % before, Wide(64), 1, kNoLimit);
    ASSERT_EQ(step.kind, StepKind::kReset);
    ASSERT_FALSE(step.counted);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
