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

// Wall clocks of two sites may differ by this much; nonces are kept for both sides of it.
constexpr Nanoseconds kClockTolerance = Seconds(300);
constexpr std::size_t kNoncesKept = 65536;

SessionDesk::Decision Refuse(OpenOutcome outcome, ErrorCode code, std::string message) {
  return {outcome, Fail(code, std::move(message))};
}

Nanoseconds Distance(std::uint64_t unix_time_ns, WallTime now) {
  const auto mine = static_cast<std::uint64_t>(now.time_since_epoch().count());
  const std::uint64_t distance = unix_time_ns > mine ? unix_time_ns - mine : mine - unix_time_ns;
  return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(distance, INT64_MAX)));
}

}  // namespace

SessionDesk::SessionDesk(SessionIdentity identity, const Snapshot<Plan>& plan,
                         std::vector<ProbeEngine*> engines, const Clock& clock)
    : identity_(std::move(identity)),
      plan_(plan),
      engines_(std::move(engines)),
      clock_(clock),
      nonces_(2 * kClockTolerance, kNoncesKept) {}

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
  if (request.protocol_version() != kSessionProtocolVersion) {
    return Refuse(OpenOutcome::kVersion, ErrorCode::kUnsupported,
                  "session protocol version " + std::to_string(request.protocol_version()) +
                      "; this probe speaks " + std::to_string(kSessionProtocolVersion));
  }
  if (request.responder_node() != identity_.node) {
    return Refuse(OpenOutcome::kWrongResponder, ErrorCode::kInvalidArgument,
                  "request is for node \"" + request.responder_node() + "\", this is \"" +
                      identity_.node + "\"; the plan has an address of another node");
  }
  const auto plan = plan_.Get();
  if (!plan->received()) {
    return Refuse(OpenOutcome::kNoPlan, ErrorCode::kUnavailable,
                  "this probe has no plan from the extender yet");
  }
  const PlannedPeer* peer = plan->Find(request.prober_node());
  if (peer == nullptr) {
    return Refuse(OpenOutcome::kStranger, ErrorCode::kPermissionDenied,
                  "node \"" + request.prober_node() + "\" is not in this probe's plan");
  }
  if (request.key_id() != peer->key_id) {
    return Refuse(OpenOutcome::kWrongKey, ErrorCode::kUnauthenticated,
                  "key " + std::to_string(request.key_id()) + " is not the pair's, " +
                      std::to_string(peer->key_id) + " is; one plan is older than the other");
  }
  if (auto verified = Verify(request, peer->key); !verified) {
    return {OpenOutcome::kBadMac, Fail(verified.error())};
  }
  return Admit(request, *peer, caller);
}

SessionDesk::Decision SessionDesk::Admit(const v1::OpenRequest& request, const PlannedPeer& peer,
                                         const std::string& caller) {
  const Nanoseconds off = Distance(request.unix_time_ns(), clock_.WallNow());
  if (off > kClockTolerance) {
    return Refuse(OpenOutcome::kBadTime, ErrorCode::kUnauthenticated,
                  "request is " + std::to_string(std::chrono::duration_cast<Seconds>(off).count()) +
                      " s from this host's clock; synchronise the clocks of both nodes");
  }
  if (request.nonce().size() != kNonceBytes) {
    return Refuse(OpenOutcome::kReplayed, ErrorCode::kInvalidArgument, "nonce is not 16 bytes");
  }
  {
    std::lock_guard lock(mutex_);
    switch (nonces_.Use(peer.node + '\0' + request.nonce(), clock_.Now())) {
      case NonceMemory::Answer::kFresh:
        break;
      case NonceMemory::Answer::kUsed:
        return Refuse(OpenOutcome::kReplayed, ErrorCode::kUnauthenticated,
                      "this request was seen before");
      case NonceMemory::Answer::kFull:
        return Refuse(OpenOutcome::kBusy, ErrorCode::kResourceExhausted,
                      "too many session requests; try again later");
    }
  }
  return Answer(request, peer, caller);
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
