// An open RDMA device by name.
#pragma once

#include <string>

#include "common/base/result.h"
#include "linkprobe/verbs/verbs_handles.h"

namespace fairlead::linkprobe {

// Opens the device with its event descriptor non-blocking. The error says which devices there are.
Result<VerbsContext> OpenDevice(const std::string& name);

// libibverbs' enum as bytes: 1 is 256, 5 is 4096; 0 for a value it does not define.
std::uint32_t MtuBytes(ibv_mtu mtu);

}  // namespace fairlead::linkprobe
