// NCCL's settings of a container, as late as they can be given.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "deviceplugin/doctor/known.h"
#include "deviceplugin/doctor/line_facts.h"
#include "deviceplugin/kubelet/late_settings.h"
#include "deviceplugin/nccl_conf/conf_files.h"

namespace fairlead::deviceplugin {

// Where a container finds its file.
inline constexpr const char* kConfInContainer = "/etc/fairlead-nccl.conf";

// What is known at this moment. Thread-safe and fast: kubelet waits.
struct LateSources {
  std::function<Known<SiteLines>()> lines;
  std::function<Known<std::string>()> default_route;  // asked for pools on the host's network
};

// Writes the file of a grant that has `nccl`. At Allocate the variables of NCCL that are in it
// leave the grant, and the file and NCCL_CONF_FILE come in their place; where it cannot be written
// the grant stays as it is, with NCCL's variables as they are now for the pod's life. Later, where
// it cannot be written, the container starts with what it had last time. `files` outlives it.
LateSettings LateNccl(ConfFiles& files, LateSources sources);

}  // namespace fairlead::deviceplugin
