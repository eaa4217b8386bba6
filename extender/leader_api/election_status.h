// How the election has gone, for readiness and metrics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/kube/reflect/api_failure.h"

namespace fairlead::extender {

using FailureCounts = std::array<std::uint64_t, kube::kApiFailures>;  // by kube::ApiFailure

struct ElectionStatus {
  bool heard = false;        // the Lease has been read or written once; stays true
  std::uint64_t gained = 0;  // times this replica began to lead
  std::uint64_t lost = 0;    // times it ended, in order or not
  FailureCounts lease_failures{};
  FailureCounts label_failures{};
  // Why the Lease cannot be followed now, or the pod not labelled, with the remedy where there is
  // one; empty where all is well.
  std::string lease_trouble;
  std::string label_trouble;
};

inline void Count(kube::ApiFailure failure, FailureCounts& counts) {
  ++counts[static_cast<std::size_t>(failure)];
}

}  // namespace fairlead::extender
