// What a pod's fairlead.dev annotations ask for.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "extender/cost/communication_profile.h"
#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

// Hard limits on the lines to the gang's other members; absent: none.
struct LineLimits {
  std::optional<Nanoseconds> max_rtt = std::nullopt;     // against p50
  std::optional<Nanoseconds> max_jitter = std::nullopt;  // RFC 3550 jitter, the worse direction
  std::optional<double> min_bytes_per_second = std::nullopt;
  auto operator<=>(const LineLimits&) const = default;
};

struct PodWishes {
  CommunicationProfile profile;
  LineLimits limits;
  std::vector<std::string> errors;  // annotations that were ignored: name, value and remedy
};

// Reads comm-pattern, comm-bytes, compute-ms, max-rtt, max-jitter and min-bandwidth. A value that
// cannot be read counts as not given and is named in `errors`.
PodWishes ReadWishes(const PodFacts& pod);

}  // namespace fairlead::extender
