// Whether a connection between two programs is protected by TLS.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "common/config/config.h"

namespace fairlead {

enum class ChannelSecurity { kTls, kPlaintext };

// True for a host that never leaves this machine: localhost, 127.0.0.0/8, ::1, and unix sockets
// ("unix:" and "unix-abstract:"). `host` may be in brackets. A name is never looked up.
bool IsLoopback(std::string_view host);

// The host of "host:port", "[v6]:port" or a unix socket's address, which is its own host.
std::string_view HostOf(std::string_view address);

// TLS where the configuration has certificates; plain text where it says `plaintext: true`, or
// where `address` ("host:port", "unix:/path") is on the loopback; kInvalidArgument otherwise, with
// the remedy. Pure.
Result<ChannelSecurity> ChooseSecurity(const TlsConfig& tls, std::string_view address);

}  // namespace fairlead
