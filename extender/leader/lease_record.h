// A Lease of coordination.k8s.io/v1, of which one replica after the other is the holder.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/clock.h"

namespace fairlead::extender {

struct LeaseRecord {
  std::string holder;             // empty: given up, anybody may take it
  Seconds duration{0};            // 0: not said
  std::uint32_t transitions = 0;  // how often it has changed hands, which is the term
  std::string acquire_time{};  // as the API server has it; of the holder's clock, so never judged
  std::string renew_time{};    // the same; another text means that the holder is alive
  bool operator==(const LeaseRecord&) const = default;
};

// What to write into it. The times are for whoever writes: renewTime is now.
struct LeaseWrite {
  std::string holder;
  Seconds duration{0};
  std::uint32_t transitions = 0;
  bool acquires = false;  // acquireTime is now, too
  bool operator==(const LeaseWrite&) const = default;
};

}  // namespace fairlead::extender
