// How an HCA is attached to its host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deviceplugin/doctor/known.h"

namespace fairlead::deviceplugin {

struct PciLinkFacts {
  double gigatransfers_per_second = 0;
  std::uint32_t width = 0;                   // lanes
  double most_gigatransfers_per_second = 0;  // of the device itself
  std::uint32_t most_width = 0;
};

// From the function's Device Control register.
struct PciControlFacts {
  bool relaxed_ordering = false;
  std::uint32_t read_request_bytes = 0;
};

struct PciFacts {
  Known<PciLinkFacts> link;
  Known<PciControlFacts> control;
  Known<std::string> iommu;  // "identity", "DMA", "DMA-FQ" as the kernel says, "none" without one
  // The ports of switches above it that send requests between devices up to the root (ACS request
  // redirect). The root port is none of them: it sees such requests anyway.
  Known<std::vector<std::string>> redirecting_bridges;
};

}  // namespace fairlead::deviceplugin
