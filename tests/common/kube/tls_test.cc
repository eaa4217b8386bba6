// The connection against a server with certificates.
#include <gtest/gtest.h>
#include <httplib.h>

#include <csignal>
#include <thread>

#include "common/base/file.h"
#include "common/kube/api_connection.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead::kube {
namespace {

// HTTPS on the loopback; with an authority, clients must show a certificate of it.
class HttpsServer {
 public:
  explicit HttpsServer(const TlsConfig& tls, const char* client_ca = nullptr)
      : server_(tls.certificate_file.c_str(), tls.key_file.c_str(), client_ca) {
    server_.Get("/x", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("{}", "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::jthread([this] { server_.listen_after_bind(); });
    // stop() before that is forgotten, and the thread would listen for ever.
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~HttpsServer() { server_.stop(); }

  std::string url(const std::string& host = "127.0.0.1") const {
    return "https://" + host + ":" + std::to_string(port_);
  }
  httplib::SSLServer& server() { return server_; }

 private:
  httplib::SSLServer server_;
  int port_ = 0;
  std::jthread thread_;
};

class TlsTest : public testing::Test {
 protected:
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }

  ApiResult<std::string> Ask(const Access& access) {
    const auto connection = ApiConnection::Create(access, "test/1", clock_);
    if (!connection) throw std::runtime_error(connection.error().message);
    ApiRequest request;
    request.path = "/x";
    return (*connection)->Call(request);
  }
  Access To(const HttpsServer& server) const {
    Access access;
    access.server = server.url();
    access.ca_file = tls_.ca_file;
    return access;
  }
  static std::string Text(const std::string& file) { return ReadFile(file, 1U << 20).value(); }

  SystemClock clock_;
  TestPki pki_;
  TempDirectory directory_;
  TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
};

TEST_F(TlsTest, TrustsItsOwnAuthorityAsFileAndAsText) {
  const HttpsServer server(tls_);
  Access access = To(server);
  EXPECT_TRUE(Ask(access));
  access.ca_pem = Text(access.ca_file);
  access.ca_file.clear();
  EXPECT_TRUE(Ask(access));
}

TEST_F(TlsTest, TrustsNoOtherAuthority) {
  const HttpsServer server(tls_);
  const TempDirectory other;
  Access access = To(server);
  access.ca_file = TestPki().Issue(other, "IP:127.0.0.1").ca_file;
  const auto answer = Ask(access);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("check the CA"), std::string::npos);
  access.ca_file.clear();  // what this host trusts
  EXPECT_EQ(Ask(access).error().failure, ApiFailure::kAccess);
}

TEST_F(TlsTest, ExpectsTheServersNameOrTheOneThatWasSet) {
  const TempDirectory named;
  const HttpsServer server(pki_.Issue(named, "DNS:kubernetes"));
  Access access = To(server);
  EXPECT_EQ(Ask(access).error().failure, ApiFailure::kAccess);
  access.tls_server_name = "kubernetes";
  const auto answer = Ask(access);
  EXPECT_TRUE(answer) << answer.error().message;
  access.tls_server_name = "other";
  EXPECT_EQ(Ask(access).error().failure, ApiFailure::kAccess);
}

TEST_F(TlsTest, ShowsItsCertificateAsFileAndAsText) {
  const HttpsServer server(tls_, tls_.ca_file.c_str());
  Access access = To(server);
  EXPECT_FALSE(Ask(access));
  const TempDirectory mine;
  const TlsConfig own = pki_.Issue(mine, "DNS:client");
  access.certificate_file = own.certificate_file;
  access.key_file = own.key_file;
  auto answer = Ask(access);
  EXPECT_TRUE(answer) << answer.error().message;
  access.certificate_pem = Text(own.certificate_file);
  access.key_pem = Text(own.key_file);
  access.certificate_file.clear();
  access.key_file.clear();
  answer = Ask(access);
  EXPECT_TRUE(answer) << answer.error().message;
}

TEST_F(TlsTest, AWrongFileIsNamedInTheRefusal) {
  const HttpsServer server(tls_);
  Access access = To(server);
  access.ca_file = "/nowhere/ca.crt";
  auto answer = Ask(access);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kAccess);
  EXPECT_NE(answer.error().message.find("/nowhere/ca.crt"), std::string::npos);
  access = To(server);
  access.certificate_file = tls_.certificate_file;
  access.key_file = tls_.ca_file;
  answer = Ask(access);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().failure, ApiFailure::kAccess) << answer.error().message;
}

TEST_F(TlsTest, SpeaksNothingOlderThanTls12) {
  HttpsServer server(tls_);
  SSL_CTX* const context = server.server().ssl_context();
  SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0");
  SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context, TLS1_1_VERSION);
  EXPECT_FALSE(Ask(To(server)));
  SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
  EXPECT_TRUE(Ask(To(server)));
}

}  // namespace
}  // namespace fairlead::kube
