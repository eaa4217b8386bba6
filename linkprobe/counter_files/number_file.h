// Numbers in the kernel's one-line files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead::linkprobe {

// The file's decimal number of at most 64 bits, which a line's end may follow. kInvalidArgument,
// naming file and content, for anything else, an empty and a long file among it.
Result<std::uint64_t> ReadNumberFile(const std::string& path);

// "1" to "255". Pure.
std::optional<std::uint32_t> ParsePortNumber(std::string_view name);

// Bytes per second from what `rate` of a port says: "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)".
// Nothing for anything else, and for 0. Pure.
std::optional<double> ParsePortRate(std::string_view text);

}  // namespace fairlead::linkprobe
