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
  url.remove_prefix(colon + 3);
  const std::size_t slash = std::min(url.find('/'), url.size());
  std::string_view authority = url.substr(0, slash);
  std::string_view path = url.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  endpoint.path = path;
  if (authority.starts_with('[')) {
    endpoint.host = authority.substr(1, authority.find(']') - 1);
  } else {
    endpoint.host = authority.substr(0, authority.find(':'));
  }
  if (endpoint.host.empty()) return {};
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
