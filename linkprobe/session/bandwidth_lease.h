// The right to test one line once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "linkprobe/bandwidth/test_kind.h"

namespace fairlead::linkprobe {

// As the plan brings it: nothing of it has been checked.
struct BandwidthLease {
  std::uint64_t id = 0;
  std::string peer_node{};
  std::string line{};              // its name in the ledger
  std::optional<TestKind> kind{};  // absent: one that this version does not know
  std::uint64_t most_bytes = 0;
  std::uint64_t most_bytes_per_day = 0;  // that this node may send over the line
  Nanoseconds duration{};                // from the arrival of the first plan with this id
  std::optional<double> ceiling_bytes_per_second{};

  friend bool operator==(const BandwidthLease&, const BandwidthLease&) = default;
};

}  // namespace fairlead::linkprobe
