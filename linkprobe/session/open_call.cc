#include "linkprobe/session/open_call.h"

#include <algorithm>

#include "linkprobe/session/endpoint_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {

Result<v1::OpenRequest> BuildOpenRequest(
    const SessionIdentity& identity, const PlannedPeer& peer,
    std::span<const std::shared_ptr<const EngineSnapshot>> engines, WallTime now) {
  v1::OpenRequest request;
  request.set_protocol_version(kSessionProtocolVersion);
  request.set_prober_node(identity.node);
  request.set_responder_node(peer.node);
  request.set_prober_epoch(identity.epoch);
  request.set_nonce(RandomNonce());
  request.set_unix_time_ns(static_cast<std::uint64_t>(now.time_since_epoch().count()));
  const auto address = ParseHostPort(peer.session_address);
  if (!address) return Fail(address.error());
  for (const auto& engine : engines) {
    if (!engine->transport_up) continue;
    auto endpoints = EndpointsTowards(engine->endpoints, address->host);
    if (!endpoints) return Fail(endpoints.error());
    request.add_offered(ToProto(engine->kind));
    for (const Endpoint& endpoint : *endpoints) ToProto(endpoint, *request.add_endpoints());
  }
  if (request.offered().empty()) {
    return Fail(ErrorCode::kUnavailable,
                "no transport is up on this node; see `fairlead-linkprobe devices`");
  }
  if (auto sealed = Sign(request, peer.key_id, peer.key); !sealed) return Fail(sealed.error());
  return request;
}

Result<OpenedSession> JudgeOpenReply(const v1::OpenRequest& request, const v1::OpenReply& reply,
                                     const PlannedPeer& peer) {
  if (auto verified = Verify(reply, peer.key_id, peer.key); !verified) {
    return Fail(verified.error());
  }
  if (reply.nonce() != request.nonce()) {
    return Fail(ErrorCode::kUnauthenticated, "the answer belongs to another request");
  }
  const auto& offered = request.offered();
  if (std::find(offered.begin(), offered.end(), reply.transport()) == offered.end()) {
    return Fail(ErrorCode::kInvalidArgument, "the peer chose a transport that was not offered");
  }
  OpenedSession opened;
  opened.kind = reply.transport() == v1::TRANSPORT_KIND_RDMA_UD ? TransportKind::kRdmaUd
                                                                : TransportKind::kUdp;
  auto endpoints = EndpointsOfKind(reply.endpoints(), opened.kind);
  if (!endpoints) return Fail(endpoints.error());
  if (endpoints->empty() || reply.session_id() == 0) {
    return Fail(ErrorCode::kInvalidArgument, "the answer names no session or no endpoint");
  }
  opened.session = OpenProberSession{.peer_node = peer.node,
                                     .peer_site = peer.site,
                                     .floor_rtt = peer.floor_rtt,
                                     .session_id = reply.session_id(),
                                     .peer_epoch = reply.responder_epoch(),
                                     .key_id = peer.key_id,
                                     .key = peer.key,
                                     .endpoints = std::move(*endpoints)};
  return opened;
}

}  // namespace fairlead::linkprobe
