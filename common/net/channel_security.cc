#include "common/net/channel_security.h"

#include <cstddef>
#include <string>

#include "common/rdma/gid.h"

namespace fairlead {
namespace {

bool IsUnixSocket(std::string_view address) {
  return address.starts_with("unix:") || address.starts_with("unix-abstract:");
}

}  // namespace

std::string_view HostOf(std::string_view address) {
  if (IsUnixSocket(address)) return address;
  if (address.starts_with('[')) {
    const std::size_t end = address.find(']');
    return end == std::string_view::npos ? address : address.substr(1, end - 1);
  }
  const std::size_t colon = address.find(':');
  // Several colons without brackets are a bare IPv6 address.
  if (colon != address.rfind(':')) return address;
  return address.substr(0, colon);
}

bool IsLoopback(std::string_view host) {
  if (IsUnixSocket(host)) return true;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (host == "localhost") return true;
  const Result<Gid> address = ParseGid(host);  // a GID is an IPv6 address, or IPv4 mapped into one
  if (!address) return false;
  if (ScopeOf(*address) == GidScope::kIpv4Mapped) return address->bytes[12] == 127;
  Gid one;
  one.bytes[15] = 1;
  return *address == one;
}

Result<ChannelSecurity> ChooseSecurity(const TlsConfig& tls, std::string_view address) {
  if (!tls.certificate_file.empty()) return ChannelSecurity::kTls;
  if (tls.plaintext || IsLoopback(HostOf(address))) return ChannelSecurity::kPlaintext;
  return Fail(ErrorCode::kInvalidArgument,
              std::string(address) +
                  " is not on the loopback and no TLS is configured; set tls.certificateFile, "
                  "tls.keyFile and tls.caFile, or tls.plaintext: true to go without");
}

}  // namespace fairlead
