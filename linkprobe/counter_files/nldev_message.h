// Messages of the kernel's RDMA netlink family, as bytes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "linkprobe/counters/reading.h"

namespace fairlead::linkprobe {

using Bytes = std::vector<std::uint8_t>;

// Asks for all devices.
Bytes DevicesRequest(std::uint32_t sequence);
// Asks for the counters of one port, with the optional ones that are switched on.
Bytes CountersRequest(std::uint32_t device_index, std::uint32_t port, std::uint32_t sequence);

// What one datagram of an answer holds. Whatever is cut short or not understood is passed over.
struct NldevAnswer {
  std::map<std::string, std::uint32_t> devices;  // indices by name
  std::vector<CounterValue> counters;            // as CounterSource::kOptional
  bool last = false;                             // nothing follows
};
NldevAnswer ReadNldev(std::span<const std::uint8_t> datagram, std::uint32_t sequence);

}  // namespace fairlead::linkprobe
