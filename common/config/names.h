// The names and addresses that a configuration may hold.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

// A site's name is the value of a node label: 1 to 63 letters, digits, '-', '_' and '.', with a
// letter or digit at both ends (Kubernetes label value).
Result<std::string> ParseSiteName(std::string_view text);

// A node's name: 1 to 253 lower-case letters, digits, '-' and '.', each part between points with a
// letter or digit at both ends (DNS subdomain). Hence also safe as a file name.
Result<std::string> ParseNodeName(std::string_view text);

// The key of a node label: an optional DNS subdomain and '/', then a name as of a site.
Result<std::string> ParseLabelKey(std::string_view text);

// "host:port" or "[v6]:port" to bind, port 0..65535, host an address or a name that could be one;
// names are not looked up.
Result<ListenAddress> ParseListenAddress(std::string_view text);

// "host:port" or "[v6]:port" to dial, port 1..65535; the text itself.
Result<std::string> ParseDialAddress(std::string_view text);

// A DNS name as certificates have it: a DNS subdomain as of a node, no address.
Result<std::string> ParseCertificateName(std::string_view text);

// The path of a socket: absolute, on one line, of at most 107 bytes; or nothing, which turns it
// off.
Result<std::string> ParseSocketPath(std::string_view text);

// True when one host cannot listen on both: the same port, unless the kernel chooses it, of the
// same host or of all addresses. "[::]" counts as all addresses of both families, as it is to
// Linux.
bool Clash(const ListenAddress& a, const ListenAddress& b);

// The spelling ParseListenAddress reads back: "0.0.0.0:9471", "[::]:9471".
std::string FormatListenAddress(const ListenAddress& address);

}  // namespace fairlead
