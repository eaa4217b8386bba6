// TokenReviews: what is asked of the API server about a token, and what its answer proves.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead::extender {

enum class TokenRefusal {
  kMalformed,  // no JSON Web Token; nobody was asked
  kUnknown,    // forged, of another cluster, or of a pod or account that is gone
  kExpired,
  kAudience,     // issued for somebody else
  kAccount,      // of another service account
  kUnbound,      // bound to no pod on a node
  kThrottled,    // too many tokens were to be reviewed
  kUnavailable,  // the API server could not be asked
};
inline constexpr std::size_t kTokenRefusals = 8;

// Stable lower-case word for metric labels.
std::string_view TokenRefusalName(TokenRefusal refusal);

struct ReviewRules {
  std::string audience;         // that the token must be for
  std::string service_account;  // "namespace/name" whose pods are believed
};

struct ProvenPod {
  std::string namespace_name;
  std::string name;
  std::string node;
};

struct RefusedToken {
  TokenRefusal refusal = TokenRefusal::kUnknown;
  std::string message;  // never with the token in it
};

// A TokenReview (authentication.k8s.io/v1) in JSON.
std::string TokenReviewBody(std::string_view token, const ReviewRules& rules);

// What the API server answered. Believed only where it is authenticated, for our audience, of the
// service account and bound to a pod on a node, which the API server itself wrote into the token.
tl::expected<ProvenPod, RefusedToken> JudgeReview(std::string_view answer,
                                                  const ReviewRules& rules);

// Whether it looks like a JSON Web Token: three parts of base64url, 16 KiB at most.
bool LooksLikeToken(std::string_view token);
// When a token says that it ends. It is not checked, and only good for forgetting sooner.
std::optional<WallTime> ExpiryOf(std::string_view token);

}  // namespace fairlead::extender
