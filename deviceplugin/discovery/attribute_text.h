// What the kernel's files say, turned into values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/rdma/port.h"
#include "deviceplugin/inventory/hca.h"

namespace fairlead::deviceplugin {

// Each gives nothing for text that the kernel would not write. The forms are those of
// drivers/infiniband/core/sysfs.c. Pure.
std::optional<PortState> ParsePortState(std::string_view text);          // "4: ACTIVE"
std::optional<PhysicalState> ParsePhysicalState(std::string_view text);  // "5: LinkUp"
std::optional<LinkLayer> ParseLinkLayer(std::string_view text);          // "Ethernet"
// Bits a second: "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)".
std::optional<std::uint64_t> ParseRate(std::string_view text);
std::optional<std::uint32_t> ParseNumber(std::string_view text);  // "256", "0x1b"
// "12", as a numbered directory entry is called: decimal, without zeros before it.
std::optional<std::uint32_t> ParseEntryNumber(std::string_view text);
std::optional<int> ParseNumaNode(std::string_view text);          // "1", "-1"; 1023 at most
std::optional<std::string> ParseNodeType(std::string_view text);  // "1: CA", as it is
std::optional<std::string> ParseNodeGuid(std::string_view text);  // "b8ce:f603:00a1:b2c4", as it is
// Four digits: "0x15b3" is "15b3".
std::optional<std::string> ParsePciId(std::string_view text);

}  // namespace fairlead::deviceplugin
