// Proves by its bound service-account token which node a probe runs on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/kube/access.h"
#include "common/kube/api_connection.h"
#include "common/limit/token_bucket.h"
#include "extender/cluster_api/token_cache.h"
#include "extender/cluster_api/token_review.h"
#include "extender/registry/token_verifier.h"

namespace fairlead::extender {

struct ReviewLimits {
  Nanoseconds keep_proven = Seconds(300);  // at most, and no longer than the token says
  Nanoseconds keep_refused = Seconds(10);
  std::size_t most_kept = 20'000;
  double reviews_per_second = 50;  // as many at once
  Nanoseconds pause = Seconds(1);  // after the API server could not be asked
};

struct ReviewCounts {
  std::uint64_t reviews = 0;  // asked of the API server
  std::uint64_t proven = 0;   // also from memory, as are the refusals
  std::array<std::uint64_t, kTokenRefusals> refused{};
};

// NodeOf asks the API server (TokenReview) and waits for its answer, a few seconds at most; what it
// said is believed for `keep_proven`, so that probes reconnect while it is away. Needs `create` on
// tokenreviews.authentication.k8s.io.
class TokenReviewer final : public TokenVerifier {
 public:
  // Fails where the access itself is wrong. `clock` must outlive it.
  static Result<std::unique_ptr<TokenReviewer>> Create(const kube::Access& access,
                                                       std::string user_agent, ReviewRules rules,
                                                       const Clock& clock,
                                                       ReviewLimits limits = {});

  Result<std::string> NodeOf(std::string_view token) override;
  ReviewCounts counts() const;

 private:
  TokenReviewer(std::unique_ptr<kube::ApiConnection> connection, ReviewRules rules,
                const Clock& clock, ReviewLimits limits);

  TokenCache::Verdict Review(std::string_view token);
  TokenCache::Verdict Ask(std::string_view token);
  Result<std::string> Tell(const TokenCache::Verdict& verdict);

  const ReviewRules rules_;
  const Clock& clock_;
  const ReviewLimits limits_;

  mutable std::mutex mutex_;  // of what follows; held for no request
  TokenCache cache_;
  ReviewCounts counts_;
  TokenBucket allowance_;  // of reviews

  std::mutex asking_;  // of what follows; held for a request
  const std::unique_ptr<kube::ApiConnection> connection_;
  std::optional<MonotonicTime> resume_at_;
  std::string trouble_;
};

}  // namespace fairlead::extender
