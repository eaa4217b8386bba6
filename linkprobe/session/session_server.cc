#include "linkprobe/session/session_server.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/resource_quota.h>

#include <utility>

#include "common/net/grpc_status.h"
#include "fairlead/v1/session.grpc.pb.h"
#include "linkprobe/session/peer_address.h"

namespace fairlead::linkprobe {
namespace {

// A request is a few hundred bytes; nothing larger needs to be read.
constexpr int kLargestMessageBytes = 64 * 1024;
constexpr int kLargestThreadCount = 6;

class Service final : public v1::LinkSession::Service {
 public:
  Service(SessionDesk& desk, MeasureDesk* measure) : desk_(desk), measure_(measure) {}

  grpc::Status Open(grpc::ServerContext* context, const v1::OpenRequest* request,
                    v1::OpenReply* reply) override {
    auto decision = desk_.Open(*request, HostOfPeer(context->peer()));
    if (!decision.reply) return ToGrpcStatus(decision.reply.error());
    *reply = std::move(*decision.reply);
    return grpc::Status::OK;
  }

  grpc::Status Measure(grpc::ServerContext* context, const v1::MeasureRequest* request,
                       v1::MeasureReply* reply) override {
    if (measure_ == nullptr) {
      return {grpc::StatusCode::UNIMPLEMENTED, "this probe takes no bandwidth tests"};
    }
    auto answer = measure_->Handle(*request, HostOfPeer(context->peer()));
    if (!answer) return ToGrpcStatus(answer.error());
    *reply = std::move(*answer);
    return grpc::Status::OK;
  }

 private:
  SessionDesk& desk_;
  MeasureDesk* const measure_;
};

}  // namespace

struct SessionServer::Impl {
  Impl(SessionDesk& desk, MeasureDesk* measure) : service(desk, measure) {}

  Service service;
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

Result<std::unique_ptr<SessionServer>> SessionServer::Start(
    const std::string& address, std::shared_ptr<grpc::ServerCredentials> credentials,
    SessionDesk& desk, MeasureDesk* measure) {
  auto impl = std::make_unique<Impl>(desk, measure);
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, std::move(credentials), &impl->port);
  builder.RegisterService(&impl->service);
  builder.SetMaxReceiveMessageSize(kLargestMessageBytes);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  grpc::ResourceQuota quota("link_session");
  quota.SetMaxThreads(kLargestThreadCount);
  builder.SetResourceQuota(quota);
  impl->server = builder.BuildAndStart();
  if (!impl->server || impl->port == 0) {
    return Fail(ErrorCode::kUnavailable,
                "listen for sessions on " + address +
                    ": the address cannot be bound; is another program using it? Set "
                    "linkprobe.sessionListen to a free one");
  }
  return std::unique_ptr<SessionServer>(new SessionServer(std::move(impl)));
}

SessionServer::SessionServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

SessionServer::~SessionServer() {
  // Requests are answered in microseconds; whoever has not finished by then is cut off.
  impl_->server->Shutdown(std::chrono::system_clock::now() + Milliseconds(200));
  impl_->server->Wait();
}

int SessionServer::port() const { return impl_->port; }

}  // namespace fairlead::linkprobe
