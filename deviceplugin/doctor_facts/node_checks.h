// The checks, again and again.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "deviceplugin/doctor/findings.h"
#include "deviceplugin/doctor/idle_hcas.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// How often the node is looked at, and when first.
struct CheckTimes {
  Nanoseconds first_after = Seconds(10);
  Nanoseconds every = Seconds(300);
};

// Reads facts, examines them and publishes the reports; logs each check that begins or ceases to
// find a warning or a fault. Thread-safe.
class NodeChecks {
 public:
  // `read` is called on the loop's thread; nothing where the node could not be read this time. It
  // and `clock` outlive the loop.
  NodeChecks(std::function<std::optional<NodeFacts>()> read, const Clock& clock, CheckTimes times);
  ~NodeChecks();

  // Empty until the first look.
  const Snapshot<std::vector<CheckReport>>& reports() const { return reports_; }
  // When the loop last came round.
  MonotonicTime last_turn() const;

 private:
  void Run(const std::stop_token& stop);
  void Look();

  const std::function<std::optional<NodeFacts>()> read_;
  const Clock& clock_;
  const CheckTimes times_;
  Snapshot<std::vector<CheckReport>> reports_;
  IdleHcas idle_;  // at the last look; used by the loop's thread

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  MonotonicTime last_turn_{};

  std::jthread thread_;
};

}  // namespace fairlead::deviceplugin
