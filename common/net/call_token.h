// The bearer token on a gRPC call.
#pragma once

#include <string>

#include "common/base/result.h"
#include "common/net/token_source.h"

namespace grpc {
class ClientContext;
class ServerContextBase;
}  // namespace grpc

namespace fairlead {

// Puts the token on a call that has not begun. Not gRPC's call credentials, because those refuse
// plain text, which the configuration may allow.
Status AddToken(const TokenSource& source, grpc::ClientContext& context);

// The token that came with a call. kUnauthenticated where there is none, or more than one.
Result<std::string> TokenOf(const grpc::ServerContextBase& context);

}  // namespace fairlead
