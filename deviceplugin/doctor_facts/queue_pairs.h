// Who has queue pairs on which RDMA device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

using QueuePairOwners = std::map<std::string, std::vector<std::uint32_t>>;  // processes by device

// Asks the kernel by RDMA netlink, which needs no privilege. The kernel shows only what is in the
// asker's own PID namespace, so in any other than the host's the answer would be wrong and is not
// known. Waits a second at most for each answer.
Known<QueuePairOwners> AskQueuePairs();

// One RDMA device in the kernel's answer to RDMA_NLDEV_CMD_GET.
struct RdmaDevice {
  std::uint32_t index = 0;
  std::string name;
};

// From the attributes of one message; nothing where it names none. Pure.
std::optional<RdmaDevice> DeviceIn(std::string_view attributes);
// The owners in one message of the answer to RDMA_NLDEV_CMD_RES_QP_GET; the kernel's own queue
// pairs have none. Pure.
std::vector<std::uint32_t> OwnersIn(std::string_view attributes);

// The messages of a dump in one datagram.
struct DumpPart {
  std::vector<std::string_view> messages;  // their attributes; point into the datagram
  bool last = false;
  int error = 0;  // an errno
};
// EBADMSG for what is cut off. Pure.
DumpPart SplitDump(std::string_view datagram);

}  // namespace fairlead::deviceplugin
