#include "deviceplugin/kubelet/plugin_server.h"

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/errno_text.h"
#include "common/base/quote.h"
#include "deviceplugin/kubelet/device_streams.h"
#include "deviceplugin/kubelet/messages.h"
#include "deviceplugin/kubelet/plugin_services.h"
#include "deviceplugin/kubelet/socket_file.h"
#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kStopPatience = Milliseconds(200);

// gRPC says only that it could not bind.
Error WhyNotBound(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    return SystemError(errno, "make a socket in " + Quoted(directory, 256));
  }
  return {ErrorCode::kUnavailable, "cannot listen on " + Quoted(path, 256)};
}

}  // namespace

class PluginServer::Impl {
 public:
  Impl(PluginServerOptions options, const Snapshot<Offer>& offer, ServiceTally& tally,
       std::function<void()> changed)
      : options_(std::move(options)),
        offer_(offer),
        tally_(tally),
        streams_(changed),
        plugin_(options_.resource, offer, tally, streams_, options_.late_settings),
        info_(options_.resource, tally, std::move(changed)) {}

  ~Impl() {
    if (!server_) return;
    EndBy(clock_.Now() + kStopPatience);
    const Nanoseconds patience = std::max(*end_by_ - clock_.Now(), Nanoseconds(0));
    // gRPC's deadline cancels calls, but a write to a peer that does not read outlasts even that.
    std::mutex mutex;
    std::condition_variable_any ended;
    const std::jthread cutter([&](const std::stop_token& stop) {
      std::unique_lock lock(mutex);
      ended.wait_for(lock, stop, patience, [] { return false; });
      while (!stop.stop_requested()) {
        CutConnections(options_.socket_path);
        ended.wait_for(lock, stop, kStopPatience, [] { return false; });
      }
    });
    server_->Shutdown(std::chrono::system_clock::now() +
                      std::chrono::ceil<std::chrono::microseconds>(patience));
    server_->Wait();
  }

  void EndBy(MonotonicTime deadline) {
    if (!end_by_ || deadline < *end_by_) end_by_ = deadline;
    streams_.Close(nullptr);
  }

  Status Start() {
    Refresh();
    grpc::ServerBuilder builder;
    builder.AddListeningPort(UnixAddress(options_.socket_path), grpc::InsecureServerCredentials());
    builder.RegisterService(&plugin_);
    if (options_.plugins_registry) builder.RegisterService(&info_);
    server_ = builder.BuildAndStart();
    if (!server_) return Fail(WhyNotBound(options_.socket_path));
    socket_ = IdentifySocket(options_.socket_path);
    return {};
  }

  void Refresh() {
    const auto offer = offer_.Get();
    if (offer == seen_) return;
    seen_ = offer;
    const auto resource = FindResource(*offer, options_.resource);
    if (!resource || (sent_ && *sent_ == resource->devices())) return;
    sent_ = resource->devices();
    tally_.lists.fetch_add(1, std::memory_order_relaxed);
    streams_.Push(std::make_shared<const ::v1beta1::ListAndWatchResponse>(EncodeDevices(*sent_)));
  }

  void Withdraw() { streams_.Close(std::make_shared<const ::v1beta1::ListAndWatchResponse>()); }

  bool own_socket_present() const {
    const auto now = IdentifySocket(options_.socket_path);
    return now && socket_ && now->SameFile(*socket_);
  }

  bool options_stand() const { return plugin_.OptionsStand(); }
  const DeviceStreams& streams() const { return streams_; }
  bool notified() const { return info_.notified(); }
  const std::string& socket_path() const { return options_.socket_path; }

 private:
  const PluginServerOptions options_;
  const Snapshot<Offer>& offer_;
  ServiceTally& tally_;
  DeviceStreams streams_;
  DevicePluginService plugin_;
  RegistrationInfoService info_;
  const SystemClock clock_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<MonotonicTime> end_by_;
  std::optional<SocketIdentity> socket_;
  std::shared_ptr<const Offer> seen_;
  std::optional<std::vector<OfferedDevice>> sent_;
};

PluginServer::PluginServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PluginServer::~PluginServer() = default;

Result<std::unique_ptr<PluginServer>> PluginServer::Start(PluginServerOptions options,
                                                          const Snapshot<Offer>& offer,
                                                          ServiceTally& tally,
                                                          std::function<void()> changed) {
  auto impl = std::make_unique<Impl>(std::move(options), offer, tally, std::move(changed));
  if (auto started = impl->Start(); !started) return Fail(std::move(started.error()));
  return std::unique_ptr<PluginServer>(new PluginServer(std::move(impl)));
}

void PluginServer::Refresh() { impl_->Refresh(); }
void PluginServer::EndBy(MonotonicTime deadline) { impl_->EndBy(deadline); }
void PluginServer::Withdraw() { impl_->Withdraw(); }
bool PluginServer::own_socket_present() const { return impl_->own_socket_present(); }
bool PluginServer::options_stand() const { return impl_->options_stand(); }
std::uint64_t PluginServer::streams_open() const { return impl_->streams().open(); }
std::uint64_t PluginServer::streams_opened() const { return impl_->streams().opened(); }
bool PluginServer::notified() const { return impl_->notified(); }
const std::string& PluginServer::socket_path() const { return impl_->socket_path(); }

}  // namespace fairlead::deviceplugin
