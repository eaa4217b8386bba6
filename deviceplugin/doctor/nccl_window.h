// How much NCCL must have under way.
#pragma once

#include <cstdint>

namespace fairlead::deviceplugin {

inline constexpr std::uint64_t kNcclBuffer = std::uint64_t{4} << 20;  // NCCL_BUFFSIZE's default
inline constexpr std::uint32_t kFewChannels = 2;                      // NCCL always has as many

// Buffers and channels whose product is under way at most: each channel has one buffer of
// NCCL_BUFFSIZE bytes in 8 steps, all of which may be sent before the first is answered.
struct NcclWindow {
  std::uint64_t buffer_bytes = kNcclBuffer;
  std::uint32_t channels = kFewChannels;

  double bytes() const { return static_cast<double>(buffer_bytes) * channels; }
};

// The smallest that holds `bytes_in_flight`: more channels up to 16, since each takes a part of the
// GPU, then larger buffers up to 64 MiB, then channels up to 32. What that does not hold is bound
// by it. Pure.
NcclWindow WindowFor(double bytes_in_flight);

}  // namespace fairlead::deviceplugin
