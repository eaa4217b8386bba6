#include "extender/registry/registry_server.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "common/base/log.h"
#include "common/config/names.h"
#include "common/net/call_token.h"
#include "common/net/credentials.h"
#include "common/net/grpc_status.h"
#include "extender/registry/probe_stream.h"
#include "fairlead/v1/registry.grpc.pb.h"

namespace fairlead::extender {
namespace {

constexpr std::uint32_t kMaxStreamsOfNode = 4;
constexpr int kKeepaliveMilliseconds = 10'000;
constexpr auto kStopPatience = std::chrono::milliseconds(500);

// A stream that is refused before anything of it is read.
class RefusedStream final : public ProbeReactor {
 public:
  explicit RefusedStream(const Error& why) { Finish(ToGrpcStatus(why)); }
  void OnDone() override { delete this; }
};

// A silent death of a probe is noticed by HTTP/2 pings; probes may ping as often themselves.
void Limit(grpc::ServerBuilder& builder) {
  // A stream judges the size itself, so that it is counted. gRPC's own limit would save nothing: it
  // compares when the whole message has come.
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 8);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, 32 << 10);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kKeepaliveMilliseconds / 2);
  // Or a second extender would share the port in silence.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

}  // namespace

// The one method of the service, called with bytes.
using RawService = v1::LinkRegistry::WithRawCallbackMethod_Connect<v1::LinkRegistry::Service>;

class RegistryServer::Impl final : public RawService {
 public:
  Impl(StreamContext context, TokenVerifier& tokens) : context_(context), tokens_(tokens) {}

  ~Impl() override {
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + kStopPatience);
  }

  Status Start(const ListenAddress& address, const TlsConfig& tls) {
    const std::string text = FormatListenAddress(address);
    const auto credentials = MakeServerCredentials(tls, text);
    if (!credentials) return Fail(credentials.error().Within("extender.grpcListen"));
    grpc::ServerBuilder builder;
    builder.AddListeningPort(text, *credentials, &port_);
    Limit(builder);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    if (!server_ || port_ == 0) {
      return Fail(ErrorCode::kUnavailable,
                  "cannot listen on " + text +
                      ": the port is taken or the address is not one of this host's; choose "
                      "another extender.grpcListen");
    }
    return {};
  }

  using RawService::Connect;
  ProbeReactor* Connect(grpc::CallbackServerContext* call) override {
    const auto token = TokenOf(*call);
    if (!token) return RefuseToken(token.error());
    const auto node = tokens_.NodeOf(*token);
    if (!node) return RefuseToken(node.error());
    {
      std::lock_guard lock(mutex_);
      std::uint32_t& streams = streams_of_[*node];
      if (streams >= kMaxStreamsOfNode) {
        context_.observer.ReportRefused("too_many_streams");
        return new RefusedStream({ErrorCode::kResourceExhausted,
                                  "too many streams of node " + *node + "; close the others"});
      }
      ++streams;
    }
    return new ProbeStream(context_, *node, [this, name = *node] { StreamDone(name); });
  }

  std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

 private:
  RefusedStream* RefuseToken(const Error& why) {
    context_.observer.ReportRefused("unauthenticated");
    LogWarning("probe refused", {{"reason", why.message}});
    return new RefusedStream(why);
  }

  void StreamDone(const std::string& node) {
    std::lock_guard lock(mutex_);
    if (--streams_of_[node] == 0) streams_of_.erase(node);
  }

  const StreamContext context_;
  TokenVerifier& tokens_;
  int port_ = 0;
  std::mutex mutex_;
  std::map<std::string, std::uint32_t> streams_of_;
  std::unique_ptr<grpc::Server> server_;
};

RegistryServer::RegistryServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RegistryServer::~RegistryServer() = default;

std::uint16_t RegistryServer::port() const { return impl_->port(); }

Result<std::unique_ptr<RegistryServer>> RegistryServer::Start(
    const ListenAddress& address, const TlsConfig& tls, const Snapshot<Setup>& setup,
    const Clock& clock, TokenVerifier& tokens, RegistryObserver& observer, RegistryLoop& loop) {
  auto impl = std::make_unique<Impl>(
      StreamContext{.setup = setup, .clock = clock, .observer = observer, .loop = loop}, tokens);
  if (auto started = impl->Start(address, tls); !started) return Fail(std::move(started.error()));
  return std::unique_ptr<RegistryServer>(new RegistryServer(std::move(impl)));
}

}  // namespace fairlead::extender
