#include "deviceplugin/doctor_facts/pci_config_space.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kCapabilityPointer = 0x34;
constexpr std::uint8_t kPciExpress = 0x10;
constexpr std::size_t kDeviceControl = 8;  // within that capability
constexpr std::size_t kExtended = 0x100;
constexpr std::uint16_t kAcs = 0x000d;
constexpr std::size_t kAcsControl = 6;
constexpr std::uint16_t kRequestRedirect = 1u << 2;
constexpr std::uint16_t kUpstreamForwarding = 1u << 4;
constexpr int kMostCapabilities = 64;  // a list that loops ends there

constexpr const char* kNeedsRoot =
    "the PCI configuration space beyond its first 64 bytes, which only root can read";

std::optional<std::uint32_t> Word(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at + size > bytes.size()) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  }
  return value;
}

}  // namespace

Known<PciControlFacts> DeviceControl(std::string_view config) {
  auto at = Word(config, kCapabilityPointer, 1);
  for (int i = 0; at && *at != 0 && i < kMostCapabilities; ++i) {
    const auto id = Word(config, *at, 1);
    if (!id) break;
    if (*id == kPciExpress) {
      const auto control = Word(config, *at + kDeviceControl, 2);
      if (!control) break;
      return PciControlFacts{.relaxed_ordering = (*control & 1u << 4) != 0,
                             .read_request_bytes = 128u << (*control >> 12 & 7)};
    }
    at = Word(config, *at + 1, 1);
  }
  if (config.size() <= 64) return Known<PciControlFacts>::Not(kNeedsRoot);
  return Known<PciControlFacts>::Not("no PCI Express capability in the configuration space");
}

Known<bool> RedirectsRequests(std::string_view config) {
  if (config.size() <= 256) return Known<bool>::Not(kNeedsRoot);
  std::size_t at = kExtended;
  for (int i = 0; at >= kExtended && i < kMostCapabilities; ++i) {
    const auto header = Word(config, at, 4);
    if (!header || *header == 0) break;
    if ((*header & 0xffff) == kAcs) {
      const auto control = Word(config, at + kAcsControl, 2);
      if (!control) break;
      return (*control & (kRequestRedirect | kUpstreamForwarding)) ==
             (kRequestRedirect | kUpstreamForwarding);
    }
    at = *header >> 20;
  }
  return false;
}

}  // namespace fairlead::deviceplugin
