#include "linkprobe/verbs/open_device.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

namespace fairlead::linkprobe {
namespace {

using DeviceList = std::unique_ptr<ibv_device*, VerbsDeleter<ibv_free_device_list>>;

std::string KnownDevices(ibv_device** devices, int count) {
  if (count == 0) return "this host has no RDMA device";
  std::string text = "this host has";
  for (int i = 0; i < count; ++i) text += std::string(" ") + ibv_get_device_name(devices[i]);
  return text;
}

}  // namespace

Result<VerbsContext> OpenDevice(const std::string& name) {
  int count = 0;
  const DeviceList devices(ibv_get_device_list(&count));
  if (!devices) {
    return Fail(ErrorCode::kUnavailable, std::string("list RDMA devices: ") + std::strerror(errno) +
                                             "; is the kernel module ib_uverbs loaded?");
  }
  for (int i = 0; i < count; ++i) {
    if (name != ibv_get_device_name(devices.get()[i])) continue;
    VerbsContext context(ibv_open_device(devices.get()[i]));
    if (!context) {
      return Fail(ErrorCode::kUnavailable,
                  "open RDMA device " + name + ": " + std::strerror(errno) +
                      "; the container needs its /dev/infiniband/uverbs node");
    }
    if (::fcntl(context->async_fd, F_SETFL, ::fcntl(context->async_fd, F_GETFL) | O_NONBLOCK) !=
        0) {
      return Fail(ErrorCode::kInternal,
                  "set events of " + name + " non-blocking: " + std::strerror(errno));
    }
    return context;
  }
  return Fail(ErrorCode::kNotFound,
              "no RDMA device \"" + name + "\"; " + KnownDevices(devices.get(), count));
}

std::uint32_t MtuBytes(ibv_mtu mtu) {
  switch (mtu) {
    case IBV_MTU_256:
      return 256;
    case IBV_MTU_512:
      return 512;
    case IBV_MTU_1024:
      return 1024;
    case IBV_MTU_2048:
      return 2048;
    case IBV_MTU_4096:
      return 4096;
  }
  return 0;
}

}  // namespace fairlead::linkprobe
