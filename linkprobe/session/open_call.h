// One request to open a session, from building it to judging the answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/engine/engine_command.h"
#include "linkprobe/engine/engine_snapshot.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/session/session_desk.h"

namespace fairlead::linkprobe {

// A signed request that offers every transport which is up. Looks up the route to the peer.
Result<v1::OpenRequest> BuildOpenRequest(
    const SessionIdentity& identity, const PlannedPeer& peer,
    std::span<const std::shared_ptr<const EngineSnapshot>> engines, WallTime now);

// What an answer opens, and on which kind of transport.
struct OpenedSession {
  TransportKind kind = TransportKind::kUdp;
  OpenProberSession session;
};

// kUnauthenticated when the answer is not the peer's answer to this request; kInvalidArgument when
// it cannot be used.
Result<OpenedSession> JudgeOpenReply(const v1::OpenRequest& request, const v1::OpenReply& reply,
                                     const PlannedPeer& peer);

}  // namespace fairlead::linkprobe
