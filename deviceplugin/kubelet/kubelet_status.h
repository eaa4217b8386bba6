// How it stands between kubelet and us, for /healthz and metrics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "deviceplugin/kubelet/call_durations.h"

namespace fairlead::deviceplugin {

struct ResourceStatus {
  std::string resource;
  bool serving = false;     // our socket is up
  bool registered = false;  // kubelet has taken the socket that is up
  bool connected = false;   // and reads our devices
  std::string socket;       // path; empty where none is up
  std::string last_error;   // empty once kubelet has taken us

  // Since the start.
  std::uint64_t registrations = 0;  // that kubelet took
  std::uint64_t registration_failures = 0;
  std::uint64_t streams = 0;      // ListAndWatch calls
  std::uint64_t lists = 0;        // device lists made
  std::uint64_t allocations = 0;  // Allocate calls, also those that failed
  std::uint64_t allocation_failures = 0;
  CallCounts allocation_durations;  // of every Allocate call
  std::uint64_t preferences = 0;
  std::uint64_t preference_failures = 0;
  std::uint64_t starts = 0;  // PreStartContainer calls
  std::uint64_t start_failures = 0;
};

struct KubeletStatus {
  bool kubelet_present = false;  // it listens, or in plugins_registry mode its directory is there
  bool plugins_registry = false;
  MonotonicTime last_turn{};              // of the loop; an old one means that the loop has stopped
  std::vector<ResourceStatus> resources;  // sorted by name
};

}  // namespace fairlead::deviceplugin
