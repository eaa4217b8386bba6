// What one resource's servers have done since the start, one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/base/log_limit.h"
#include "deviceplugin/kubelet/call_durations.h"

namespace fairlead::deviceplugin {

// Thread-safe. Counts of calls, streams and messages.
struct ServiceTally {
  std::atomic<std::uint64_t> allocations{0};            // Allocate calls, also those that failed
  std::atomic<std::uint64_t> allocation_failures{0};    // each fails a pod
  std::atomic<std::uint64_t> preferences{0};            // GetPreferredAllocation calls
  std::atomic<std::uint64_t> preference_failures{0};    // answered without a preference
  std::atomic<std::uint64_t> starts{0};                 // PreStartContainer calls
  std::atomic<std::uint64_t> start_failures{0};         // of them, those that changed nothing
  std::atomic<std::uint64_t> lists{0};                  // device lists made, the first one too
  std::atomic<std::uint64_t> streams{0};                // ListAndWatch calls
  std::atomic<std::uint64_t> registrations{0};          // that kubelet took
  std::atomic<std::uint64_t> registration_failures{0};  // refused, unanswered or not even tried

  CallDurations allocation_durations;  // of every Allocate call

  LogLimit refusals_told{20, Seconds(60)};  // lines on calls that failed

  void SetError(std::string error) {
    std::lock_guard lock(mutex_);
    last_error_ = std::move(error);
  }
  // The last thing that went wrong with serving or registering; empty once kubelet has taken us.
  std::string LastError() const {
    std::lock_guard lock(mutex_);
    return last_error_;
  }

 private:
  mutable std::mutex mutex_;
  std::string last_error_;
};

}  // namespace fairlead::deviceplugin
