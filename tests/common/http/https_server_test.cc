#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "common/http/http_server.h"
#include "common/http/tls_server.h"
#include "tests/common/support/raw_client.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead {
namespace {

class HttpsServerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);
    auto tls = TlsServer::Create(tls_);
    ASSERT_TRUE(tls) << tls.error().message;
    auto server = HttpServer::Bind({"127.0.0.1", 0},
                                   {.most_body_bytes = 10U << 20,
                                    .most_buffered_bytes = 20U << 20,
                                    .most_connections = 4,
                                    .keep_alive = Seconds(60),
                                    .request_deadline = Seconds(20)},
                                   *std::move(tls));
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    server_->Route("GET", "/hello", [](const auto&, auto& response) {
      response.set_content("hello\n", "text/plain");
    });
    server_->RouteBody("/body", [](const auto&, std::string_view body, auto& response) {
      response.set_content(std::string(body), "text/plain");
    });
    server_->Start();
  }
  // A client that trusts the authority whose certificate lies in `ca_file`.
  std::unique_ptr<httplib::SSLClient> Client(const std::string& ca_file) const {
    auto client = std::make_unique<httplib::SSLClient>("127.0.0.1", server_->port());
    client->set_ca_cert_path(ca_file.c_str());
    client->set_tcp_nodelay(true);
    client->set_read_timeout(30);
    return client;
  }

  TestPki pki_;
  TempDirectory directory_;
  TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpsServerTest, AnswersOnOneConnection) {
  const auto client = Client(tls_.ca_file);
  client->set_keep_alive(true);
  for (int i = 0; i < 5; ++i) {
    const auto answer = client->Get("/hello");
    ASSERT_TRUE(answer) << httplib::to_string(answer.error());
    EXPECT_EQ(answer->body, "hello\n");
  }
}

TEST_F(HttpsServerTest, CarriesLargeBodiesBothWays) {
  const std::string body(5'000'000, 'x');
  const auto answer = Client(tls_.ca_file)->Post("/body", body, "text/plain");
  ASSERT_TRUE(answer) << httplib::to_string(answer.error());
  EXPECT_EQ(answer->body, body);
}

TEST_F(HttpsServerTest, IsRefusedByAClientThatTrustsAnotherAuthority) {
  const TempDirectory other;
  const TlsConfig stranger = TestPki().Issue(other, "IP:127.0.0.1");
  EXPECT_FALSE(Client(stranger.ca_file)->Get("/hello"));
  EXPECT_TRUE(Client(tls_.ca_file)->Get("/hello"));
}

TEST_F(HttpsServerTest, GivesNothingToAPlainTextClient) {
  const std::string answer =
      Exchange(server_->port(), "GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(answer.find("hello"), std::string::npos);
  EXPECT_EQ(answer.find("HTTP/"), std::string::npos);
}

TEST_F(HttpsServerTest, SilentHandshakesMakeRoomForOthers) {
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 4; ++i) silent.push_back(std::make_unique<RawClient>(server_->port()));
  EXPECT_TRUE(Client(tls_.ca_file)->Get("/hello"));
}

TEST_F(HttpsServerTest, StopEndsAHandshakeThatHasBegun) {
  const RawClient half(server_->port());
  half.Send(std::string_view("\x16\x03\x01\x02", 4));
  auto stopped = std::async(std::launch::async, [this] { server_->Stop(); });
  EXPECT_EQ(stopped.wait_for(std::chrono::seconds(15)), std::future_status::ready);
}

TEST_F(HttpsServerTest, RenewedFilesComeIntoForceAndWrongOnesDoNot) {
  auto tls = TlsServer::Create(tls_, ClientCertificate::kNotAsked, Nanoseconds(0));
  ASSERT_TRUE(tls) << tls.error().message;
  auto server = HttpServer::Bind({"127.0.0.1", 0}, OpsHttpLimits(), *std::move(tls));
  ASSERT_TRUE(server) << server.error().message;
  (*server)->Route("GET", "/hello", [](const auto&, auto& response) {
    response.set_content("hello\n", "text/plain");
  });
  (*server)->Start();
  const auto answers = [&](const std::string& ca_file) {
    httplib::SSLClient client("127.0.0.1", (*server)->port());
    client.set_ca_cert_path(ca_file.c_str());
    client.set_read_timeout(30);
    return static_cast<bool>(client.Get("/hello"));
  };
  const TempDirectory before, after;
  const std::string old_ca = pki_.Issue(before, "IP:127.0.0.1").ca_file;
  const TestPki renewed;
  const TlsConfig next = renewed.Issue(after, "IP:127.0.0.1");
  EXPECT_TRUE(answers(old_ca));
  EXPECT_FALSE(answers(next.ca_file));
  // Half of the renewal: the new certificate with the old key.
  std::filesystem::copy_file(next.certificate_file, tls_.certificate_file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(answers(old_ca));
  std::filesystem::copy_file(next.key_file, tls_.key_file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(answers(next.ca_file));
  EXPECT_FALSE(answers(old_ca));
}

// A server that wants a certificate of its clients, and reads its files anew for each of them.
class MutualTlsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);
    auto tls = TlsServer::Create(tls_, ClientCertificate::kRequired, Nanoseconds(0));
    ASSERT_TRUE(tls) << tls.error().message;
    auto server = HttpServer::Bind({"127.0.0.1", 0}, OpsHttpLimits(), *std::move(tls));
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    server_->Route("GET", "/hello", [](const auto&, auto& response) {
      response.set_content("hello\n", "text/plain");
    });
    server_->Start();
  }

  bool Answers(httplib::SSLClient client) const {
    client.set_ca_cert_path(trusted_.c_str());
    client.set_read_timeout(30);
    return static_cast<bool>(client.Get("/hello"));
  }
  bool AnswersTo(const TlsConfig& own) const {
    return Answers(
        httplib::SSLClient("127.0.0.1", server_->port(), own.certificate_file, own.key_file));
  }

  const TestPki pki_;
  const TempDirectory directory_, client_directory_, stranger_directory_;
  const TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  const TlsConfig client_ = pki_.Issue(client_directory_, "DNS:scheduler");
  const TestPki strange_pki_;
  const TlsConfig stranger_ = strange_pki_.Issue(stranger_directory_, "DNS:scheduler");
  const std::string trusted_ = client_.ca_file;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(MutualTlsTest, AnswersOnlyToACertificateOfItsCa) {
  EXPECT_TRUE(AnswersTo(client_));
  EXPECT_FALSE(AnswersTo(stranger_));
  EXPECT_FALSE(Answers(httplib::SSLClient("127.0.0.1", server_->port())));
  EXPECT_TRUE(AnswersTo(client_));
}

TEST_F(MutualTlsTest, ARenewedCaIsInForceWithoutARestart) {
  EXPECT_TRUE(AnswersTo(client_));
  std::filesystem::copy_file(stranger_.ca_file, tls_.ca_file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(AnswersTo(client_));
  EXPECT_TRUE(AnswersTo(stranger_));
}

TEST_F(HttpsServerTest, RefusesFilesThatDoNotFit) {
  TlsConfig wrong = tls_;
  wrong.key_file = tls_.ca_file;
  EXPECT_FALSE(TlsServer::Create(wrong));
}

}  // namespace
}  // namespace fairlead
