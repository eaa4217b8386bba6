#include "extender/cluster_api/token_review.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "common/base/quote.h"
#include "common/kube/base64.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostTokenBytes = 16U << 10;
constexpr std::string_view kAccountPrefix = "system:serviceaccount:";
constexpr std::string_view kPodName = "authentication.kubernetes.io/pod-name";
constexpr std::string_view kNodeName = "authentication.kubernetes.io/node-name";

tl::unexpected<RefusedToken> Refuse(TokenRefusal refusal, std::string message) {
  return tl::unexpected<RefusedToken>(RefusedToken{refusal, std::move(message)});
}

const Json* Field(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string Text(const Json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// Of `extra` the one value under a key; empty where there is not exactly one.
std::string Extra(const Json* extra, std::string_view key) {
  const Json* const values = extra == nullptr ? nullptr : Field(*extra, key);
  if (values == nullptr || !values->is_array() || values->size() != 1) return {};
  return Text(&values->front());
}

std::vector<std::string_view> Parts(std::string_view token) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = token.find('.');
    parts.push_back(token.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    token.remove_prefix(dot + 1);
  }
}

bool IsBase64Url(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

// The server's own words tell expired and foreign tokens from forged ones, for people and metrics;
// it refuses them all.
TokenRefusal RefusalIn(std::string_view error) {
  if (error.find("expired") != std::string_view::npos) return TokenRefusal::kExpired;
  if (error.find("audience") != std::string_view::npos) return TokenRefusal::kAudience;
  return TokenRefusal::kUnknown;
}

}  // namespace

std::string_view TokenRefusalName(TokenRefusal refusal) {
  switch (refusal) {
    case TokenRefusal::kMalformed:
      return "malformed";
    case TokenRefusal::kUnknown:
      return "unknown";
    case TokenRefusal::kExpired:
      return "expired";
    case TokenRefusal::kAudience:
      return "audience";
    case TokenRefusal::kAccount:
      return "account";
    case TokenRefusal::kUnbound:
      return "unbound";
    case TokenRefusal::kThrottled:
      return "throttled";
    case TokenRefusal::kUnavailable:
      return "unavailable";
  }
  return "";
}

std::string TokenReviewBody(std::string_view token, const ReviewRules& rules) {
  const Json body = {{"apiVersion", "authentication.k8s.io/v1"},
                     {"kind", "TokenReview"},
                     {"spec", {{"token", token}, {"audiences", {rules.audience}}}}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

tl::expected<ProvenPod, RefusedToken> JudgeReview(std::string_view answer,
                                                  const ReviewRules& rules) {
  const Json review = Json::parse(answer, nullptr, false);
  const Json* const status = Field(review, "status");
  if (status == nullptr) {
    return Refuse(TokenRefusal::kUnavailable, "the API server's answer is no TokenReview");
  }
  const Json* const authenticated = Field(*status, "authenticated");
  if (authenticated == nullptr || !authenticated->is_boolean() || !authenticated->get<bool>()) {
    const std::string error = Text(Field(*status, "error"));
    return Refuse(RefusalIn(error), "the API server does not know the token" +
                                        (error.empty() ? "" : ": " + Quoted(error, 300)));
  }
  const Json* const audiences = Field(*status, "audiences");
  const bool ours = audiences != nullptr && audiences->is_array() &&
                    std::ranges::find(*audiences, Json(rules.audience)) != audiences->end();
  if (!ours) {
    return Refuse(TokenRefusal::kAudience, "the token is not for audience " +
                                               Quoted(rules.audience) +
                                               "; set it in the probe's projected volume");
  }
  const Json* const user = Field(*status, "user");
  const std::string name = user == nullptr ? std::string() : Text(Field(*user, "username"));
  const std::size_t slash = rules.service_account.find('/');
  std::string wanted(kAccountPrefix);
  wanted += rules.service_account.substr(0, slash) + ":" + rules.service_account.substr(slash + 1);
  if (name != wanted) {
    return Refuse(TokenRefusal::kAccount, "the token is of " + Quoted(name) + ", not of " + wanted +
                                              "; see extender.kubernetes.probeServiceAccount");
  }
  const Json* const extra = Field(*user, "extra");
  ProvenPod pod{.namespace_name = rules.service_account.substr(0, slash),
                .name = Extra(extra, kPodName),
                .node = Extra(extra, kNodeName)};
  if (pod.name.empty() || pod.node.empty()) {
    return Refuse(TokenRefusal::kUnbound,
                  "the token is bound to no pod on a node; it must come from a projected volume, "
                  "on Kubernetes 1.30 or newer");
  }
  return pod;
}

bool LooksLikeToken(std::string_view token) {
  if (token.size() > kMostTokenBytes) return false;
  const auto parts = Parts(token);
  return parts.size() == 3 && std::ranges::all_of(parts, IsBase64Url);
}

std::optional<WallTime> ExpiryOf(std::string_view token) {
  const auto parts = Parts(token);
  if (parts.size() != 3) return std::nullopt;
  std::string claims(parts[1]);
  std::ranges::replace(claims, '-', '+');
  std::ranges::replace(claims, '_', '/');
  claims.append((4 - claims.size() % 4) % 4, '=');
  const auto text = kube::DecodeBase64(claims);
  if (!text) return std::nullopt;
  const Json json = Json::parse(*text, nullptr, false);
  const Json* const expiry = Field(json, "exp");
  // Up to the year 2262, where nanoseconds end.
  if (expiry == nullptr || !expiry->is_number()) return std::nullopt;
  const double seconds = expiry->get<double>();
  if (!(seconds >= 0 && seconds < 9e9)) return std::nullopt;
  return WallTime(Seconds(static_cast<std::int64_t>(seconds)));
}

}  // namespace fairlead::extender
