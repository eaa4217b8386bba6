#include "extender/cluster_api/token_review.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "extender/cluster_api/token_cache.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

const ReviewRules kRules{.audience = "fairlead", .service_account = "fl/probe"};

Json Answer() {
  return {{"status",
           {{"authenticated", true},
            {"audiences", {"fairlead"}},
            {"user",
             {{"username", "system:serviceaccount:fl:probe"},
              {"extra",
               {{"authentication.kubernetes.io/pod-name", {"probe-x"}},
                {"authentication.kubernetes.io/node-name", {"n1"}}}}}}}}};
}

TEST(TokenReviewTest, AsksForTheAudience) {
  const Json body = Json::parse(TokenReviewBody("a.b.c", kRules));
  EXPECT_EQ(body["kind"], "TokenReview");
  EXPECT_EQ(body["spec"]["token"], "a.b.c");
  EXPECT_EQ(body["spec"]["audiences"], Json({"fairlead"}));
}

TEST(TokenReviewTest, ABoundTokenProvesPodAndNode) {
  const auto pod = JudgeReview(Answer().dump(), kRules);
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(pod->namespace_name, "fl");
  EXPECT_EQ(pod->name, "probe-x");
  EXPECT_EQ(pod->node, "n1");
}

TEST(TokenReviewTest, EverythingElseIsRefused) {
  struct Case {
    const char* what;
    const char* path;
    Json value;
    TokenRefusal refusal;
  };
  const std::string extra = "/status/user/extra/authentication.kubernetes.io~1";
  const std::string pod = extra + "pod-name";
  const std::string node = extra + "node-name";
  const Case cases[] = {
      {"forged", "/status/authenticated", false, TokenRefusal::kUnknown},
      {"not told", "/status/authenticated", nullptr, TokenRefusal::kUnknown},
      {"a word", "/status/authenticated", "true", TokenRefusal::kUnknown},
      {"another audience", "/status/audiences", {"api"}, TokenRefusal::kAudience},
      {"no audience", "/status/audiences", nullptr, TokenRefusal::kAudience},
      {"another account", "/status/user/username", "system:serviceaccount:fl:other",
       TokenRefusal::kAccount},
      {"a person", "/status/user/username", "fl:probe", TokenRefusal::kAccount},
      {"nobody", "/status/user", nullptr, TokenRefusal::kAccount},
      {"of no pod", pod.c_str(), nullptr, TokenRefusal::kUnbound},
      {"of no node", node.c_str(), Json::array(), TokenRefusal::kUnbound},
      {"of two nodes", node.c_str(), {"a", "b"}, TokenRefusal::kUnbound},
      {"of a number", node.c_str(), {7}, TokenRefusal::kUnbound},
      {"no extra", "/status/user/extra", nullptr, TokenRefusal::kUnbound},
      {"no status", "/status", nullptr, TokenRefusal::kUnknown},
  };
  for (const Case& c : cases) {
    Json answer = Answer();
    answer[Json::json_pointer(c.path)] = c.value;
    const auto judged = JudgeReview(answer.dump(), kRules);
    ASSERT_FALSE(judged) << c.what;
    EXPECT_EQ(judged.error().refusal, c.refusal) << c.what;
  }
  for (const char* text : {"", "[]", "null", "{}", "{\"status\"", "7"}) {
    const auto judged = JudgeReview(text, kRules);
    ASSERT_FALSE(judged) << text;
    EXPECT_EQ(judged.error().refusal, TokenRefusal::kUnavailable) << text;
  }
}

TEST(TokenReviewTest, TheServersWordsTellWhy) {
  for (const auto& [error, refusal] :
       {std::pair{"[invalid bearer token, service account token has expired]",
                  TokenRefusal::kExpired},
        {"token audiences [\"a\"] is invalid for the target audiences [\"b\"]",
         TokenRefusal::kAudience},
        {"invalid bearer token", TokenRefusal::kUnknown}}) {
    const Json answer = {{"status", {{"authenticated", false}, {"error", error}}}};
    EXPECT_EQ(JudgeReview(answer.dump(), kRules).error().refusal, refusal) << error;
  }
}

TEST(TokenReviewTest, TellsTokensByTheirLook) {
  EXPECT_TRUE(LooksLikeToken("aB0.-_.x"));
  for (const char* text : {"", "abc", "a.b", "a.b.", "a..c", "a.b.c.d", "a.b c.d", "a.b.c="}) {
    EXPECT_FALSE(LooksLikeToken(text)) << text;
  }
  EXPECT_FALSE(LooksLikeToken("a.b." + std::string(20000, 'c')));
}

TEST(TokenReviewTest, ReadsWhenATokenEnds) {
  // {"exp":1700000000}, {"exp":"x"}, {"exp":1e300}, {"sub":"?>?"}
  EXPECT_EQ(ExpiryOf("h.eyJleHAiOjE3MDAwMDAwMDB9.s"), WallTime(Seconds(1700000000)));
  EXPECT_EQ(ExpiryOf("h.eyJleHAiOiJ4In0.s"), std::nullopt);
  EXPECT_EQ(ExpiryOf("h.eyJleHAiOjFlMzAwfQ.s"), std::nullopt);
  EXPECT_EQ(ExpiryOf("h.eyJzdWIiOiI_Pj8ifQ.s"), std::nullopt);
  EXPECT_EQ(ExpiryOf("h.!.s"), std::nullopt);
  EXPECT_EQ(ExpiryOf("none"), std::nullopt);
}

TEST(TokenCacheTest, ForgetsWhatHasEndedAndWhatEndsSoonest) {
  TokenCache cache(2);
  const MonotonicTime t{Seconds(10)};
  const TokenCache::Digest a{1};
  const TokenCache::Digest b{2};
  const TokenCache::Digest c{3};
  cache.Keep(a, ProvenPod{"ns", "pod", "n1"}, t + Seconds(9));
  cache.Keep(b, tl::unexpected<RefusedToken>(RefusedToken{}), t + Seconds(5));
  ASSERT_NE(cache.Find(a, t), nullptr);
  EXPECT_EQ((*cache.Find(a, t))->node, "n1");
  ASSERT_NE(cache.Find(b, t), nullptr);
  EXPECT_FALSE(*cache.Find(b, t));
  cache.Keep(c, ProvenPod{}, t + Seconds(20));
  EXPECT_EQ(cache.Find(b, t), nullptr);
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.Find(a, t + Seconds(9)), nullptr);
  EXPECT_NE(cache.Find(c, t + Seconds(9)), nullptr);
  cache.Keep(c, ProvenPod{}, t + Seconds(12));
  EXPECT_EQ(cache.Find(c, t + Seconds(13)), nullptr);
  EXPECT_EQ(cache.size(), 0U);
}

}  // namespace
}  // namespace fairlead::extender
