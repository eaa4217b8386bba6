#include "common/kube/proxy_rules.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "common/net/channel_security.h"

namespace fairlead::kube {
namespace {

// IPv4 is kept as IPv4-mapped IPv6, so that one comparison serves both.
using Address = std::array<std::uint8_t, 16>;

std::optional<Address> ParseAddress(std::string_view text) {
  const std::string z(text);
  Address out{};
  if (inet_pton(AF_INET6, z.c_str(), out.data()) == 1) return out;
  out = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (inet_pton(AF_INET, z.c_str(), out.data() + 12) == 1) return out;
  return std::nullopt;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string_view WithoutBrackets(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) return host.substr(1, host.size() - 2);
  return host;
}

bool InBlock(const Address& address, std::string_view block) {
  const std::size_t slash = block.find('/');
  const auto network = ParseAddress(block.substr(0, slash));
  const std::string_view length = block.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (!network || error != std::errc{} || end != length.data() + length.size()) return false;
  if (block.find(':') == std::string_view::npos) bits += 96;
  if (bits > 128) return false;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80 >> (bit % 8));
    if (((address[bit / 8] ^ (*network)[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

// Takes ":port" off the entry; false where it names another port.
bool TakePort(std::string_view& entry, int port) {
  const std::size_t colon = entry.rfind(':');
  if (colon == std::string_view::npos || ParseAddress(entry)) return true;
  const std::string_view digits = entry.substr(colon + 1);
  int wanted = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), wanted);
  if (error != std::errc{} || end != digits.data() + digits.size()) return true;
  entry = entry.substr(0, colon);
  return wanted == port;
}

bool Excepts(std::string_view entry, const std::string& host, int port) {
  if (entry == "*") return true;
  const auto address = ParseAddress(host);
  if (entry.find('/') != std::string_view::npos) return address && InBlock(*address, entry);
  if (!TakePort(entry, port)) return false;
  entry = WithoutBrackets(entry);
  if (address) return ParseAddress(entry) == address;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.empty()) return false;
  if (entry.starts_with('.')) return host.ends_with(entry);
  return host == entry || host.ends_with("." + std::string(entry));
}

}  // namespace

std::string ProxyFor(std::string_view scheme, std::string_view host, int port,
                     const ProxyEnvironment& environment) {
  const std::string& proxy = scheme == "https" ? environment.https_proxy : environment.http_proxy;
  if (proxy.empty() || IsLoopback(host)) return {};
  const std::string name = Lower(WithoutBrackets(host));
  const std::string exceptions = Lower(environment.no_proxy);
  std::string_view rest = exceptions;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view entry = Trimmed(rest.substr(0, comma));
    if (!entry.empty() && Excepts(entry, name, port)) return {};
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return proxy;
}

}  // namespace fairlead::kube
