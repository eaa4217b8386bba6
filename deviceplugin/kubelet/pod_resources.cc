#include "deviceplugin/kubelet/pod_resources.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>

#include "common/base/log.h"
#include "common/base/quote.h"
#include "common/base/result.h"
#include "deviceplugin/kubelet/local_channel.h"
#include "deviceplugin/kubelet/socket_file.h"
#include "kubelet/podresources_v1.grpc.pb.h"

namespace fairlead::deviceplugin {
namespace {

// kubelet may list a container's devices of one resource in several parts, one for each NUMA node.
std::vector<Holding> Decode(const ::v1::ListPodResourcesResponse& response,
                            const std::set<std::string>& resources) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::set<std::string>>
      held;
  for (const ::v1::PodResources& pod : response.pod_resources()) {
    for (const ::v1::ContainerResources& container : pod.containers()) {
      for (const ::v1::ContainerDevices& devices : container.devices()) {
        if (!resources.contains(devices.resource_name())) continue;
        held[{pod.namespace_(), pod.name(), container.name(), devices.resource_name()}].insert(
            devices.device_ids().begin(), devices.device_ids().end());
      }
    }
  }
  std::vector<Holding> holdings;
  for (const auto& [key, ids] : held) {
    const auto& [pod_namespace, pod, container, resource] = key;
    holdings.push_back({pod_namespace, pod, container, resource, {ids.begin(), ids.end()}});
  }
  return holdings;
}

}  // namespace

class PodResourcesLister::Loop {
 public:
  Loop(PodResourcesOptions options, const Snapshot<Offer>& offer, const Clock& clock)
      : options_(std::move(options)),
        socket_(options_.kubelet_directory + "/pod-resources/kubelet.sock"),
        offer_(offer),
        clock_(clock),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  const Snapshot<PodHoldings>& holdings() const { return holdings_; }

  PodResourcesStatus Status() const {
    std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Poll(stop);
      std::unique_lock lock(mutex_);
      stopped_.wait_for(lock, stop, options_.interval, [] { return false; });
    }
  }

  void Poll(const std::stop_token& stop) {
    const bool present = IdentifySocket(socket_).has_value();
    Count(present);
    if (!present) return;
    auto response = Ask(stop);
    if (stop.stop_requested()) return;
    if (!response) return Failed(response.error().message);
    std::set<std::string> names;
    for (const auto& resource : *offer_.Get()) names.insert(resource->name());
    holdings_.Publish({.holdings = Decode(*response, names), .read_at = clock_.Now()});
    std::lock_guard lock(mutex_);
    status_.last_error.clear();
  }

  Result<::v1::ListPodResourcesResponse> Ask(const std::stop_token& stop) {
    const auto stub = ::v1::PodResourcesLister::NewStub(LocalChannel(socket_));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::ceil<std::chrono::microseconds>(options_.deadline));
    const std::stop_callback cancel(stop, [&context] { context.TryCancel(); });
    ::v1::ListPodResourcesResponse response;
    const grpc::Status status = stub->List(&context, {}, &response);
    if (status.ok()) return response;
    return Fail(ErrorCode::kUnavailable,
                "list pod resources at " + socket_ + ": " + Quoted(status.error_message(), 512));
  }

  void Count(bool present) {
    std::lock_guard lock(mutex_);
    ++status_.polls;
    if (!present) ++status_.absent;
    status_.last_turn = clock_.Now();
  }

  void Failed(const std::string& why) {
    std::lock_guard lock(mutex_);
    ++status_.failures;
    if (status_.last_error != why) LogWarning("pod resources not listed", {{"error", why}});
    status_.last_error = why;
  }

  const PodResourcesOptions options_;
  const std::string socket_;
  const Snapshot<Offer>& offer_;
  const Clock& clock_;
  Snapshot<PodHoldings> holdings_;
  mutable std::mutex mutex_;
  std::condition_variable_any stopped_;
  PodResourcesStatus status_;
  std::jthread thread_;
};

PodResourcesLister::PodResourcesLister(PodResourcesOptions options, const Snapshot<Offer>& offer,
                                       const Clock& clock)
    : loop_(std::make_unique<Loop>(std::move(options), offer, clock)) {}
PodResourcesLister::~PodResourcesLister() = default;

const Snapshot<PodHoldings>& PodResourcesLister::holdings() const { return loop_->holdings(); }
PodResourcesStatus PodResourcesLister::Status() const { return loop_->Status(); }

}  // namespace fairlead::deviceplugin
