// How the ends of a saturation test are made on this host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/result.h"
#include "linkprobe/transport/bulk.h"

namespace fairlead::linkprobe {

// From the best usable port, or that of `device`; of the options' names see TransportOptions.
Result<std::unique_ptr<BulkSender>> OpenBulkSender(const std::string& device,
                                                   std::uint8_t traffic_class, std::size_t queues);

// Looks at the host anew for each test.
BulkReceiverFactory BulkReceivers(const std::string& device, std::uint8_t traffic_class);

}  // namespace fairlead::linkprobe
