// A right configuration for a scheduler, as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/result.h"

namespace fairlead::extender {

enum class SchedulerKind { kKubeScheduler, kVolcano };

struct SchedulerConfigWish {
  SchedulerKind kind = SchedulerKind::kKubeScheduler;
  std::string url = "http://127.0.0.1:8471";  // without path
  std::string ca_file = {};           // of the extender's certificate, as the scheduler sees it
  std::string certificate_file = {};  // the scheduler's own, and its key
  std::string key_file = {};
  std::string resource = "rdma/hca";
  std::string timeout = "200ms";
  std::optional<std::uint32_t> weight = {};  // of kube-scheduler alone; 5 where it is not given
};

// YAML with a word on each line that is not obvious. kInvalidArgument, with the remedy, for what
// would give a configuration that does not work or that the check would warn of. Pure.
Result<std::string> PrintSchedulerConfig(const SchedulerConfigWish& wish);

}  // namespace fairlead::extender
