#include "deviceplugin/profile/ack_timeout.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kUnit = Nanoseconds(4096);
constexpr std::uint32_t kLeast = 18;
constexpr std::uint32_t kMost = 31;

}  // namespace

std::uint32_t AckTimeoutExponent(Nanoseconds outage) {
  std::uint32_t exponent = kLeast;
  while (exponent < kMost && kRetries * AckTimeout(exponent) < outage) ++exponent;
  return exponent;
}

Nanoseconds AckTimeout(std::uint32_t exponent) { return kUnit * (std::int64_t{1} << exponent); }

}  // namespace fairlead::deviceplugin
