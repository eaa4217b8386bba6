#include "deviceplugin/inventory/pci.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <optional>

#include "common/base/quote.h"

namespace fairlead::deviceplugin {
namespace {

// A hexadecimal number of `least` to `most` digits and nothing else.
std::optional<std::uint32_t> Hex(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most) return std::nullopt;
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

bool IsHostBridge(std::string_view name) {
  const std::size_t colon = name.find(':');
  return name.starts_with("pci") && colon != std::string_view::npos &&
         Hex(name.substr(3, colon - 3), 4, 8) && Hex(name.substr(colon + 1), 2, 2);
}

}  // namespace

std::string FormatPci(const PciAddress& address) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", address.domain, address.bus, address.device,
                address.function);
  return text;
}

Result<PciAddress> ParsePci(std::string_view text) {
  const auto refuse = [&] {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(text) + " is not a PCI address; write it like 0000:3b:00.0");
  };
  const std::size_t colon = text.find(':');
  // After the domain: ":bb:dd.f".
  if (colon == std::string_view::npos || text.size() != colon + 8 || text[colon + 3] != ':' ||
      text[colon + 6] != '.') {
    return refuse();
  }
  const auto domain = Hex(text.substr(0, colon), 4, 8);
  const auto bus = Hex(text.substr(colon + 1, 2), 2, 2);
  const auto device = Hex(text.substr(colon + 4, 2), 2, 2);
  const auto function = Hex(text.substr(colon + 7, 1), 1, 1);
  if (!domain || !bus || !device || !function || *device > 0x1f || *function > 7) return refuse();
  return PciAddress{*domain, static_cast<std::uint8_t>(*bus), static_cast<std::uint8_t>(*device),
                    static_cast<std::uint8_t>(*function)};
}

Result<PciPath> ParsePciPath(std::string_view sysfs_path) {
  PciPath path;
  std::string_view rest = sysfs_path;
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view name = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (IsHostBridge(name)) {
      // A bridge below another device's function (Intel VMD) is a root of its own.
      path.host_bridge = name;
      path.hops.clear();
    } else if (!path.host_bridge.empty() && !name.empty()) {
      const Result<PciAddress> hop = ParsePci(name);
      if (hop) {
        path.hops.push_back(*hop);
      } else {
        path.host_bridge.clear();
      }
    }
  }
  if (path.host_bridge.empty() || path.hops.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                Quoted(sysfs_path, 256) + " is not the sysfs directory of a PCI function");
  }
  return path;
}

std::string_view PciDistanceName(PciDistance distance) {
  switch (distance) {
    case PciDistance::kSame:
      return "LOC";
    case PciDistance::kSwitch:
      return "PIX";
    case PciDistance::kSwitches:
      return "PXB";
    case PciDistance::kBridge:
      return "PHB";
    case PciDistance::kNode:
      return "NODE";
    case PciDistance::kSystem:
      return "SYS";
  }
  return "SYS";
}

PciDistance DistanceBetween(const PciPath& a, int numa_a, const PciPath& b, int numa_b) {
  if (a.hops.empty() || b.hops.empty()) return PciDistance::kSystem;
  const PciAddress& end_a = a.hops.back();
  const PciAddress& end_b = b.hops.back();
  if (end_a.domain == end_b.domain && end_a.bus == end_b.bus && end_a.device == end_b.device) {
    return PciDistance::kSame;
  }
  if (a.host_bridge != b.host_bridge) {
    return numa_a >= 0 && numa_a == numa_b ? PciDistance::kNode : PciDistance::kSystem;
  }
  const auto fork = std::mismatch(a.hops.begin(), a.hops.end(), b.hops.begin(), b.hops.end());
  if (fork.first == a.hops.begin()) return PciDistance::kBridge;
  // Below the last common bridge, one switch adds one downstream port before the function.
  const auto below = std::max(a.hops.end() - fork.first, b.hops.end() - fork.second);
  return below <= 2 ? PciDistance::kSwitch : PciDistance::kSwitches;
}

}  // namespace fairlead::deviceplugin
