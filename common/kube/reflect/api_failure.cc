#include "common/kube/reflect/api_failure.h"

namespace fairlead::kube {

std::string_view ApiFailureName(ApiFailure failure) {
  switch (failure) {
    case ApiFailure::kUnreachable:
      return "unreachable";
    case ApiFailure::kSilent:
      return "silent";
    case ApiFailure::kStopped:
      return "stopped";
    case ApiFailure::kThrottled:
      return "throttled";
    case ApiFailure::kUnauthenticated:
      return "unauthenticated";
    case ApiFailure::kForbidden:
      return "forbidden";
    case ApiFailure::kNotFound:
      return "not_found";
    case ApiFailure::kConflict:
      return "conflict";
    case ApiFailure::kExpired:
      return "expired";
    case ApiFailure::kRejected:
      return "rejected";
    case ApiFailure::kServerError:
      return "server_error";
    case ApiFailure::kMalformed:
      return "malformed";
    case ApiFailure::kTooLarge:
      return "too_large";
    case ApiFailure::kAccess:
      return "access";
  }
  return "unknown";
}

}  // namespace fairlead::kube
