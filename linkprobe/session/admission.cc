#include "linkprobe/session/admission.h"

#include <algorithm>
#include <utility>

#include "linkprobe/session/handshake.h"

namespace fairlead::linkprobe {
namespace {

// Wall clocks of two sites may differ by this much; nonces are kept for both sides of it.
constexpr Nanoseconds kClockTolerance = Seconds(300);
constexpr std::size_t kNoncesKept = 65536;

Admission::Verdict Refuse(OpenOutcome outcome, ErrorCode code, std::string message) {
  return {outcome, Fail(code, std::move(message))};
}

Nanoseconds Distance(std::uint64_t unix_time_ns, WallTime now) {
  const auto mine = static_cast<std::uint64_t>(now.time_since_epoch().count());
  const std::uint64_t distance = unix_time_ns > mine ? unix_time_ns - mine : mine - unix_time_ns;
  return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(distance, INT64_MAX)));
}

}  // namespace

Admission::Admission(std::string node, const Snapshot<Plan>& plan, const Clock& clock)
    : node_(std::move(node)),
      plan_(plan),
      clock_(clock),
      nonces_(2 * kClockTolerance, kNoncesKept) {}

Admission::Verdict Admission::Judge(
    const RequestEnvelope& request,
    const std::function<Status(std::span<const std::uint8_t> key)>& verify) {
  if (request.protocol_version != kSessionProtocolVersion) {
    return Refuse(OpenOutcome::kVersion, ErrorCode::kUnsupported,
                  "session protocol version " + std::to_string(request.protocol_version) +
                      "; this probe speaks " + std::to_string(kSessionProtocolVersion));
  }
  if (request.to != node_) {
    return Refuse(OpenOutcome::kWrongResponder, ErrorCode::kInvalidArgument,
                  "request is for node \"" + request.to + "\", this is \"" + node_ +
                      "\"; the plan has an address of another node");
  }
  const auto plan = plan_.Get();
  if (!plan->received()) {
    return Refuse(OpenOutcome::kNoPlan, ErrorCode::kUnavailable,
                  "this probe has no plan from the extender yet");
  }
  const PlannedPeer* peer = plan->Find(request.from);
  if (peer == nullptr) {
    return Refuse(OpenOutcome::kStranger, ErrorCode::kPermissionDenied,
                  "node \"" + request.from + "\" is not in this probe's plan");
  }
  if (request.key_id != peer->key_id) {
    return Refuse(OpenOutcome::kWrongKey, ErrorCode::kUnauthenticated,
                  "key " + std::to_string(request.key_id) + " is not the pair's, " +
                      std::to_string(peer->key_id) + " is; one plan is older than the other");
  }
  if (auto verified = verify(peer->key); !verified) {
    return {OpenOutcome::kBadMac, Fail(verified.error())};
  }
  return TakeOnce(request, *peer);
}

Admission::Verdict Admission::TakeOnce(const RequestEnvelope& request, const PlannedPeer& peer) {
  const Nanoseconds off = Distance(request.unix_time_ns, clock_.WallNow());
  if (off > kClockTolerance) {
    return Refuse(OpenOutcome::kBadTime, ErrorCode::kUnauthenticated,
                  "request is " + std::to_string(std::chrono::duration_cast<Seconds>(off).count()) +
                      " s from this host's clock; synchronise the clocks of both nodes");
  }
  if (request.nonce.size() != kNonceBytes) {
    return Refuse(OpenOutcome::kReplayed, ErrorCode::kInvalidArgument, "nonce is not 16 bytes");
  }
  std::lock_guard lock(mutex_);
  switch (nonces_.Use(peer.node + '\0' + request.nonce, clock_.Now())) {
    case NonceMemory::Answer::kFresh:
      return {OpenOutcome::kOpened, peer};
    case NonceMemory::Answer::kUsed:
      return Refuse(OpenOutcome::kReplayed, ErrorCode::kUnauthenticated,
                    "this request was seen before");
    case NonceMemory::Answer::kFull:
      break;
  }
  return Refuse(OpenOutcome::kBusy, ErrorCode::kResourceExhausted,
                "too many session requests; try again later");
}

}  // namespace fairlead::linkprobe
