// The address at which a scheduler calls the extender.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fairlead::extender {

// Parts of a URL. A text that is none has an empty scheme, as has one whose host or port cannot be.
struct Endpoint {
  std::string scheme;  // "http", "https"; in small letters
  std::string host;    // without user, port and brackets
  std::string path;    // without slashes at its end

  bool loopback() const;
};

Endpoint ParseEndpoint(std::string_view url);

using Environment = std::map<std::string, std::string>;

// The variable through whose proxy a Go program with this environment calls the host, "" where it
// calls it directly. Go's rules: HTTP_PROXY for http, HTTPS_PROXY for https, lower case too;
// NO_PROXY takes "*", hosts, domains with their subdomains, addresses and CIDR ranges; the loopback
// is never called through a proxy.
std::string ProxyVariable(const Endpoint& endpoint, const Environment& environment);

}  // namespace fairlead::extender
