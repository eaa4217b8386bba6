#include "common/config/names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/base/local_address.h"
#include "common/base/quote.h"
#include "common/units/number.h"

namespace fairlead {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsLabelValue(std::string_view text) {
  const auto ends_well = [](char c) { return IsLetter(c) || IsDigit(c); };
  return !text.empty() && text.size() <= 63 && ends_well(text.front()) && ends_well(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return ends_well(c) || c == '-' || c == '_' || c == '.'; });
}

bool IsDnsLabel(std::string_view text) {
  const auto ends_well = [](char c) { return IsLower(c) || IsDigit(c); };
  return !text.empty() && ends_well(text.front()) && ends_well(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return ends_well(c) || c == '-'; });
}

bool IsDnsSubdomain(std::string_view text) {
  if (text.size() > 253) return false;
  while (true) {
    const std::size_t point = text.find('.');
    if (!IsDnsLabel(text.substr(0, point))) return false;
    if (point == std::string_view::npos) return true;
    text.remove_prefix(point + 1);
  }
}

tl::unexpected<Error> Refuse(std::string_view text, const std::string& remedy) {
  return Fail(ErrorCode::kInvalidArgument, Quoted(text) + " " + remedy);
}

bool IsHostCharacter(char c) {
  return IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '%';
}

// What looks like an address must be one: "10.0.0" or "10.0.0.256" is no name that anybody has.
bool IsHost(std::string_view host, bool bracketed) {
  if (host.empty() || host.size() > 253) return false;
  const std::string text(host.substr(0, host.find('%')));
  if (bracketed) {
    if (!std::all_of(host.begin() + static_cast<std::ptrdiff_t>(text.size()), host.end(),
                     IsHostCharacter)) {
      return false;
    }
    in6_addr ignored;
    return inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
  }
  if (std::all_of(host.begin(), host.end(), [](char c) { return IsDigit(c) || c == '.'; })) {
    in_addr ignored;
    return inet_pton(AF_INET, text.c_str(), &ignored) == 1;
  }
  return std::all_of(host.begin(), host.end(), IsHostCharacter);
}

}  // namespace

Result<std::string> ParseSiteName(std::string_view text) {
  if (IsLabelValue(text)) return std::string(text);
  return Refuse(text,
                "is not a site name; use 1 to 63 letters, digits, '-', '_' or '.', beginning and "
                "ending with a letter or digit, as in a label value");
}

Result<std::string> ParseNodeName(std::string_view text) {
  if (IsDnsSubdomain(text)) return std::string(text);
  return Refuse(text,
                "is not a node name; use lower-case letters, digits, '-' and '.', as kubectl get "
                "nodes shows it");
}

Result<std::string> ParseCertificateName(std::string_view text) {
  const bool address = text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (IsDnsSubdomain(text) && !address) return std::string(text);
  return Refuse(text,
                "is not a DNS name; write one that the certificates have, like "
                "fairlead-linkprobe.fairlead.svc");
}

Result<std::string> ParseLabelKey(std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool prefix_good = slash == std::string_view::npos || IsDnsSubdomain(text.substr(0, slash));
  const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (prefix_good && IsLabelValue(name)) return std::string(text);
  return Refuse(text, "is not a label key; write it like topology.kubernetes.io/region");
}

Result<ListenAddress> ParseListenAddress(std::string_view text) {
  const std::string remedy =
      "is not an address with a port; write it like 0.0.0.0:9471 or [::]:9471";
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return Refuse(text, remedy);
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!IsHost(host, bracketed)) return Refuse(text, remedy);
  if (HasLeadingZero(text.substr(colon + 1))) {
    return Refuse(text, "has a port with a leading zero; write it without");
  }
  const Result<std::uint64_t> port = ParseCount(text.substr(colon + 1), 0, 65535);
  if (!port) return Fail(port.error().Within("port of " + Quoted(text)));
  return ListenAddress{std::string(host), static_cast<std::uint16_t>(*port)};
}

Result<std::string> ParseDialAddress(std::string_view text) {
  const Result<ListenAddress> address = ParseListenAddress(text);
  if (!address) return Fail(address.error());
  if (address->port == 0) return Refuse(text, "has port 0, which nobody can dial; name the port");
  return std::string(text);
}

Result<std::string> ParseSocketPath(std::string_view text) {
  if (text.empty()) return std::string();
  if (!text.starts_with('/') || text.find('\n') != std::string_view::npos) {
    return Refuse(text, "is not an absolute path; begin it with /, or write \"\" for none");
  }
  if (const auto address = MakeLocalAddress(std::string(text)); !address) {
    return Fail(address.error());
  }
  return std::string(text);
}

bool Clash(const ListenAddress& a, const ListenAddress& b) {
  if (a.port != b.port || a.port == 0) return false;
  const auto any = [](const std::string& host) { return host == "0.0.0.0" || host == "::"; };
  const auto loopback = [](const std::string& host) {
    return host == "localhost" || host == "127.0.0.1" || host == "::1";
  };
  if (a.host == b.host || any(a.host) || any(b.host)) return true;
  return (a.host == "localhost" && loopback(b.host)) || (b.host == "localhost" && loopback(a.host));
}

std::string FormatListenAddress(const ListenAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace fairlead
