// Endpoints and transport kinds on the session protocol.
#pragma once

#include <vector>

#include "common/base/result.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

v1::TransportKind ToProto(TransportKind kind);
void ToProto(const Endpoint& endpoint, v1::Endpoint& out);

// kInvalidArgument for a kind this version does not know, a GID that is not 16 bytes, or a port
// beyond 65535.
Result<Endpoint> FromProto(const v1::Endpoint& endpoint);

// The endpoints of one kind, in order. Those of other kinds are passed over.
Result<std::vector<Endpoint>> EndpointsOfKind(
    const google::protobuf::RepeatedPtrField<v1::Endpoint>& endpoints, TransportKind kind);

}  // namespace fairlead::linkprobe
