// The ways in which a request to the API server fails.
#pragma once

#include <string_view>

namespace fairlead::kube {

enum class ApiFailure {
  kUnreachable,      // no connection in time, or it broke before the answer was whole
  kSilent,           // connected, but no byte came in time
  kStopped,          // the caller asked to stop
  kThrottled,        // 429: too many requests, or a disruption budget in the way of an eviction
  kUnauthenticated,  // 401: the token or certificate is not known to the server
  kForbidden,        // 403: RBAC lacks the verb
  kNotFound,         // 404
  kConflict,         // 409
  kExpired,          // 410: the resource version or continue token is too old
  kRejected,         // any other 4xx or 3xx
  kServerError,      // 5xx
  kMalformed,        // an answer that is not what the API server sends
  kTooLarge,         // an answer beyond the limit
  kAccess,           // on this side: token file, certificate or CA
};

inline constexpr int kApiFailures = 14;

// Stable lower-case word for metric labels, "server_error".
std::string_view ApiFailureName(ApiFailure failure);

}  // namespace fairlead::kube
