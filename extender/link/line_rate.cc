#include "extender/link/line_rate.h"

#include <algorithm>

namespace fairlead::extender {
namespace {

bool Counts(const CapacityTest& test, const TestLifetimes& lifetimes) {
  switch (test.source) {
    case RateSource::kDeclared:
      return false;
    case RateSource::kTrain:
      return test.age < lifetimes.train;
    case RateSource::kSaturation:
      return test.age < lifetimes.saturation;
  }
  return false;
}

// What tests alone say: found, or bounded from below.
struct Found {
  const CapacityTest* exact = nullptr;
  const CapacityTest* bound = nullptr;
};

Found Search(const std::vector<CapacityTest>& tests, const TestLifetimes& lifetimes) {
  Found found;
  for (const CapacityTest& test : tests) {
    if (!Counts(test, lifetimes)) continue;
    if (test.at_least) {
      const bool more = !found.bound || test.bytes_per_second > found.bound->bytes_per_second;
      if (more) found.bound = &test;
    } else if (!found.exact || test.source > found.exact->source ||
               (test.source == found.exact->source && test.age < found.exact->age)) {
      found.exact = &test;
    }
  }
  // The line was seen to carry more than was found before.
  if (found.exact && found.bound && found.bound->bytes_per_second > found.exact->bytes_per_second) {
    found.exact = nullptr;
  }
  return found;
}

}  // namespace

LineCapacity JudgeCapacity(const std::vector<CapacityTest>& tests, std::optional<double> declared,
                           std::optional<double> used, const TestLifetimes& lifetimes) {
  const Found found = Search(tests, lifetimes);
  LineRates rates{.declared = declared, .used = used};
  if (found.exact) rates.capacity = found.exact->bytes_per_second;
  // What was carried at least speaks against a declaration as what is in use does.
  if (found.bound) rates.used = std::max(used.value_or(0), found.bound->bytes_per_second);
  LineCapacity capacity{.doubt = JudgeDeclaredRate(rates)};
  const CapacityTest* test = found.exact ? found.exact : found.bound;
  const bool declares = declared && *declared > 0;
  if (declares && test) {
    const bool wrong = test->bytes_per_second >= kDeclaredRateFactor * *declared;
    const bool capped = test->bytes_per_second > *declared && !wrong;
    const bool only_bound = test->at_least && test->bytes_per_second <= *declared;
    if (capped || only_bound) test = nullptr;
  }
  if (test) {
    capacity.rate = LineRate{.bytes_per_second = test->bytes_per_second,
                             .source = test->source,
                             .age = test->age,
                             .at_least = test->at_least};
  } else if (declares) {
    capacity.rate = LineRate{.bytes_per_second = *declared};
  }
  return capacity;
}

void TestMemory::Add(const CapacityTest& test, MonotonicTime now) {
  std::optional<Kept>& kept = kept_[static_cast<std::size_t>(test.source)];
  const MonotonicTime at = now - test.age;
  if (!kept || at >= kept->at) kept = Kept{.test = test, .at = at};
}

std::vector<CapacityTest> TestMemory::At(MonotonicTime now) const {
  std::vector<CapacityTest> tests;
  for (const auto& kept : kept_) {
    if (!kept) continue;
    tests.push_back(kept->test);
    tests.back().age = std::max(now - kept->at, Nanoseconds::zero());
  }
  return tests;
}

}  // namespace fairlead::extender
