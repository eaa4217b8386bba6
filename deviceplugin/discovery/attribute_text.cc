#include "deviceplugin/discovery/attribute_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>

namespace fairlead::deviceplugin {
namespace {

constexpr int kLargestNumaNode = 1023;  // MAX_NUMNODES of the largest configuration, less one

template <class T>
std::optional<T> Whole(std::string_view text, int base) {
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, base);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

// The number in "4: ACTIVE".
std::optional<std::uint32_t> Leading(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  return Whole<std::uint32_t>(text.substr(0, colon), 10);
}

}  // namespace

std::optional<PortState> ParsePortState(std::string_view text) {
  const auto number = Leading(text);
  if (!number || *number > static_cast<std::uint32_t>(PortState::kActiveDefer)) return std::nullopt;
  return static_cast<PortState>(*number);
}

std::optional<PhysicalState> ParsePhysicalState(std::string_view text) {
  const auto number = Leading(text);
  if (!number) return std::nullopt;
  // Drivers without such a state leave 0 or make numbers up: "0: <unknown>".
  if (*number > static_cast<std::uint32_t>(PhysicalState::kPhyTest)) return PhysicalState::kUnknown;
  return static_cast<PhysicalState>(*number);
}

std::optional<LinkLayer> ParseLinkLayer(std::string_view text) {
  if (text == "Ethernet") return LinkLayer::kEthernet;
  if (text == "InfiniBand") return LinkLayer::kInfiniband;
  if (text == "Unknown") return LinkLayer::kUnspecified;
  return std::nullopt;
}

std::optional<std::uint64_t> ParseRate(std::string_view text) {
  constexpr std::string_view kUnit = " Gb/sec";
  // An old kernel puts the speed's name before the unit: "40 QDR Gb/sec (4X QDR)".
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || text.find(kUnit) == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view number = text.substr(0, space);
  const std::size_t dot = std::min(number.find('.'), number.size());
  const auto whole = Whole<std::uint32_t>(number.substr(0, dot), 10);
  if (!whole) return std::nullopt;
  std::uint64_t tenths = std::uint64_t{*whole} * 10;
  if (dot < number.size()) {
    const auto fraction = Whole<std::uint8_t>(number.substr(dot + 1), 10);
    if (!fraction || *fraction > 9) return std::nullopt;
    tenths += *fraction;
  }
  return tenths * 100'000'000;
}

std::optional<std::uint32_t> ParseNumber(std::string_view text) {
  const bool hex = text.starts_with("0x");
  return Whole<std::uint32_t>(hex ? text.substr(2) : text, hex ? 16 : 10);
}

std::optional<std::uint32_t> ParseEntryNumber(std::string_view text) {
  const auto number = Whole<std::uint32_t>(text, 10);
  if (!number || std::to_string(*number) != text) return std::nullopt;
  return number;
}

std::optional<int> ParseNumaNode(std::string_view text) {
  const auto node = Whole<int>(text, 10);
  if (!node || *node > kLargestNumaNode) return std::nullopt;
  return node;
}

std::optional<std::string> ParseNodeType(std::string_view text) {
  if (!Leading(text)) return std::nullopt;
  return std::string(text);
}

std::optional<std::string> ParseNodeGuid(std::string_view text) {
  constexpr std::string_view kForm = "0000:0000:0000:0000";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t group = 0; group < kForm.size(); group += 5) {
    const bool separated = group == 0 || text[group - 1] == ':';
    if (!separated || !Whole<std::uint16_t>(text.substr(group, 4), 16)) return std::nullopt;
  }
  return std::string(text);
}

std::optional<std::string> ParsePciId(std::string_view text) {
  if (text.size() != 6 || !ParseNumber(text) || !text.starts_with("0x")) return std::nullopt;
  return std::string(text.substr(2));
}

}  // namespace fairlead::deviceplugin
