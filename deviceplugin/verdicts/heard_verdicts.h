// What linkprobe has said last, for as long as it counts.
#pragma once

#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/health/ailment.h"

namespace fairlead::deviceplugin {

// Single-threaded and pure; times must not go backwards.
class HeardVerdicts {
 public:
  // The newest message, in place of the one before. True where another set of ports is bad now:
  // only that changes a device's health.
  bool Hear(std::vector<NicVerdict> verdicts, MonotonicTime now);
  // Forgets what is stale; true as above.
  bool Expire(MonotonicTime now);

  const std::vector<NicVerdict>& verdicts() const { return verdicts_; }
  // When the next verdict becomes stale; nothing while there is none.
  std::optional<MonotonicTime> NextExpiry() const;

 private:
  std::vector<NicVerdict> verdicts_;
};

}  // namespace fairlead::deviceplugin
