#include "common/kube/api_error.h"

namespace fairlead::kube {
namespace {

ErrorCode CodeOf(ApiFailure failure) {
  switch (failure) {
    case ApiFailure::kUnreachable:
    case ApiFailure::kSilent:
    case ApiFailure::kStopped:
    case ApiFailure::kExpired:
    case ApiFailure::kServerError:
      return ErrorCode::kUnavailable;
    case ApiFailure::kThrottled:
    case ApiFailure::kTooLarge:
      return ErrorCode::kResourceExhausted;
    case ApiFailure::kUnauthenticated:
    case ApiFailure::kAccess:
      return ErrorCode::kUnauthenticated;
    case ApiFailure::kForbidden:
      return ErrorCode::kPermissionDenied;
    case ApiFailure::kNotFound:
      return ErrorCode::kNotFound;
    case ApiFailure::kConflict:
    case ApiFailure::kRejected:
      return ErrorCode::kInvalidArgument;
    case ApiFailure::kMalformed:
      return ErrorCode::kInternal;
  }
  return ErrorCode::kInternal;
}

}  // namespace

Error ApiError::ToError() const { return {CodeOf(failure), message}; }

ApiFailure FailureOf(int http_code) {
  switch (http_code) {
    case 401:
      return ApiFailure::kUnauthenticated;
    case 403:
      return ApiFailure::kForbidden;
    case 404:
      return ApiFailure::kNotFound;
    case 409:
      return ApiFailure::kConflict;
    case 410:
      return ApiFailure::kExpired;
    case 429:
      return ApiFailure::kThrottled;
    default:
      return http_code >= 500 ? ApiFailure::kServerError : ApiFailure::kRejected;
  }
}

}  // namespace fairlead::kube
