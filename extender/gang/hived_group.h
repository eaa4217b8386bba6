// The affinity group of a pod that HiveD schedules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::extender {

inline constexpr std::string_view kHivedSpec = "hivedscheduler.microsoft.com/pod-scheduling-spec";

struct HivedGroup {
  std::string name;
  std::optional<std::uint32_t> pods;  // sum of its members' podNumber; absent: none can be read
};

// Reads affinityGroup.name and affinityGroup.members[].podNumber from the value of kHivedSpec, YAML
// in block or flow style or JSON. Nothing without a named group: HiveD then takes the pod for one
// of its own.
std::optional<HivedGroup> ReadHivedGroup(std::string_view spec);

}  // namespace fairlead::extender
