// The health that kubelet is told, which lags what is seen: a flap harms every pod that restarts
// during it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/health/ailment.h"
#include "deviceplugin/inventory/node_inventory.h"

namespace fairlead::deviceplugin {

struct HealthSettings {
  Nanoseconds down_after = Seconds(5);      // ailing for so long without a break: unhealthy
  Nanoseconds up_after = Seconds(10);       // well for so long without a break: healthy again
  Nanoseconds remove_after = Seconds(600);  // gone for so long: no longer listed
};

// What is told of one HCA. A device that has vanished stays listed, unhealthy, as it was last seen:
// kubelet takes a device that a pod holds and that is no longer listed for a healthy one.
struct WatchedHca {
  std::string id;
  Hca hca;
  bool present = true;
  bool healthy = true;
  bool known = true;        // false: what was seen tells neither way, and `healthy` stays as it was
  std::string_view reason;  // empty while well; also while the debounce still runs: what ails it
  std::string sentence;
  MonotonicTime since{};  // when `healthy` changed last, or the device was first seen
};

// When a reading of the node began and ended: what it saw was so at some moment in between.
struct ReadSpan {
  MonotonicTime begin{};
  MonotonicTime end{};
};

// Single-threaded. Times must not go backwards.
class HealthBook {
 public:
  explicit HealthBook(HealthSettings settings) : settings_(settings) {}

  void Configure(HealthSettings settings) { settings_ = settings; }

  // A complete reading of the node. A device seen for the first time is at once what it is, and
  // healthy where that is not known; every later change waits for its time, which begins anew once
  // it is known again. A time counts from the end of one reading to the beginning of another, so
  // that what was shorter never changes anything. A port that is missing counts as one whose state
  // cannot be read. Sorted by device id.
  std::vector<WatchedHca> Update(const NodeInventory& inventory,
                                 std::span<const NicVerdict> verdicts, ReadSpan read);

  // When Update would tell something new though nothing changes; nothing while all is settled.
  std::optional<MonotonicTime> NextChange() const;

 private:
  struct Entry {
    Hca hca;
    bool present = true;
    bool healthy = true;
    std::optional<Ailment> ailment;
    MonotonicTime since{};          // of `healthy`
    MonotonicTime differs_since{};  // what is seen has contradicted `healthy` since
    bool differs = false;
    MonotonicTime gone_since{};
  };

  void See(Entry& entry, std::optional<Ailment> ailment, ReadSpan read);
  Nanoseconds Patience(const Entry& entry) const {
    return entry.healthy ? settings_.down_after : settings_.up_after;
  }

  HealthSettings settings_;
  std::map<std::string, Entry> entries_;  // by device id
};

}  // namespace fairlead::deviceplugin
