#include "deviceplugin/doctor/tcp_windows.h"

#include <algorithm>

namespace fairlead::deviceplugin {
namespace {

// What one connection should be able to carry: checkpoints, images, NCCL without RDMA.
constexpr double kWantedBitsPerSecond = 1e9;

}  // namespace

double LeastTcpBuffer(const LineLoad& load) {
  return BytesInFlight(std::min(kWantedBitsPerSecond, load.bits_per_second), load.rtt) /
         kWindowShare;
}

std::uint64_t WantedTcpBuffer(const LineLoad& load) {
  const double least = LeastTcpBuffer(load);
  std::uint64_t size = std::uint64_t{1} << 20;
  while (static_cast<double>(size) < least && size < std::uint64_t{1} << 40) size *= 2;
  return size;
}

}  // namespace fairlead::deviceplugin
