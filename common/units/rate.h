// Data rates and amounts of data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// "10Gbps", "1.5Gbps", "100Mbps", "64kbps", "9600bps": bits per second, decimal units.
// Anything else is kInvalidArgument.
Result<std::uint64_t> ParseRate(std::string_view text);
// The shortest spelling that ParseRate reads back as the same value.
std::string FormatRate(std::uint64_t bits_per_second);

// "8MiB" (powers of 1024), "1GB" (powers of 1000), "512B": bytes. Anything else is
// kInvalidArgument.
Result<std::uint64_t> ParseBytes(std::string_view text);
// The shortest spelling that ParseBytes reads back as the same value.
std::string FormatBytes(std::uint64_t bytes);

}  // namespace fairlead
