// Counters that only the kernel's RDMA netlink family shows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/file_descriptor.h"
#include "linkprobe/counter_files/nldev_message.h"

namespace fairlead::linkprobe {

// Not thread-safe. Needs no privilege. Where the kernel has no RDMA, or doesn't answer within 200
// ms, everything is empty.
class RdmaNetlink {
 public:
  RdmaNetlink();

  // Indices of the devices by name.
  std::map<std::string, std::uint32_t> Devices();
  // All counters of a port.
  std::vector<CounterValue> Counters(std::uint32_t device_index, std::uint32_t port);

 private:
  NldevAnswer Ask(const Bytes& request);

  FileDescriptor socket_;
  std::uint32_t sequence_ = 0;
};

}  // namespace fairlead::linkprobe
