// Whether a proxy stands between us and the API server.
#pragma once

#include <string>
#include <string_view>

namespace fairlead::kube {

// The process's environment as its main function found it: https_proxy, http_proxy and no_proxy,
// each by its upper-case name where it is set, else by the lower-case one.
struct ProxyEnvironment {
  std::string https_proxy;
  std::string http_proxy;
  std::string no_proxy;
};

// The proxy for a server, empty for none, by the rules of Go's golang.org/x/net/http/httpproxy, so
// that whatever lets Kubernetes' own clients through lets us through: the loopback goes direct;
// entries of no_proxy are "*", an address, a CIDR block, "name" (it and all below it) or ".name"
// (all below it), each but the block with an optional ":port". `host` may be in brackets. Pure.
std::string ProxyFor(std::string_view scheme, std::string_view host, int port,
                     const ProxyEnvironment& environment);

}  // namespace fairlead::kube
