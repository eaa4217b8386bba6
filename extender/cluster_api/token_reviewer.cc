#include "extender/cluster_api/token_reviewer.h"

#include <openssl/sha.h>

#include <algorithm>
#include <utility>

#include "common/base/log.h"
#include "common/kube/reflector.h"

namespace fairlead::extender {
namespace {

// A probe waits for it, and others behind it.
constexpr kube::ConnectionLimits kLimits{
    .connect = Seconds(3), .answer = Seconds(5), .most_bytes = 1U << 20};

TokenCache::Digest DigestOf(std::string_view token) {
  TokenCache::Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  return digest;
}

tl::unexpected<RefusedToken> Refuse(TokenRefusal refusal, std::string message) {
  return tl::unexpected<RefusedToken>(RefusedToken{refusal, std::move(message)});
}

// Whether asking again soon may help.
bool Passing(TokenRefusal refusal) {
  return refusal == TokenRefusal::kThrottled || refusal == TokenRefusal::kUnavailable;
}

}  // namespace

TokenReviewer::TokenReviewer(std::unique_ptr<kube::ApiConnection> connection, ReviewRules rules,
                             const Clock& clock, ReviewLimits limits)
    : rules_(std::move(rules)),
      clock_(clock),
      limits_(limits),
      cache_(limits.most_kept),
      allowance_(limits.reviews_per_second, limits.reviews_per_second),
      connection_(std::move(connection)) {}

Result<std::unique_ptr<TokenReviewer>> TokenReviewer::Create(const kube::Access& access,
                                                             std::string user_agent,
                                                             ReviewRules rules, const Clock& clock,
                                                             ReviewLimits limits) {
  auto connection = kube::ApiConnection::Create(access, std::move(user_agent), clock, kLimits);
  if (!connection) return Fail(connection.error());
  return std::unique_ptr<TokenReviewer>(
      new TokenReviewer(*std::move(connection), std::move(rules), clock, limits));
}

TokenCache::Verdict TokenReviewer::Ask(std::string_view token) {
  const std::lock_guard lock(asking_);
  if (resume_at_ && clock_.Now() < *resume_at_) {
    return Refuse(TokenRefusal::kUnavailable, trouble_);
  }
  kube::ApiRequest request;
  request.method = kube::Method::kPost;
  request.path = "/apis/authentication.k8s.io/v1/tokenreviews";
  request.body = TokenReviewBody(token, rules_);
  const auto answer = connection_->Call(request);
  if (answer) {
    resume_at_.reset();
    trouble_.clear();
    return JudgeReview(*answer, rules_);
  }
  kube::Resource resource;
  resource.name = "tokenreviews.authentication.k8s.io";
  std::string trouble = kube::TroubleWith(resource, "create", answer.error());
  if (trouble != trouble_) LogError("tokens cannot be reviewed", {{"reason", trouble}});
  trouble_ = std::move(trouble);
  resume_at_ = clock_.Now() + limits_.pause;
  return Refuse(TokenRefusal::kUnavailable, trouble_);
}

TokenCache::Verdict TokenReviewer::Review(std::string_view token) {
  if (!LooksLikeToken(token)) {
    return Refuse(TokenRefusal::kMalformed,
                  "the token is no service-account token; mount a projected one for audience " +
                      rules_.audience);
  }
  const TokenCache::Digest digest = DigestOf(token);
  {
    const std::lock_guard lock(mutex_);
    const MonotonicTime now = clock_.Now();
    if (const auto* const known = cache_.Find(digest, now)) return *known;
    if (!allowance_.Take(now)) {
      return Refuse(TokenRefusal::kThrottled, "too many tokens are to be reviewed; try again");
    }
    ++counts_.reviews;
  }
  TokenCache::Verdict verdict = Ask(token);
  if (!verdict && Passing(verdict.error().refusal)) return verdict;
  Nanoseconds keep = limits_.keep_refused;
  if (verdict) {
    // The API server has judged it by its own clock; ours may be wrong and only shortens.
    keep = limits_.keep_proven;
    if (const auto expiry = ExpiryOf(token)) {
      keep = std::clamp(*expiry - clock_.WallNow(), Nanoseconds(0), keep);
    }
  }
  const std::lock_guard lock(mutex_);
  cache_.Keep(digest, verdict, clock_.Now() + keep);
  return verdict;
}

Result<std::string> TokenReviewer::Tell(const TokenCache::Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  if (verdict) {
    ++counts_.proven;
    return verdict->node;
  }
  const RefusedToken& refused = verdict.error();
  ++counts_.refused[static_cast<std::size_t>(refused.refusal)];
  return Fail(Passing(refused.refusal) ? ErrorCode::kUnavailable : ErrorCode::kUnauthenticated,
              refused.message);
}

Result<std::string> TokenReviewer::NodeOf(std::string_view token) { return Tell(Review(token)); }

ReviewCounts TokenReviewer::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace fairlead::extender
