// TCP windows for this site's lines.
#pragma once

#include <cstdint>
#include <optional>

#include "deviceplugin/doctor/line_arithmetic.h"

namespace fairlead::deviceplugin {

// Of a socket buffer, half is window while the kernel's tcp_adv_win_scale is 1, the default.
inline constexpr double kWindowShare = 0.5;

// The buffer, a power of two of at least 1 MiB, with which one TCP connection carries 1 Gbps, or
// the line's rate where that is less. Pure.
std::uint64_t WantedTcpBuffer(const LineLoad& load);

// The same before it is rounded up. Pure.
double LeastTcpBuffer(const LineLoad& load);

}  // namespace fairlead::deviceplugin
