#include "extender/scheduler_config/endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace fairlead::extender {
namespace {

struct Address {
  std::array<std::uint8_t, 16> bytes{};
  std::size_t size = 0;
};

std::optional<Address> ParseAddress(const std::string& text) {
  Address address;
  if (inet_pton(AF_INET, text.c_str(), address.bytes.data()) == 1) {
    address.size = 4;
  } else if (inet_pton(AF_INET6, text.c_str(), address.bytes.data()) == 1) {
    address.size = 16;
  } else {
    return std::nullopt;
  }
  return address;
}

bool InRange(const Address& address, const std::string& range) {
  const std::size_t slash = range.find('/');
  if (slash == std::string::npos) return false;
  const auto network = ParseAddress(range.substr(0, slash));
  std::size_t bits = 0;
  const char* const end = range.data() + range.size();
  const auto [rest, error] = std::from_chars(range.data() + slash + 1, end, bits);
  if (!network || network->size != address.size || error != std::errc{} || rest != end)
    return false;
  if (bits > address.size * 8) return false;
  for (std::size_t i = 0; i < bits; ++i) {
    const int shift = 7 - static_cast<int>(i % 8);
    if (((network->bytes[i / 8] ^ address.bytes[i / 8]) >> shift & 1) != 0) return false;
  }
  return true;
}

bool Exempt(const std::string& host, std::string entry) {
  if (entry == "*") return true;
  if (const auto address = ParseAddress(host)) return entry == host || InRange(*address, entry);
  if (const std::size_t colon = entry.find(':'); colon != std::string::npos) entry.resize(colon);
  if (entry.starts_with("*.")) entry.erase(0, 1);
  if (entry.empty()) return false;
  if (entry == host) return true;
  if (entry[0] != '.') entry.insert(0, 1, '.');
  return host.size() > entry.size() && host.ends_with(entry);
}

const std::string* Find(const Environment& environment, const char* upper, const char* lower) {
  for (const char* name : {upper, lower}) {
    const auto found = environment.find(name);
    if (found != environment.end() && !found->second.empty()) return &found->second;
  }
  return nullptr;
}

bool InNoProxy(const std::string& host, const std::string& list) {
  std::size_t begin = 0;
  while (begin <= list.size()) {
    std::size_t end = list.find(',', begin);
    if (end == std::string::npos) end = list.size();
    std::string entry = list.substr(begin, end - begin);
    entry.erase(0, entry.find_first_not_of(' '));
    if (const std::size_t last = entry.find_last_not_of(' '); last != std::string::npos) {
      entry.resize(last + 1);
    }
    if (Exempt(host, entry)) return true;
    begin = end + 1;
  }
  return false;
}

char SmallLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A zone, as of fe80::1%25eth0, may follow the address.
bool IsVersion6(const std::string& host) {
  const auto address = ParseAddress(host.substr(0, host.find('%')));
  return address && address->size == 16;
}

// Between two dots of a name.
bool IsLabel(std::string_view label) {
  const auto right = [](char c) {
    const char small = SmallLetter(c);
    return (small >= 'a' && small <= 'z') || IsDigit(c) || c == '-' || c == '_';
  };
  return !label.empty() && label.size() <= 63 && !label.starts_with('-') && !label.ends_with('-') &&
         std::ranges::all_of(label, right);
}

// A name or an address of version 4. What ends with a number is no name (RFC 1123, 2.1).
bool IsHost(const std::string& host) {
  constexpr std::size_t kMostLetters = 253;
  if (ParseAddress(host)) return true;
  std::string_view rest = host;
  if (rest.ends_with('.')) rest.remove_suffix(1);
  if (rest.size() > kMostLetters) return false;
  while (true) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    if (!IsLabel(rest.substr(0, dot))) return false;
    if (dot == rest.size()) break;
    rest.remove_prefix(dot + 1);
  }
  return !std::ranges::all_of(rest, IsDigit);
}

bool IsPort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, port);
  return error == std::errc{} && rest == end && port != 0;
}

}  // namespace

bool Endpoint::loopback() const {
  if (host == "localhost" || host == "::1") return true;
  const auto address = ParseAddress(host);
  return address && address->size == 4 && address->bytes[0] == 127;
}

Endpoint ParseEndpoint(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) return {};
  Endpoint endpoint;
  endpoint.scheme = url.substr(0, colon);
  for (char& c : endpoint.scheme) c = SmallLetter(c);
  url.remove_prefix(colon + 3);
  const std::size_t slash = std::min(url.find('/'), url.size());
  std::string_view authority = url.substr(0, slash);
  std::string_view path = url.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  endpoint.path = path;
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  const bool brackets = authority.starts_with('[');
  const std::size_t end =
      brackets ? authority.find(']') : std::min(authority.find(':'), authority.size());
  if (end == std::string_view::npos) return {};
  endpoint.host = authority.substr(brackets ? 1 : 0, end - (brackets ? 1 : 0));
  authority.remove_prefix(end + (brackets ? 1 : 0));
  const bool host = brackets ? IsVersion6(endpoint.host) : IsHost(endpoint.host);
  const bool port = authority.empty() || (authority[0] == ':' && IsPort(authority.substr(1)));
  if (!host || !port) return {};
  return endpoint;
}

std::string ProxyVariable(const Endpoint& endpoint, const Environment& environment) {
  const bool https = endpoint.scheme == "https";
  const char* const upper = https ? "HTTPS_PROXY" : "HTTP_PROXY";
  if (Find(environment, upper, https ? "https_proxy" : "http_proxy") == nullptr) return {};
  if (endpoint.host.empty() || endpoint.loopback()) return {};
  const std::string* const exempt = Find(environment, "NO_PROXY", "no_proxy");
  return exempt != nullptr && InNoProxy(endpoint.host, *exempt) ? std::string() : upper;
}

}  // namespace fairlead::extender
