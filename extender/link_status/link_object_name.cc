#include "extender/link_status/link_object_name.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/base/hex.h"
#include "extender/plan/rendezvous.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kLongestPart = 63;

bool IsPlain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// As a part of a DNS name, between points.
bool IsDnsLabel(std::string_view name) {
  return !name.empty() && name.size() <= kLongestPart && IsPlain(name.front()) &&
         IsPlain(name.back()) &&
         std::ranges::all_of(name, [](char c) { return IsPlain(c) || c == '-'; });
}

std::string AsDnsLabel(std::string_view name) {
  std::string label(name.substr(0, kLongestPart));
  for (char& c : label) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    } else if (!IsPlain(c)) {
      c = '-';
    }
  }
  if (label.empty()) return "x";
  if (label.front() == '-') label.front() = 'x';
  if (label.back() == '-') label.back() = 'x';
  return label;
}

}  // namespace

std::string LinkObjectName(std::string_view site, std::string_view other) {
  const auto [first, second] = std::minmax(site, other);
  const std::string a(first);
  const std::string b(second);
  if (!IsDnsLabel(a) || !IsDnsLabel(b)) {
    const std::uint64_t hash = RendezvousHash(a, b);
    return AsDnsLabel(a) + "." + AsDnsLabel(b) + "." + Hex(hash);
  }
  const bool dashes = a.find('-') != a.npos || b.find('-') != b.npos;
  return a + (dashes ? "." : "-") + b;
}

}  // namespace fairlead::extender
