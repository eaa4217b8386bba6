#include "linkprobe/session/session_desk.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/base/log.h"
#include "linkprobe/session/endpoint_codec.h"
#include "linkprobe/session/handshake.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {
namespace {

SessionDesk::Decision Refuse(OpenOutcome outcome, ErrorCode code, std::string message) {
  return {outcome, Fail(code, std::move(message))};
}

}  // namespace

SessionDesk::SessionDesk(SessionIdentity identity, const Snapshot<Plan>& plan,
                         std::vector<ProbeEngine*> engines, const Clock& clock)
    : identity_(std::move(identity)),
      engines_(std::move(engines)),
      admission_(identity_.node, plan, clock) {}

SessionDesk::Decision SessionDesk::Open(const v1::OpenRequest& request, const std::string& caller) {
  Decision decision = Judge(request, caller);
  std::uint64_t count = 0;
  {
    std::lock_guard lock(mutex_);
    count = ++counts_[static_cast<std::size_t>(decision.outcome)];
    if (decision.reply) epochs_[request.prober_node()] = request.prober_epoch();
  }
  // Counts 1, 2, 4, 8 ... so that a flood of bad requests does not flood the log.
  if (!decision.reply && std::has_single_bit(count)) {
    LogWarning("session refused", {{"prober", request.prober_node()},
                                   {"reason", OpenOutcomeName(decision.outcome)},
                                   {"count", count},
                                   {"error", decision.reply.error().message}});
  }
  return decision;
}

SessionDesk::Decision SessionDesk::Judge(const v1::OpenRequest& request,
                                         const std::string& caller) {
  const auto admitted =
      admission_.Judge({.protocol_version = request.protocol_version(),
                        .from = request.prober_node(),
                        .to = request.responder_node(),
                        .key_id = request.key_id(),
                        .nonce = request.nonce(),
                        .unix_time_ns = request.unix_time_ns()},
                       [&](std::span<const std::uint8_t> key) { return Verify(request, key); });
  if (!admitted.peer) return {admitted.outcome, Fail(admitted.peer.error())};
  return Answer(request, *admitted.peer, caller);
}

SessionDesk::Decision SessionDesk::Answer(const v1::OpenRequest& request, const PlannedPeer& peer,
                                          const std::string& caller) {
  for (ProbeEngine* engine : engines_) {
    const auto state = engine->Latest();
    const auto& offered = request.offered();
    if (!state->transport_up ||
        std::find(offered.begin(), offered.end(), ToProto(state->kind)) == offered.end()) {
      continue;
    }
    auto theirs = EndpointsOfKind(request.endpoints(), state->kind);
    if (!theirs || theirs->empty()) {
      return Refuse(OpenOutcome::kBadEndpoints, ErrorCode::kInvalidArgument,
                    theirs ? "no endpoint of an offered transport" : theirs.error().message);
    }
    auto ours = EndpointsTowards(state->endpoints, caller);
    if (!ours) return {OpenOutcome::kBadEndpoints, Fail(ours.error())};
    const std::size_t paths = std::min(theirs->size(), ours->size());

    v1::OpenReply reply;
    reply.set_session_id(RandomId());
    reply.set_responder_epoch(identity_.epoch);
    reply.set_transport(ToProto(state->kind));
    reply.set_nonce(request.nonce());
    for (std::size_t i = 0; i < paths; ++i) ToProto((*ours)[i], *reply.add_endpoints());
    if (auto sealed = Sign(reply, peer.key_id, peer.key); !sealed) {
      return {OpenOutcome::kBadMac, Fail(sealed.error())};
    }
    engine->Post(OpenResponderSession{.grant = {.session_id = reply.session_id(),
                                                .prober = peer.node,
                                                .prober_epoch = request.prober_epoch(),
                                                .key_id = peer.key_id,
                                                .paths = static_cast<std::uint8_t>(paths)},
                                      .key = peer.key,
                                      .endpoints = std::move(*theirs)});
    return {OpenOutcome::kOpened, std::move(reply)};
  }
  return Refuse(OpenOutcome::kNoCommonTransport, ErrorCode::kUnavailable,
                "no transport is up on both sides; see `fairlead-linkprobe devices` on each");
}

OpenCounts SessionDesk::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

std::optional<std::uint64_t> SessionDesk::PeerEpoch(const std::string& node) const {
  std::lock_guard lock(mutex_);
  const auto found = epochs_.find(node);
  if (found == epochs_.end()) return std::nullopt;
  return found->second;
}

}  // namespace fairlead::linkprobe
