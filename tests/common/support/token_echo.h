// A gRPC server and a caller that try out credentials.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "common/net/call_token.h"
#include "common/net/credentials.h"
#include "fairlead/v1/session.grpc.pb.h"

namespace fairlead {

inline constexpr char kTokenSeenKey[] = "token-seen";

// Listens on a free port of 127.0.0.1 and sends the caller's token back, or why there is none.
class TokenEchoServer {
 public:
  explicit TokenEchoServer(const TlsConfig& tls, Seconds refresh = Seconds(10)) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    builder.AddListeningPort("127.0.0.1:0",
                             MakeServerCredentials(tls, "127.0.0.1:0", refresh).value(), &port_);
    server_ = builder.BuildAndStart();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  class Service final : public v1::LinkSession::Service {
    grpc::Status Open(grpc::ServerContext* context, const v1::OpenRequest*,
                      v1::OpenReply*) override {
      const Result<std::string> token = TokenOf(*context);
      if (!token) return {grpc::StatusCode::UNAUTHENTICATED, token.error().message};
      context->AddTrailingMetadata(kTokenSeenKey, *token);
      return grpc::Status::OK;
    }
  };

  Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

struct TokenEchoAnswer {
  grpc::Status status;
  std::string token;
};

// One call over a connection of its own. `patient`: tried again until the server takes it.
inline TokenEchoAnswer CallTokenEcho(const std::string& address, const TlsConfig& tls,
                                     const TokenSource* token, bool patient = false,
                                     Seconds refresh = Seconds(10)) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto channel = grpc::CreateCustomChannel(
      address, MakeChannelCredentials(tls, address, refresh).value(), arguments);
  const auto stub = v1::LinkSession::NewStub(channel);
  grpc::ClientContext context;
  context.set_wait_for_ready(patient);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  if (token != nullptr) {
    EXPECT_TRUE(AddToken(*token, context));
  }
  v1::OpenReply reply;
  TokenEchoAnswer answer;
  answer.status = stub->Open(&context, {}, &reply);
  const auto& trailing = context.GetServerTrailingMetadata();
  if (const auto found = trailing.find(kTokenSeenKey); found != trailing.end()) {
    answer.token.assign(found->second.data(), found->second.size());
  }
  return answer;
}

}  // namespace fairlead
