// Noticing that HCAs have come, gone or changed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "deviceplugin/discovery/change_source.h"

namespace fairlead::deviceplugin {

// Calls `on_change` from a thread of its own: at once, then soon after something changed, at the
// pace of ScanSchedule however many events there are. What has happened since the sources were
// opened counts, and so do events that the kernel had to drop.
class ChangeWatch {
 public:
  // `changed` is false at once, and where only the time that the last call asked for has passed.
  // What it returns, if anything, is when to call again at the latest, changed or not.
  using OnChange = std::function<std::optional<Nanoseconds>(bool changed)>;

  struct Counts {
    std::uint64_t events = 0;    // that mattered
    std::uint64_t overruns = 0;  // times the kernel dropped some
  };

  // Fails only where the system gives no more descriptors.
  static Result<std::unique_ptr<ChangeWatch>> Start(ChangeSources sources, OnChange on_change);
  // Returns once no call of `on_change` runs any more.
  ~ChangeWatch();

  Counts counts() const;  // thread-safe

 private:
  class Loop;
  explicit ChangeWatch(std::unique_ptr<Loop> loop);

  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::deviceplugin
