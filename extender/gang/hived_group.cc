#include "extender/gang/hived_group.h"

#include <algorithm>

#include "common/units/number.h"

namespace fairlead::extender {
namespace {

constexpr std::uint64_t kMostMembers = 1'000'000;

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// The scalar that begins the text, unquoted; empty where a block, a list or nothing follows.
std::string_view Scalar(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
    const std::size_t end = text.find(text.front(), 1);
    return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
  }
  std::string_view value = text.substr(0, text.find_first_of(",{}[]\r\n"));
  value = value.substr(0, value.find(" #"));
  while (!value.empty() && IsBlank(value.back())) value.remove_suffix(1);
  return value;
}

// What follows the next `key:` in the text, quotes around the key or not; nothing without one.
std::optional<std::string_view> After(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && IsWord(text[at - 1])) continue;
    std::string_view rest = text.substr(at + key.size());
    if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) rest.remove_prefix(1);
    while (!rest.empty() && IsBlank(rest.front())) rest.remove_prefix(1);
    if (!rest.empty() && rest.front() == ':') return rest.substr(1);
  }
  return std::nullopt;
}

}  // namespace

std::optional<HivedGroup> ReadHivedGroup(std::string_view spec) {
  const auto group = After(spec, "affinityGroup");
  if (!group || Scalar(*group) == "null" || Scalar(*group) == "~") return std::nullopt;
  const auto name = After(*group, "name");
  if (!name || Scalar(*name).empty()) return std::nullopt;
  HivedGroup read{.name = std::string(Scalar(*name)), .pods = std::nullopt};
  std::uint64_t sum = 0;
  for (auto rest = After(*group, "podNumber"); rest; rest = After(*rest, "podNumber")) {
    const auto pods = ParseCount(Scalar(*rest), 1, kMostMembers);
    if (!pods) return read;
    sum = std::min(sum + *pods, kMostMembers);
  }
  if (sum > 0) read.pods = static_cast<std::uint32_t>(sum);
  return read;
}

}  // namespace fairlead::extender
