// All counters of this host's RDMA ports, from wherever the kernel keeps them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "linkprobe/counter_files/rdma_netlink.h"
#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

// Not thread-safe. Files are read every time; ethtool's statistics and netlink's, which nothing is
// calculated from, every 30 s, and shown as they were in between.
class HostCounters {
 public:
  static constexpr Nanoseconds kSlowEvery = Seconds(30);

  // `root` is where the host's files are, "" on the host itself; ethtool and netlink are asked only
  // there. `clock` outlives this.
  HostCounters(std::string root, const Clock& clock);

  CounterReading Read();

 private:
  void ReadSlow(const CounterReading& reading);

  const std::string root_;
  const Clock& clock_;
  RdmaNetlink netlink_;
  std::optional<MonotonicTime> slow_at_;
  std::map<std::pair<std::string, std::uint32_t>, std::vector<CounterValue>> slow_;
};

}  // namespace fairlead::linkprobe
