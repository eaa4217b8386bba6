// How long a connection waits before it gives a peer up.
#pragma once

#include <cstdint>

#include "common/base/clock.h"

namespace fairlead::deviceplugin {

// The most retries that a queue pair can have (three bits), and NCCL's and UCX's default.
inline constexpr std::uint32_t kRetries = 7;

// The exponent t of a queue pair's ACK timeout, 4.096 us x 2^t, such that seven of them outlast the
// outage: the smallest t in 18..31 with 7 x 4.096 us x 2^t >= outage. Not below 18 (1.07 s), NCCL's
// default from 2.14 to 2.22: the timeout must also exceed a long line's round trip and a busy
// peer's delay, and a repetition that comes too early costs bandwidth. Pure.
std::uint32_t AckTimeoutExponent(Nanoseconds outage);

// 4.096 us x 2^t.
Nanoseconds AckTimeout(std::uint32_t exponent);

}  // namespace fairlead::deviceplugin
