// A request to the API server that failed.
#pragma once

#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/reflect/api_failure.h"

namespace fairlead::kube {

struct ApiError {
  ApiFailure failure = ApiFailure::kUnreachable;
  int http_code = 0;      // of the answer, or of the Status inside a watch; 0: there was none
  std::string reason{};   // Status.reason, "Forbidden"; may be empty
  std::string message{};  // for people
  std::optional<Nanoseconds> retry_after{};

  // For those who know no Kubernetes: the code that suits, with the same message.
  Error ToError() const;
};

template <class T>
using ApiResult = tl::expected<T, ApiError>;

// What an HTTP status or Status.code means.
ApiFailure FailureOf(int http_code);

}  // namespace fairlead::kube
