#include <charconv>
#include <cstddef>

#include "common/base/quote.h"
#include "common/rdma/gid_rank.h"

namespace fairlead {
namespace {

constexpr std::uint32_t kMappedBits = 96;  // before the IPv4 part of a mapped address

}  // namespace

Result<GidPrefix> ParseGidPrefix(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    return Fail(ErrorCode::kInvalidArgument,
                "subnet " + Quoted(text) + " " + why + "; write it like 10.0.0.0/8");
  };
  const std::size_t slash = text.find('/');
  const Result<Gid> gid = ParseGid(text.substr(0, slash));
  if (!gid) return refuse("does not begin with an IPv4 or IPv6 address");
  GidPrefix prefix{*gid, 128};
  if (slash == std::string_view::npos) return prefix;
  // Dotted IPv4 counts its 32 bits; a mapped address in IPv6 notation counts all 128.
  const std::uint32_t skipped =
      text.substr(0, slash).find(':') == std::string_view::npos ? kMappedBits : 0;
  const std::string_view digits = text.substr(slash + 1);
  std::uint32_t length = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() ||
      length > 128 - skipped) {
    return refuse("has a length outside 0.." + std::to_string(128 - skipped));
  }
  prefix.length = length + skipped;
  return prefix;
}

bool Covers(const GidPrefix& prefix, const Gid& gid) {
  const std::size_t whole = prefix.length / 8;
  for (std::size_t i = 0; i < whole; ++i) {
    if (prefix.gid.bytes[i] != gid.bytes[i]) return false;
  }
  const std::uint32_t rest = prefix.length % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xff << (8 - rest));
  return (prefix.gid.bytes[whole] & mask) == (gid.bytes[whole] & mask);
}

}  // namespace fairlead
