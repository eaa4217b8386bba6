// What this process is allowed to do, asked for and remembered for a while.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "common/base/clock.h"
#include "common/kube/api_connection.h"
#include "extender/relocation_api/move_requests.h"

namespace fairlead::extender {

// For one thread.
class RightsCache {
 public:
  // How long an answer counts.
  static constexpr Nanoseconds kFor = Seconds(30);

  // The sentence about rights that the target's lever lacks; empty: none.
  kube::ApiResult<std::string> Missing(kube::ApiConnection& connection, const MoveTarget& target,
                                       bool checkpoint, MonotonicTime now,
                                       const std::stop_token& stop);

 private:
  struct Answer {
    MonotonicTime at{};
    std::string missing;
  };
  std::map<std::string, Answer> answers_;  // by the requests
};

}  // namespace fairlead::extender
