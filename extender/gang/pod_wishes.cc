#include "extender/gang/pod_wishes.h"

#include <string_view>

#include "common/base/quote.h"
#include "common/units/duration.h"
#include "common/units/number.h"
#include "common/units/rate.h"
#include "extender/gang/annotation_reader.h"

namespace fairlead::extender {
namespace {

constexpr double kLongestComputeMs = 86'400'000;  // a step of a day

Result<CommPattern> Pattern(std::string_view text) {
  if (const auto pattern = ParseCommPattern(text)) return *pattern;
  return Fail(
      ErrorCode::kInvalidArgument,
      Quoted(text) + " is no pattern; use allreduce, tree, hierarchical, pipeline or localsgd");
}

// A limit of zero would refuse every line; it is a slip, not a wish.
template <class T>
Result<T> NotZero(Result<T> value, std::string_view text) {
  if (value && *value == T{}) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " must be more than zero; leave it out for no limit");
  }
  return value;
}

Result<Nanoseconds> Compute(std::string_view text) {
  const Result<double> ms = ParseNumber(text);
  if (!ms) return Fail(ms.error());
  if (*ms < 0 || *ms > kLongestComputeMs) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " is not between 0 and 86400000 milliseconds");
  }
  return Nanoseconds(static_cast<std::int64_t>(*ms * 1e6));
}

}  // namespace

PodWishes ReadWishes(const PodFacts& pod) {
  PodWishes wishes;
  AnnotationReader reader(pod, "is ignored", wishes.errors);
  reader.Read("comm-pattern", Pattern, [&](CommPattern p) { wishes.profile.pattern = p; });
  reader.Read("comm-bytes", ParseBytes, [&](std::uint64_t bytes) {
    wishes.profile.bytes_per_step = static_cast<double>(bytes);
  });
  reader.Read("compute-ms", Compute,
              [&](Nanoseconds time) { wishes.profile.compute_per_step = time; });
  reader.Read(
      "max-rtt", [](std::string_view text) { return NotZero(ParseDuration(text), text); },
      [&](Nanoseconds limit) { wishes.limits.max_rtt = limit; });
  reader.Read(
      "max-jitter", [](std::string_view text) { return NotZero(ParseDuration(text), text); },
      [&](Nanoseconds limit) { wishes.limits.max_jitter = limit; });
  reader.Read(
      "min-bandwidth", [](std::string_view text) { return NotZero(ParseRate(text), text); },
      [&](std::uint64_t bits) {
        wishes.limits.min_bytes_per_second = static_cast<double>(bits) / 8;
      });
  return wishes;
}

}  // namespace fairlead::extender
