// A scheduler's configuration file, read.
#pragma once

#include <string_view>
#include <variant>

#include "common/base/result.h"
#include "extender/scheduler_config/settings.h"

namespace fairlead::extender {

using SchedulerSettings = std::variant<KubeSettings, VolcanoSettings>;

// Reads YAML: a KubeSchedulerConfiguration, Volcano's scheduler configuration (its `tiers`), or a
// ConfigMap with either under one of its keys; of several documents the first that is one. Lines
// are those of `text`. kInvalidArgument for what is not YAML, "LINE: why", and for none of these.
Result<SchedulerSettings> ReadSchedulerSettings(std::string_view text);

}  // namespace fairlead::extender
