#include "common/http/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/common/support/eventually.h"
#include "tests/common/support/raw_client.h"

namespace fairlead {
namespace {

constexpr std::string_view kClose = "Host: x\r\nConnection: close\r\n";

std::string Get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\n" + std::string(kClose) + "\r\n";
}
std::string Post(std::string_view headers, std::string_view body = "") {
  return "POST /echo HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

class HttpServerTest : public testing::Test {
 protected:
  void Start(HttpLimits limits) {
    auto server = HttpServer::Bind({"127.0.0.1", 0}, limits);
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    server_->Route("GET", "/hello", [](const auto&, auto& response) {
      response.set_content("hello\n", "text/plain");
    });
    server_->Route("POST", "/echo", [](const auto& request, auto& response) {
      response.set_content(request.body, "text/plain");
    });
    server_->Route("GET", "/throw", [](const auto&, auto&) { throw std::runtime_error("secret"); });
    server_->Route("GET", "/large", [](const auto&, auto& response) {
      response.set_content(std::string(20'000'000, 'x'), "text/plain");
    });
    server_->Route("GET", "/wait", [this](const auto&, auto& response) {
      waiting_ = true;
      signal_.Notify();
      release_.get_future().wait();
      response.set_content("waited\n", "text/plain");
    });
    server_->RouteBody("/body", [](const auto&, std::string_view body, auto& response) {
      bool padded = true;
      for (std::size_t i = 0; i < kBodyPadding && !body.empty(); ++i) {
        padded = padded && body.data()[body.size() + i] == 0;
      }
      response.set_content(padded ? std::string(body) : "no padding", "text/plain");
    });
    server_->Observe([this](const HttpServer::Exchange& exchange) {
      {
        std::lock_guard lock(mutex_);
        seen_.push_back(exchange);
      }
      signal_.Notify();
    });
    server_->Start();
  }
  void SetUp() override {
    Start({.most_body_bytes = 1000,
           .most_connections = 4,
           .keep_alive = Seconds(60),
           .request_deadline = Seconds(20)});
  }
  std::string Answer(std::string_view request) const { return Exchange(server_->port(), request); }

  std::mutex mutex_;
  std::vector<HttpServer::Exchange> seen_;  // guarded by mutex_
  Signal signal_;
  std::atomic<bool> waiting_ = false;
  std::promise<void> release_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersGetHeadAndPost) {
  EXPECT_EQ(BodyOf(Answer(Get("/hello"))), "hello\n");
  const std::string head = Answer("HEAD /hello HTTP/1.1\r\n" + std::string(kClose) + "\r\n");
  EXPECT_EQ(StatusOf(head), 200);
  EXPECT_NE(head.find("Content-Length: 6"), std::string::npos);
  EXPECT_EQ(BodyOf(head), "");
  EXPECT_EQ(BodyOf(Answer(Post("Content-Length: 3\r\nConnection: close\r\n", "abc"))), "abc");
  EXPECT_EQ(BodyOf(Answer(Post("Content-Length: 0\r\nConnection: close\r\n"))), "");
  EXPECT_EQ(server_->refused(), 0U);
}

TEST_F(HttpServerTest, ReadsBodiesStraightIntoReusedMemory) {
  const RawClient client(server_->port());
  for (const std::size_t size : {1000U, 1U, 0U, 999U, 2U}) {
    const std::string body(size, static_cast<char>('a' + size % 26));
    client.Send("POST /body HTTP/1.1\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
                body);
    EXPECT_EQ(BodyOf(client.Read(1)), body);
  }
  client.Send("POST /body HTTP/1.1\r\nContent-Length: 5\r\n\r\nab");
  client.FinishSending();
  EXPECT_EQ(StatusOf(client.ReadToEnd()), 408);
  EXPECT_EQ(StatusOf(Answer(Get("/body"))), 405);
}

TEST_F(HttpServerTest, RefusesBodiesBeyondTheCommonBudget) {
  Start({.most_body_bytes = 10U << 20, .most_buffered_bytes = 1U << 20});
  const std::string large(2U << 20, 'x');
  const std::string head = "POST /body HTTP/1.1\r\nConnection: close\r\nContent-Length: ";
  EXPECT_EQ(StatusOf(Answer(head + std::to_string(large.size()) + "\r\n\r\n" + large)), 503);
  // What the refused one held is free again.
  EXPECT_EQ(BodyOf(Answer(head + "3\r\n\r\nabc")), "abc");
}

TEST_F(HttpServerTest, TellsTheObserverOfEveryRequest) {
  Answer(Get("/hello"));
  Answer(Get("/none"));
  Answer("GARBAGE\r\n\r\n");
  ASSERT_TRUE(signal_.WaitUntil([this] { return signal_.count() == 3; }));
  std::lock_guard lock(mutex_);
  EXPECT_EQ(seen_[0].path, "/hello");
  EXPECT_EQ(seen_[0].status, 200);
  EXPECT_TRUE(seen_[0].service.has_value());
  EXPECT_EQ(seen_[1].status, 404);
  EXPECT_EQ(seen_[2].status, 400);
}

TEST_F(HttpServerTest, TellsAnUnknownPathFromAWrongMethod) {
  EXPECT_EQ(StatusOf(Answer(Get("/none"))), 404);
  EXPECT_EQ(StatusOf(Answer(Get("/helloX"))), 404);
  const std::string wrong = Answer(Get("/echo"));
  EXPECT_EQ(StatusOf(wrong), 405);
  EXPECT_NE(wrong.find("Allow: POST\r\n"), std::string::npos);
}

TEST_F(HttpServerTest, AWrongMethodIsToldWhatIsAllowedWhateverItsBody) {
  const struct {
    std::string head;
    std::string body;
  } kBodies[] = {{"", ""},
                 {"Content-Length: 0\r\n", ""},
                 {"Content-Length: 5\r\n", "hello"},
                 {"Content-Length: 5\r\nExpect: 100-continue\r\n", "hello"},
                 {"Content-Length: x\r\n", ""},
                 {"Content-Length: 2000000\r\n", std::string(2'000'000, 'x')},
                 {"Transfer-Encoding: chunked\r\n", "0\r\n\r\n"}};
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"}) {
    for (const auto& body : kBodies) {
      const std::string line = " HTTP/1.1\r\n" + std::string(kClose) + body.head;
      const std::string answer =
          Answer(std::string(method) + " /hello" + line + "\r\n" + body.body);
      EXPECT_EQ(StatusOf(answer), 405) << method << " " << body.head;
      EXPECT_NE(answer.find("Allow: GET, HEAD\r\n"), std::string::npos) << answer;
      EXPECT_EQ(StatusOf(Answer(std::string(method) + " /none" + line + "\r\n" + body.body)), 404);
    }
  }
  EXPECT_EQ(server_->refused(), 0U);
}

TEST_F(HttpServerTest, AWrongMethodWithoutABodyLeavesTheConnectionInUse) {
  const RawClient client(server_->port());
  client.Send("DELETE /hello HTTP/1.1\r\nHost: x\r\n\r\n" + Get("/hello"));
  const std::string answers = client.ReadToEnd();
  EXPECT_EQ(StatusOf(answers), 405);
  EXPECT_TRUE(answers.ends_with("hello\n")) << answers;
}

TEST_F(HttpServerTest, AcceptsAbsoluteTargets) {
  for (const char* target :
       {"http://x/hello", "HTTP://x:80/hello", "https://[::1]:1/hello", "http://x/hello?a=b"}) {
    EXPECT_EQ(BodyOf(Answer(Get(target))), "hello\n") << target;
  }
  EXPECT_EQ(StatusOf(Answer(Get("http://x/none"))), 404);
  EXPECT_EQ(StatusOf(Answer(Get("http://x"))), 404) << "the path /, which has no route here";
  const RawClient client(server_->port());
  client.Send("POST http://x/body HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" + Get("/hello"));
  const std::string answers = client.ReadToEnd();
  EXPECT_NE(answers.find("\r\n\r\nabc"), std::string::npos) << answers;
  EXPECT_TRUE(answers.ends_with("hello\n")) << answers;
}

TEST_F(HttpServerTest, ReadsHeadsUpToTheLimitHoweverTheyAreCut) {
  std::string head = "GET /hello HTTP/1.1\r\n" + std::string(kClose);
  while (head.size() < 60'000) head += "X: 0123456789\r\n";
  const RawClient client(server_->port());
  for (std::size_t i = 0; i < head.size(); i += 7'001) client.Send(head.substr(i, 7'001));
  client.Send("\r");
  client.Send("\n");
  EXPECT_EQ(BodyOf(client.ReadToEnd()), "hello\n");
}

TEST_F(HttpServerTest, AnswersAHeadThatEndsEarly) {
  const RawClient client(server_->port());
  client.Send("GET /hello HTTP/1.1\r\nHo");
  client.FinishSending();
  EXPECT_EQ(StatusOf(client.ReadToEnd()), 400);
  EXPECT_EQ(server_->refused(), 1U);
}

TEST_F(HttpServerTest, AnswersManyRequestsOnOneConnection) {
  const RawClient client(server_->port());
  for (int i = 0; i < 50; ++i) {
    client.Send(Post("Content-Length: 2\r\n", "ab"));
    const std::string answer = client.Read(1);
    EXPECT_EQ(StatusOf(answer), 200);
    EXPECT_EQ(BodyOf(answer), "ab");
  }
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  const RawClient client(server_->port());
  client.Send(Post("Content-Length: 1\r\n", "a") + Post("Content-Length: 1\r\n", "b") +
              Get("/hello"));
  const std::string answers = client.ReadToEnd();
  EXPECT_LT(answers.find("\r\n\r\na"), answers.find("\r\n\r\nb"));
  EXPECT_TRUE(answers.ends_with("hello\n"));
}

TEST_F(HttpServerTest, RefusesBadFramingAndCloses) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "X: 0123456789\r\n";
  const struct {
    std::string request;
    int status;
  } kCases[] = {
      {Post(""), 411},
      {Post("Content-Length: -5\r\n", "hello"), 400},
      {Post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400},
      {Post("Content-Length: 5\r\ncontent-length: 50\r\n", "hello"), 400},
      {Post("Content-Length : 5\r\n", "hello"), 411},
      {Post("Content-Length: 1001\r\n", std::string(1001, 'x')), 413},
      {Post("Content-Length: 999999999999999999999999\r\n", "x"), 413},
      {Post("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"), 411},
      {Post("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n", "hello"), 411},
      {Post("Content-Encoding: gzip\r\nContent-Length: 5\r\n", "hello"), 415},
      {Post("Content-Length: -5\r\nExpect: 100-continue\r\n", "hello"), 400},
      {"GET /hello HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400},
      {"GARBAGE\r\n\r\n", 400},
      {"BREW /hello HTTP/1.1\r\n\r\n", 501},
      {"GET http:///hello HTTP/1.1\r\n\r\n", 400},
      {"GET /hello HTTP/9.9\r\n\r\n", 400},
      {"GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n", 414},
      {"GET /" + std::string(70'000, 'a') + " HTTP/1.1\r\n\r\n", 414},
      {"GET /" + std::string(5'000'000, 'a'), 414},
      {"GET /hello HTTP/1.1\r\nX: " + std::string(9000, 'a') + "\r\n\r\n", 431},
      {"GET /hello HTTP/1.1\r\nX: " + std::string(70'000, 'a') + "\r\n\r\n", 431},
      {"GET /hello HTTP/1.1\r\n" + many + "\r\n", 431},
      {Post("Content-Length: 5\r\n" + many, "hello"), 431},
  };
  std::uint64_t refused = 0;
  for (const auto& c : kCases) {
    const std::string answer = Answer(c.request);  // returns only because the server closes
    EXPECT_EQ(StatusOf(answer), c.status) << c.request.substr(0, 80) << answer;
    EXPECT_NE(BodyOf(answer), "") << c.request.substr(0, 80);
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
    EXPECT_EQ(server_->refused(), ++refused) << c.request.substr(0, 80);
  }
}

TEST_F(HttpServerTest, ClosesWhenABodyStaysShort) {
  const RawClient client(server_->port());
  client.Send(Post("Content-Length: 50\r\n", "hello"));
  client.FinishSending();
  EXPECT_EQ(StatusOf(client.ReadToEnd()), 400);
}

TEST_F(HttpServerTest, AnswersThoughTheClientIsStillSendingTooMuch) {
  const std::string answer =
      Answer(Post("Content-Length: 20000000\r\n", std::string(20'000'000, 'x')));
  EXPECT_EQ(StatusOf(answer), 413);
}

TEST_F(HttpServerTest, SendsContinueWhenAskedTo) {
  const RawClient client(server_->port());
  client.Send(Post("Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n"));
  EXPECT_TRUE(client.Read(1).starts_with("HTTP/1.1 100 Continue"));
  client.Send("hello");
  EXPECT_EQ(BodyOf(client.ReadToEnd()), "hello");
}

TEST_F(HttpServerTest, KeepsAnExceptionToItself) {
  const std::string answer = Answer(Get("/throw"));
  EXPECT_EQ(StatusOf(answer), 500);
  EXPECT_EQ(answer.find("secret"), std::string::npos);
}

TEST_F(HttpServerTest, IgnoresRangesAndCompression) {
  const std::string answer = Answer(
      "GET /hello HTTP/1.1\r\nRange: bytes=0-0,0-0\r\nAccept-Encoding: gzip\r\nConnection: "
      "close\r\n\r\n");
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_EQ(BodyOf(answer), "hello\n");
}

TEST_F(HttpServerTest, IdleConnectionsMakeRoomForOthers) {
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 4; ++i) {
    idle.push_back(std::make_unique<RawClient>(server_->port()));
    idle.back()->Send(Post("Content-Length: 1\r\n", "a"));
    ASSERT_EQ(StatusOf(idle.back()->Read(1)), 200);
  }
  EXPECT_EQ(BodyOf(Answer(Get("/hello"))), "hello\n");
}

TEST_F(HttpServerTest, SilentClientsMakeRoomForOthers) {
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 4; ++i) silent.push_back(std::make_unique<RawClient>(server_->port()));
  EXPECT_EQ(BodyOf(Answer(Get("/hello"))), "hello\n");
}

TEST_F(HttpServerTest, MoreSilentClientsThanCanWaitDoNotKeepOutOneThatSpeaks) {
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(std::make_unique<RawClient>(server_->port()));
  EXPECT_EQ(BodyOf(Answer(Get("/hello"))), "hello\n");
}

// None of these ends by itself within the time that a test has.
TEST_F(HttpServerTest, ClientsThatStallDoNotKeepOutOthers) {
  const struct {
    const char* what;
    std::string request;
    int clients;
  } kCases[] = {
      {"half a head", "GET /hello HTTP/1.1\r\nHo", 250},
      {"half a body", Post("Content-Length: 50\r\n", "hello"), 50},
      {"half a body", "POST /body HTTP/1.1\r\nContent-Length: 50\r\n\r\nhello", 50},
      {"an answer not taken", "GET /large HTTP/1.1\r\n\r\n", 10},
      {"a refusal not heeded", "PUT /hello HTTP/1.1\r\nContent-Length: 50\r\n\r\n", 50},
      {"a refused head", "GET / HTTP/1.1\r\nX: " + std::string(9000, 'a') + "\r\n\r\n", 50},
      {"nothing more", "GET /hello HTTP/1.1\r\n\r\n", 50},
  };
  for (const auto& c : kCases) {
    Start({.most_body_bytes = 1000,
           .most_connections = 4,
           .keep_alive = Seconds(3600),
           .request_deadline = Seconds(3600),
           .patience = Nanoseconds(0)});
    std::vector<std::unique_ptr<RawClient>> stalled;
    for (int i = 0; i < c.clients; ++i) {
      stalled.push_back(std::make_unique<RawClient>(server_->port()));
      stalled.back()->Send(c.request);
    }
    EXPECT_EQ(BodyOf(Answer(Get("/hello"))), "hello\n") << c.what;
  }
}

TEST_F(HttpServerTest, AHandlerThatWorksIsLeftAlone) {
  Start({.most_connections = 1, .request_deadline = Seconds(3600), .patience = Nanoseconds(0)});
  const RawClient busy(server_->port());
  busy.Send(Get("/wait"));
  ASSERT_TRUE(signal_.WaitUntil([this] { return waiting_.load(); }));
  const RawClient next(server_->port());
  next.Send(Get("/hello"));
  release_.set_value();
  EXPECT_EQ(BodyOf(busy.ReadToEnd()), "waited\n");
  EXPECT_EQ(BodyOf(next.ReadToEnd()), "hello\n");
}

TEST_F(HttpServerTest, SaysThatAPortIsTaken) {
  const auto second = HttpServer::Bind({"127.0.0.1", server_->port()}, OpsHttpLimits());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(second.error().message.find(std::to_string(server_->port())), std::string::npos);
  EXPECT_NE(second.error().message.find("address already in use"), std::string::npos);
}

TEST_F(HttpServerTest, SaysThatAnAddressIsNotOfThisHost) {
  EXPECT_EQ(HttpServer::Bind({"192.0.2.1", 0}, OpsHttpLimits()).error().code,
            ErrorCode::kUnavailable);
  EXPECT_FALSE(HttpServer::Bind({"not an address", 0}, OpsHttpLimits()));
}

TEST_F(HttpServerTest, StopEndsIdleSilentAndHalfSentConnections) {
  const RawClient idle(server_->port());
  idle.Send(Post("Content-Length: 1\r\n", "a"));
  ASSERT_EQ(StatusOf(idle.Read(1)), 200);
  const RawClient silent(server_->port());
  const RawClient half(server_->port());
  half.Send("POST /echo HTTP/1.1\r\nContent-Le");
  // With limits of 20 s and 60 s, only a Stop that interrupts them lets the reads below end.
  auto stopped = std::async(std::launch::async, [this] { server_->Stop(); });
  EXPECT_EQ(stopped.wait_for(std::chrono::seconds(15)), std::future_status::ready);
  EXPECT_EQ(idle.ReadToEnd(), "");
  EXPECT_THROW(RawClient(server_->port()), std::runtime_error);
}

TEST_F(HttpServerTest, ASlowRequestEndsAtItsDeadline) {
  Start({.most_body_bytes = 1000,
         .most_connections = 4,
         .keep_alive = Seconds(60),
         .request_deadline = Milliseconds(100)});
  const RawClient client(server_->port());
  client.Send("GET /hel");
  EXPECT_EQ(StatusOf(client.ReadToEnd()), 408);
  const RawClient silent(server_->port());
  EXPECT_EQ(silent.ReadToEnd(), "");
}

TEST_F(HttpServerTest, ServesManyClientsAtOnce) {
  Start({.most_body_bytes = 1000, .most_connections = 4, .patience = Seconds(3600)});
  std::vector<std::future<int>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::async(std::launch::async, [this] {
      int good = 0;
      for (int j = 0; j < 20; ++j) {
        const std::string text = std::to_string(j);
        good += BodyOf(Answer(Post(
                    "Content-Length: " + std::to_string(text.size()) + "\r\nConnection: close\r\n",
                    text))) == text;
      }
      return good;
    }));
  }
  for (auto& client : clients) EXPECT_EQ(client.get(), 20);
}

}  // namespace
}  // namespace fairlead
