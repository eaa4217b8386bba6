#include "common/net/credentials.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/net/call_token.h"
#include "common/net/tls_files.h"
#include "fairlead/v1/session.grpc.pb.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"
#include "tests/common/support/token_echo.h"

namespace fairlead {
namespace {

class CredentialsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::permissions(token_.path(), std::filesystem::perms(0600));
  }

  TestPki pki_;
  TempDirectory directory_;
  TokenSource token_{directory_.Write("token", "secret-token\n")};
  TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1,DNS:extender.fairlead.svc");
};

TEST_F(CredentialsTest, CarryTheTokenOverTls) {
  const TokenEchoServer server(tls_);
  const TokenEchoAnswer answer = CallTokenEcho(server.address(), tls_, &token_);
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.token, "secret-token");
}

TEST_F(CredentialsTest, CarryTheTokenInPlainTextOnLoopback) {
  const TokenEchoServer server({});
  EXPECT_EQ(CallTokenEcho(server.address(), {}, &token_).token, "secret-token");
}

TEST_F(CredentialsTest, ACallWithoutTokenIsUnauthenticated) {
  const TokenEchoServer server(tls_);
  EXPECT_EQ(CallTokenEcho(server.address(), tls_, nullptr).status.error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(CredentialsTest, AServerOfAnotherNameIsRefused) {
  const TempDirectory other;
  const TokenEchoServer server(pki_.Issue(other, "IP:10.0.0.1"));
  EXPECT_EQ(CallTokenEcho(server.address(), tls_, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, AStrangersServerIsRefused) {
  const TempDirectory other;
  const TokenEchoServer server(TestPki().Issue(other, "IP:127.0.0.1"));
  EXPECT_EQ(CallTokenEcho(server.address(), tls_, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, AStrangersClientIsRefused) {
  const TokenEchoServer server(tls_);
  const TempDirectory other;
  TlsConfig stranger = TestPki().Issue(other, "IP:127.0.0.1");
  stranger.ca_file = tls_.ca_file;
  EXPECT_EQ(CallTokenEcho(server.address(), stranger, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, APlainTextClientIsRefused) {
  const TokenEchoServer server(tls_);
  EXPECT_FALSE(CallTokenEcho(server.address(), {}, &token_).status.ok());
}

TEST_F(CredentialsTest, PlainTextBeyondLoopbackIsRefused) {
  EXPECT_FALSE(MakeServerCredentials({}, "0.0.0.0:0"));
  EXPECT_FALSE(MakeChannelCredentials({}, "10.0.0.1:1"));
}

TEST_F(CredentialsTest, RenewedFilesComeIntoForceWithoutARestart) {
  const TempDirectory before, after;
  const TlsConfig old_client = pki_.Issue(before, "IP:127.0.0.1");
  const TestPki renewed;
  const TlsConfig new_client = renewed.Issue(after, "IP:127.0.0.1");
  const TokenEchoServer server(tls_, Seconds(1));
  ASSERT_TRUE(CallTokenEcho(server.address(), old_client, &token_).status.ok());
  ASSERT_FALSE(CallTokenEcho(server.address(), new_client, &token_).status.ok());
  renewed.Issue(directory_, "IP:127.0.0.1");  // over the server's files
  const TokenEchoAnswer answer = CallTokenEcho(server.address(), new_client, &token_, true);
  EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.token, "secret-token");
  EXPECT_FALSE(CallTokenEcho(server.address(), old_client, &token_).status.ok());
}

TEST_F(CredentialsTest, AClientsRenewedFilesComeIntoForceWithoutARestart) {
  const TempDirectory other;
  const TestPki renewed;
  const TokenEchoServer server(renewed.Issue(other, "IP:127.0.0.1"));
  const auto credentials = MakeChannelCredentials(tls_, server.address(), Seconds(1)).value();
  const auto stub = v1::LinkSession::NewStub(grpc::CreateChannel(server.address(), credentials));
  const auto call = [&](bool patient) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    context.set_wait_for_ready(patient);
    EXPECT_TRUE(AddToken(token_, context));
    v1::OpenReply reply;
    return stub->Open(&context, {}, &reply);
  };
  ASSERT_FALSE(call(false).ok());
  renewed.Issue(directory_, "IP:127.0.0.1");  // over the client's files
  const grpc::Status answered = call(true);
  EXPECT_TRUE(answered.ok()) << answered.error_message();
}

TEST_F(CredentialsTest, EveryFaultOfTheFilesIsFound) {
  const TempDirectory other;
  TlsConfig tls = pki_.Issue(other, "IP:127.0.0.1", -60);
  tls.key_file = tls_.key_file;
  tls.ca_file = token_.path();
  std::vector<std::string> keys;
  for (const TlsFault& fault : FindTlsFaults(tls)) keys.emplace_back(fault.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"tls.caFile", "tls.keyFile", "tls.certificateFile"}));
  EXPECT_TRUE(FindTlsFaults(tls_).empty());
}

TEST_F(CredentialsTest, AnExpiredCertificateIsNamed) {
  const TempDirectory other;
  const TlsConfig expired = pki_.Issue(other, "IP:127.0.0.1", -60);
  const auto files = ReadTlsFiles(expired);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().message, "tls.certificateFile: \"" + expired.certificate_file +
                                       "\" has expired; renew it, or correct this host's clock");
}

TEST_F(CredentialsTest, AKeyThatOpenSslFindsTooShortIsNamed) {
  const TempDirectory other;
  const TlsConfig weak = pki_.Issue(other, "IP:127.0.0.1", 3600, "secp112r1");
  const auto files = ReadTlsFiles(weak);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().message, "tls.certificateFile: \"" + weak.certificate_file +
                                       "\" is refused by OpenSSL (ee key too small); issue one "
                                       "with a stronger key");
}

TEST_F(CredentialsTest, BadFilesAreNamed) {
  const TempDirectory other;
  const TlsConfig stranger = pki_.Issue(other, "IP:127.0.0.1");
  const std::string empty = other.Write("empty", "");
  const std::string ca = ReadFile(tls_.ca_file, 1U << 20).value();
  const std::string damaged = other.Write("damaged", ca + ca.substr(0, 100) + "!" + ca.substr(100));
  const struct {
    std::string TlsConfig::*file;
    std::string path;
    std::string message;
  } kCases[] = {
      {&TlsConfig::certificate_file, "/none", "tls.certificateFile: read \"/none\": no such file"},
      {&TlsConfig::key_file, "/none", "tls.keyFile: read \"/none\": no such file"},
      {&TlsConfig::ca_file, "/none", "tls.caFile: read \"/none\": no such file"},
      {&TlsConfig::certificate_file, token_.path(), "holds no PEM certificate"},
      {&TlsConfig::key_file, token_.path(), "holds no unencrypted PEM private key"},
      {&TlsConfig::ca_file, token_.path(), "holds no PEM certificate"},
      {&TlsConfig::key_file, stranger.key_file, "does not belong to the certificate"},
      {&TlsConfig::certificate_file, empty, "\" is empty; write it anew"},
      {&TlsConfig::key_file, empty, "\" is empty; write it anew"},
      {&TlsConfig::ca_file, empty, "\" is empty; write it anew"},
      {&TlsConfig::ca_file, damaged, "holds a damaged certificate, number 2; write the file anew"},
  };
  ASSERT_TRUE(ReadTlsFiles(tls_)) << ReadTlsFiles(tls_).error().message;
  for (const auto& c : kCases) {
    TlsConfig tls = tls_;
    tls.*c.file = c.path;
    const auto credentials = MakeServerCredentials(tls, "0.0.0.0:0");
    ASSERT_FALSE(credentials) << c.path;
    EXPECT_NE(credentials.error().message.find(c.message), std::string::npos)
        << credentials.error().message;
  }
}

}  // namespace
}  // namespace fairlead
