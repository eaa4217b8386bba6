#include "common/net/credentials.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/net/call_token.h"
#include "common/net/tls_files.h"
#include "fairlead/v1/session.grpc.pb.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead {
namespace {

constexpr char kTokenKey[] = "token-seen";

// Sends the caller's token back, or why there is none.
class TokenEcho final : public v1::LinkSession::Service {
  grpc::Status Open(grpc::ServerContext* context, const v1::OpenRequest*, v1::OpenReply*) override {
    const Result<std::string> token = TokenOf(*context);
    if (!token) return {grpc::StatusCode::UNAUTHENTICATED, token.error().message};
    context->AddTrailingMetadata(kTokenKey, *token);
    return grpc::Status::OK;
  }
};

struct Answer {
  grpc::Status status;
  std::string token;
};

// A server that listens on a free port of 127.0.0.1.
class Server {
 public:
  explicit Server(const TlsConfig& tls, Seconds refresh = Seconds(10)) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    builder.AddListeningPort("127.0.0.1:0",
                             MakeServerCredentials(tls, "127.0.0.1:0", refresh).value(), &port_);
    server_ = builder.BuildAndStart();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  TokenEcho service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// `patient`: tried again until the server takes it.
Answer Call(const std::string& address, const TlsConfig& tls, const TokenSource* token,
            bool patient = false) {
  const auto channel = grpc::CreateChannel(address, MakeChannelCredentials(tls, address).value());
  const auto stub = v1::LinkSession::NewStub(channel);
  grpc::ClientContext context;
  context.set_wait_for_ready(patient);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  if (token != nullptr) {
    EXPECT_TRUE(AddToken(*token, context));
  }
  v1::OpenReply reply;
  Answer answer;
  answer.status = stub->Open(&context, {}, &reply);
  const auto& trailing = context.GetServerTrailingMetadata();
  if (const auto found = trailing.find(kTokenKey); found != trailing.end()) {
    answer.token.assign(found->second.data(), found->second.size());
  }
  return answer;
}

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
  const Server server(tls_);
  const Answer answer = Call(server.address(), tls_, &token_);
  ASSERT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.token, "secret-token");
}

TEST_F(CredentialsTest, CarryTheTokenInPlainTextOnLoopback) {
  const Server server({});
  EXPECT_EQ(Call(server.address(), {}, &token_).token, "secret-token");
}

TEST_F(CredentialsTest, ACallWithoutTokenIsUnauthenticated) {
  const Server server(tls_);
  EXPECT_EQ(Call(server.address(), tls_, nullptr).status.error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(CredentialsTest, AServerOfAnotherNameIsRefused) {
  const TempDirectory other;
  const Server server(pki_.Issue(other, "IP:10.0.0.1"));
  EXPECT_EQ(Call(server.address(), tls_, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, AStrangersServerIsRefused) {
  const TempDirectory other;
  const Server server(TestPki().Issue(other, "IP:127.0.0.1"));
  EXPECT_EQ(Call(server.address(), tls_, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, AStrangersClientIsRefused) {
  const Server server(tls_);
  const TempDirectory other;
  TlsConfig stranger = TestPki().Issue(other, "IP:127.0.0.1");
  stranger.ca_file = tls_.ca_file;
  EXPECT_EQ(Call(server.address(), stranger, &token_).status.error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(CredentialsTest, APlainTextClientIsRefused) {
  const Server server(tls_);
  EXPECT_FALSE(Call(server.address(), {}, &token_).status.ok());
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
  const Server server(tls_, Seconds(1));
  ASSERT_TRUE(Call(server.address(), old_client, &token_).status.ok());
  ASSERT_FALSE(Call(server.address(), new_client, &token_).status.ok());
  renewed.Issue(directory_, "IP:127.0.0.1");  // over the server's files
  const Answer answer = Call(server.address(), new_client, &token_, true);
  EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.token, "secret-token");
  EXPECT_FALSE(Call(server.address(), old_client, &token_).status.ok());
}

TEST_F(CredentialsTest, AClientsRenewedFilesComeIntoForceWithoutARestart) {
  const TempDirectory other;
  const TestPki renewed;
  const Server server(renewed.Issue(other, "IP:127.0.0.1"));
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

TEST_F(CredentialsTest, BadFilesAreNamed) {
  const TempDirectory other;
  const TlsConfig stranger = pki_.Issue(other, "IP:127.0.0.1");
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
