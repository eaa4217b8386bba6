#include "extender/registry/probe_identity.h"

#include <utility>

#include "common/base/quote.h"
#include "common/config/names.h"

namespace fairlead::extender {
namespace {

constexpr std::size_t kMaxAddressBytes = 512;
constexpr std::size_t kMaxVersionBytes = 64;

tl::unexpected<Refusal> Refuse(std::string_view reason, ErrorCode code, std::string message) {
  return tl::unexpected<Refusal>(Refusal{Error{code, std::move(message)}, reason});
}

}  // namespace

tl::expected<ProbeIdentity, Refusal> CheckIdentity(ProbeIdentity said, std::string_view proven_node,
                                                   const NodeNames& inventory) {
  if (said.protocol_version != kProtocolVersion) {
    return Refuse("protocol_version", ErrorCode::kUnsupported,
                  "protocol version " + std::to_string(said.protocol_version) +
                      " is not known; this extender speaks version " +
                      std::to_string(kProtocolVersion) + "; upgrade the extender first");
  }
  if (said.node != proven_node) {
    return Refuse("wrong_node", ErrorCode::kPermissionDenied,
                  "the token belongs to node " + Quoted(proven_node) +
                      ", but the probe says it is " + Quoted(said.node));
  }
  const std::string site(inventory.SiteOf(said.node));
  if (site.empty()) {
    return Refuse("unknown_node", ErrorCode::kNotFound,
                  "node " + Quoted(said.node) + " is not known; list it under nodes");
  }
  if (!said.site.empty() && said.site != site) {
    return Refuse("wrong_site", ErrorCode::kInvalidArgument,
                  "node " + Quoted(said.node) + " is of site " + Quoted(site) +
                      ", but the probe says " + Quoted(said.site));
  }
  if (said.session_address.size() > kMaxAddressBytes || !ParseDialAddress(said.session_address)) {
    return Refuse("session_address", ErrorCode::kInvalidArgument,
                  "session address " + Quoted(said.session_address) +
                      " is not a host:port to dial; set linkprobe.sessionAdvertise");
  }
  said.site = site;
  // Only shown to people.
  if (said.software_version.size() > kMaxVersionBytes) {
    said.software_version.resize(kMaxVersionBytes);
  }
  return said;
}

}  // namespace fairlead::extender
