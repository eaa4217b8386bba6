#include "deviceplugin/doctor/nccl_window.h"

#include <algorithm>
#include <cmath>

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint64_t kMostBuffer = std::uint64_t{64} << 20;
constexpr double kGoodChannels = 16;
constexpr double kMostChannels = 32;

}  // namespace

NcclWindow WindowFor(double bytes_in_flight) {
  NcclWindow window;
  const auto channels = [&] {
    return std::ceil(bytes_in_flight / static_cast<double>(window.buffer_bytes));
  };
  while (channels() > kGoodChannels && window.buffer_bytes < kMostBuffer) window.buffer_bytes *= 2;
  window.channels = static_cast<std::uint32_t>(
      std::clamp(channels(), static_cast<double>(kFewChannels), kMostChannels));
  return window;
}

}  // namespace fairlead::deviceplugin
