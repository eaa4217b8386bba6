#include "common/kube/api_connection.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "tests/common/kube/support/scripted_server.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::kube {
namespace {

constexpr Nanoseconds kLong = Seconds(30);

ApiRequest Get(const std::string& path) {
  ApiRequest request;
  request.path = path;
  return request;
}

class ApiConnectionTest : public testing::Test {
 protected:
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }

  std::unique_ptr<ApiConnection> Connect(const ScriptedServer& server, Access access = {},
                                         ConnectionLimits limits = {}) {
    access.server = server.url();
    auto connection = ApiConnection::Create(std::move(access), "test/1", clock_, limits);
    if (!connection) throw std::runtime_error(connection.error().message);
    return *std::move(connection);
  }
  // What one GET to a server with this script gives.
  ApiResult<std::string> Ask(const ScriptedServer::Script& script, ConnectionLimits limits = {}) {
    const ScriptedServer server(script);
    return Connect(server, {}, limits)->Call(Get("/x"));
  }

  SystemClock clock_;
};

TEST_F(ApiConnectionTest, SendsEachMethodAsItIs) {
  const ScriptedServer server([](const auto&, Wire& wire) { wire.Answer(200, "{}"); });
  Access access;
  access.token = "secret";
  const auto connection = Connect(server, access);
  for (const auto& [method, body, kind] : {std::tuple{Method::kGet, "", BodyKind::kJson},
                                           {Method::kPost, "{1}", BodyKind::kJson},
                                           {Method::kGet, "", BodyKind::kJson},
                                           {Method::kPut, "{22}", BodyKind::kJson},
                                           {Method::kPatch, "{3}", BodyKind::kMergePatch},
                                           {Method::kPatch, "{4}", BodyKind::kApply},
                                           {Method::kDelete, "", BodyKind::kJson},
                                           {Method::kDelete, "{5}", BodyKind::kJson},
                                           {Method::kPost, "", BodyKind::kJson}}) {
    ApiRequest request = Get("/p");
    request.method = method;
    request.body = body;
    request.body_kind = kind;
    request.query = {{"q", "a b"}};
    ASSERT_TRUE(connection->Call(request));
  }
  std::string seen;
  for (const SeenRequest& request : server.requests()) {
    EXPECT_EQ(request.path, "/p");
    EXPECT_EQ(request.query.at("q"), "a%20b");
    EXPECT_EQ(request.headers.at("authorization"), "Bearer secret");
    EXPECT_EQ(request.headers.at("user-agent"), "test/1");
    EXPECT_EQ(request.headers.at("accept"), "application/json");
    EXPECT_EQ(request.headers.count("expect"), 0U);
    const auto type = request.headers.find("content-type");
    seen += request.method + " " + request.body + " " +
            (type == request.headers.end() ? "" : type->second) + "\n";
  }
  EXPECT_EQ(seen,
            "GET  \nPOST {1} application/json\nGET  \nPUT {22} application/json\n"
            "PATCH {3} application/merge-patch+json\nPATCH {4} application/apply-patch+yaml\n"
            "DELETE  \nDELETE {5} application/json\nPOST  application/x-www-form-urlencoded\n");
}

TEST_F(ApiConnectionTest, GivesTheBodyOfAnySuccess) {
  for (const int code : {200, 201, 202}) {
    const auto answer = Ask([code](const auto&, Wire& wire) { wire.Answer(code, "{\"a\":1}"); });
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(*answer, "{\"a\":1}");
  }
}

TEST_F(ApiConnectionTest, DecodesRefusals) {
  const auto answer = Ask([](const auto&, Wire& wire) {
    wire.Answer(429, R"({"kind":"Status","message":"slow down","reason":"TooManyRequests"})",
                "Retry-After: 7\r\n");
  });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kThrottled);
  EXPECT_EQ(answer.error().http_code, 429);
  EXPECT_EQ(answer.error().reason, "TooManyRequests");
  EXPECT_EQ(answer.error().retry_after, Nanoseconds(Seconds(7)));
  EXPECT_NE(answer.error().message.find("GET http://127.0.0.1:"), std::string::npos);
  EXPECT_NE(answer.error().message.find("/x: 429 \"slow down\""), std::string::npos);
}

TEST_F(ApiConnectionTest, EachCodeHasItsMeaning) {
  for (const auto& [code, failure] : {std::pair{400, ApiFailure::kRejected},
                                      {401, ApiFailure::kUnauthenticated},
                                      {403, ApiFailure::kForbidden},
                                      {404, ApiFailure::kNotFound},
                                      {409, ApiFailure::kConflict},
                                      {410, ApiFailure::kExpired},
                                      {422, ApiFailure::kRejected},
                                      {500, ApiFailure::kServerError},
                                      {503, ApiFailure::kServerError},
                                      {302, ApiFailure::kRejected}}) {
    const auto answer = Ask([code = code](const auto&, Wire& wire) {
      wire.Answer(code, "bad gateway", "Location: http://127.0.0.1:1/\r\n", "text/html");
    });
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().failure, failure) << code;
    EXPECT_EQ(answer.error().http_code, code);
    EXPECT_NE(answer.error().message.find("bad gateway"), std::string::npos);
  }
}

TEST_F(ApiConnectionTest, AnAnswerOfAnotherTypeIsNone) {
  const auto answer =
      Ask([](const auto&, Wire& wire) { wire.Answer(200, "<html>log in", "", "text/html"); });
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kMalformed);
  EXPECT_NE(answer.error().message.find("text/html"), std::string::npos);
  EXPECT_NE(answer.error().message.find("log in"), std::string::npos);
}

TEST_F(ApiConnectionTest, AnAnswerBeyondTheLimitIsRefused) {
  const std::string body(2000, ' ');
  const auto script = [&](const auto&, Wire& wire) { wire.Answer(200, body); };
  EXPECT_TRUE(Ask(script, {.most_bytes = 2000}));
  const auto answer = Ask(script, {.most_bytes = 1999});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kTooLarge);
}

TEST_F(ApiConnectionTest, ASilentServerIsGivenUpAndTheNextRequestGoesElsewhere) {
  const ScriptedServer server([](const SeenRequest& request, Wire& wire) {
    if (request.number == 0) return wire.FallSilent();
    wire.Answer(200, "{}");
  });
  const auto connection = Connect(server, {}, {.answer = Seconds(1)});
  const auto late = connection->Call(Get("/x"));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().failure, ApiFailure::kSilent);
  EXPECT_NE(late.error().message.find("no answer within 1000 ms"), std::string::npos);
  EXPECT_TRUE(connection->Call(Get("/x")));
}

TEST_F(ApiConnectionTest, ABodyThatPausesIsGivenUp) {
  const ScriptedServer server([](const auto&, Wire& wire) {
    wire.Begin();
    wire.Send("{");
    wire.FallSilent();
  });
  std::string seen;
  const auto done = Connect(server)->Stream(Get("/x"), Milliseconds(50), [&](auto bytes) {
    seen += bytes;
    return true;
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().failure, ApiFailure::kSilent);
  EXPECT_EQ(seen, "{");
}

TEST_F(ApiConnectionTest, AnAnswerThatIsCutOffIsUnreachable) {
  for (const std::string_view part :
       {"", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"}) {
    const auto answer = Ask([&](const auto&, Wire& wire) {
      wire.Raw(part);
      wire.Break();
    });
    ASSERT_FALSE(answer) << part;
    EXPECT_EQ(answer.error().failure, ApiFailure::kUnreachable) << answer.error().message;
  }
}

TEST_F(ApiConnectionTest, NoServerIsUnreachable) {
  std::string url;
  {
    url = ScriptedServer([](const auto&, Wire&) {}).url();
  }
  Access access;
  access.server = url;
  const auto connection = ApiConnection::Create(access, "test/1", clock_);
  const auto answer = (*connection)->Call(Get("/x"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kUnreachable);
  EXPECT_NE(answer.error().message.find(url), std::string::npos);
}

TEST_F(ApiConnectionTest, AServerThatTakesNoConnectionIsUnreachable) {
  // It waits for a plain request; the client for the end of the handshake.
  const ScriptedServer server([](const auto&, Wire& wire) { wire.FallSilent(); });
  Access access;
  access.server = "https" + server.url().substr(4);
  const auto connection =
      ApiConnection::Create(access, "test/1", clock_, {.connect = Milliseconds(50)});
  const auto answer = (*connection)->Call(Get("/x"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kUnreachable) << answer.error().message;
}

TEST_F(ApiConnectionTest, AConnectionIsUsedAgainAndMadeAnewWhereItBroke) {
  const ScriptedServer server([](const SeenRequest& request, Wire& wire) {
    wire.Answer(200, "{}");
    if (request.number == 1) wire.Break();
  });
  const auto connection = Connect(server);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(connection->Call(Get("/x"))) << i;
}

TEST_F(ApiConnectionTest, ARenewedTokenIsTriedOnceAfter401) {
  const TempDirectory directory;
  Access access;
  access.token_file = directory.Write("token", "old\n");
  const ScriptedServer server([&](const SeenRequest& request, Wire& wire) {
    if (request.headers.at("authorization") == "Bearer new") return wire.Answer(200, "{}");
    directory.Write("token", "new\n");
    wire.Answer(401, R"({"message":"Unauthorized"})");
  });
  const auto connection = Connect(server, access);
  const auto answer = connection->Call(Get("/x"));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "{}");
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(ApiConnectionTest, A401WithAnUnchangedTokenIsNotRepeated) {
  const TempDirectory directory;
  Access access;
  access.token_file = directory.Write("token", "old\n");
  const ScriptedServer server([](const auto&, Wire& wire) { wire.Answer(401, "{}"); });
  const auto answer = Connect(server, access)->Call(Get("/x"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kUnauthenticated);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(ApiConnectionTest, TheTokenFileIsReadForEachRequest) {
  const TempDirectory directory;
  Access access;
  access.token_file = directory.Write("token", "one");
  const ScriptedServer server([](const auto&, Wire& wire) { wire.Answer(200, "{}"); });
  const auto connection = Connect(server, access);
  ASSERT_TRUE(connection->Call(Get("/x")));
  directory.Write("token", "two");
  ASSERT_TRUE(connection->Call(Get("/x")));
  EXPECT_EQ(server.requests().at(1).headers.at("authorization"), "Bearer two");
  std::filesystem::remove(access.token_file);
  const auto answer = connection->Call(Get("/x"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kAccess);
  EXPECT_NE(answer.error().message.find(access.token_file), std::string::npos);
}

TEST_F(ApiConnectionTest, AStopEndsARequestThatWaits) {
  std::stop_source stop;
  const ScriptedServer server([&](const auto&, Wire& wire) {
    wire.Begin();
    stop.request_stop();
    wire.FallSilent();
  });
  const auto done = Connect(server)->Stream(
      Get("/x"), kLong, [](auto) { return true; }, stop.get_token());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().failure, ApiFailure::kStopped);
}

TEST_F(ApiConnectionTest, WhoeverTakesCanEndIt) {
  const ScriptedServer server([](const auto&, Wire& wire) {
    wire.Begin();
    while (wire.Raw("1\r\nx\r\n")) {
    }
  });
  std::size_t bytes = 0;
  const auto connection = Connect(server);
  const auto done = connection->Stream(Get("/x"), kLong, [&](std::string_view piece) {
    bytes += piece.size();
    return bytes < 10;
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST_F(ApiConnectionTest, WhatTakingThrowsIsAnError) {
  const ScriptedServer server([](const auto&, Wire& wire) { wire.Answer(200, "{}"); });
  const auto done = Connect(server)->Stream(Get("/x"), kLong, [](std::string_view piece) -> bool {
    if (piece.empty()) return true;
    throw std::runtime_error("no room");
  });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("no room"), std::string::npos);
}

TEST_F(ApiConnectionTest, TheEnvironmentIsNotAskedForAProxy) {
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
  EXPECT_TRUE(Ask([](const auto&, Wire& wire) { wire.Answer(200, "{}"); }));
  unsetenv("http_proxy");
  unsetenv("ALL_PROXY");
}

TEST_F(ApiConnectionTest, AProxyIsUsedWhereTheAccessHasOne) {
  const ScriptedServer server([](const auto&, Wire& wire) { wire.Answer(502, "no"); });
  const ScriptedServer proxy([](const auto&, Wire& wire) { wire.Answer(200, "{\"by\":1}"); });
  setenv("no_proxy", "127.0.0.1", 1);
  Access access;
  access.proxy = proxy.url();
  const auto answer = Connect(server, access)->Call(Get("/x"));
  unsetenv("no_proxy");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(*answer, "{\"by\":1}");
  EXPECT_EQ(proxy.requests().size(), 1U);
  EXPECT_EQ(server.requests().size(), 0U);
}

TEST_F(ApiConnectionTest, AWrongServerIsRefusedAtOnce) {
  Access access;
  access.server = "http://10.0.0.1";
  EXPECT_FALSE(ApiConnection::Create(access, "test/1", clock_));
}

}  // namespace
}  // namespace fairlead::kube
