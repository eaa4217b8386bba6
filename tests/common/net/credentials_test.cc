#include "common/net/credentials.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <string>

#include "common/net/call_token.h"
#include "common/net/tls_files.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead {
namespace {

// Answers every unary call with the caller's token, or why there is none.
class TokenEcho final : public grpc::CallbackGenericService {
  class Reactor final : public grpc::ServerGenericBidiReactor {
   public:
    explicit Reactor(const grpc::GenericCallbackServerContext& context) {
      const Result<std::string> token = TokenOf(context);
      if (!token) {
        Finish(grpc::Status(grpc::StatusCode::UNAUTHENTICATED, token.error().message));
        return;
      }
      const grpc::Slice slice(*token);
      reply_ = grpc::ByteBuffer(&slice, 1);
      StartWriteAndFinish(&reply_, {}, grpc::Status::OK);
    }
    void OnDone() override { delete this; }

   private:
    grpc::ByteBuffer reply_;
  };
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override {
    return new Reactor(*context);
  }
};

struct Answer {
  grpc::Status status;
  std::string token;
};

// A server that listens on a free port of 127.0.0.1.
class Server {
 public:
  explicit Server(const TlsConfig& tls) {
    grpc::ServerBuilder builder;
    builder.RegisterCallbackGenericService(&service_);
    builder.AddListeningPort("127.0.0.1:0", MakeServerCredentials(tls, "127.0.0.1:0").value(),
                             &port_);
    server_ = builder.BuildAndStart();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  TokenEcho service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

Answer Call(const std::string& address, const TlsConfig& tls, const TokenSource* token) {
  const auto channel = grpc::CreateChannel(address, MakeChannelCredentials(tls, address).value());
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  if (token != nullptr) {
    EXPECT_TRUE(AddToken(*token, context));
  }
  grpc::CompletionQueue queue;
  grpc::ByteBuffer reply;
  Answer answer;
  const grpc::Slice empty("");
  const auto call =
      stub.PrepareUnaryCall(&context, "/test/Echo", grpc::ByteBuffer(&empty, 1), &queue);
  call->StartCall();
  call->Finish(&reply, &answer.status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  if (answer.status.ok()) {
    grpc::Slice slice;
    EXPECT_TRUE(reply.DumpToSingleSlice(&slice).ok());
    answer.token.assign(reinterpret_cast<const char*>(slice.begin()), slice.size());
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
