// The gRPC services behind one resource's socket.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>
#include <string>

#include "common/base/snapshot.h"
#include "deviceplugin/kubelet/device_streams.h"
#include "deviceplugin/kubelet/late_settings.h"
#include "deviceplugin/kubelet/service_tally.h"
#include "deviceplugin/offer/resource.h"
#include "kubelet/deviceplugin_v1beta1.grpc.pb.h"
#include "kubelet/pluginregistration_v1.grpc.pb.h"

namespace fairlead::deviceplugin {

// The resource of that name; null where the offer has none.
std::shared_ptr<const Resource> FindResource(const Offer& offer, std::string_view name);

// Thread-safe; what it refers to outlives it.
class DevicePluginService final : public ::v1beta1::DevicePlugin::CallbackService {
 public:
  DevicePluginService(std::string resource, const Snapshot<Offer>& offer, ServiceTally& tally,
                      DeviceStreams& streams, LateSettings late)
      : resource_(std::move(resource)),
        offer_(offer),
        tally_(tally),
        streams_(streams),
        late_(std::move(late)) {}

  // False once kubelet has been told other options than the offer has now: it asks for them only
  // when it registers a socket.
  bool OptionsStand() const;

  grpc::ServerUnaryReactor* GetDevicePluginOptions(
      grpc::CallbackServerContext* call, const ::v1beta1::Empty* request,
      ::v1beta1::DevicePluginOptions* response) override;
  grpc::ServerWriteReactor<::v1beta1::ListAndWatchResponse>* ListAndWatch(
      grpc::CallbackServerContext* call, const ::v1beta1::Empty* request) override;
  grpc::ServerUnaryReactor* GetPreferredAllocation(
      grpc::CallbackServerContext* call, const ::v1beta1::PreferredAllocationRequest* request,
      ::v1beta1::PreferredAllocationResponse* response) override;
  grpc::ServerUnaryReactor* Allocate(grpc::CallbackServerContext* call,
                                     const ::v1beta1::AllocateRequest* request,
                                     ::v1beta1::AllocateResponse* response) override;
  grpc::ServerUnaryReactor* PreStartContainer(
      grpc::CallbackServerContext* call, const ::v1beta1::PreStartContainerRequest* request,
      ::v1beta1::PreStartContainerResponse* response) override;

 private:
  Status Grants(const ::v1beta1::AllocateRequest& request, ::v1beta1::AllocateResponse& response);
  Status Start(const ::v1beta1::PreStartContainerRequest& request);
  Status Preferences(const ::v1beta1::PreferredAllocationRequest& request,
                     ::v1beta1::PreferredAllocationResponse& response);

  // Not each of thousands; the tally has them all.
  void TellRefusal(std::string_view what, const Error& error);

  const std::string resource_;
  const Snapshot<Offer>& offer_;
  ServiceTally& tally_;
  DeviceStreams& streams_;
  const LateSettings late_;
  // What kubelet was told of calls before a start: -1 not yet, else 0 or 1.
  std::atomic<int> told_pre_start_{-1};
};

// What kubelet asks a socket in plugins_registry/. Thread-safe.
class RegistrationInfoService final : public ::pluginregistration::Registration::CallbackService {
 public:
  RegistrationInfoService(std::string resource, ServiceTally& tally, std::function<void()> changed)
      : resource_(std::move(resource)), tally_(tally), changed_(std::move(changed)) {}

  bool notified() const { return notified_.load(std::memory_order_relaxed); }

  grpc::ServerUnaryReactor* GetInfo(grpc::CallbackServerContext* call,
                                    const ::pluginregistration::InfoRequest* request,
                                    ::pluginregistration::PluginInfo* response) override;
  grpc::ServerUnaryReactor* NotifyRegistrationStatus(
      grpc::CallbackServerContext* call, const ::pluginregistration::RegistrationStatus* request,
      ::pluginregistration::RegistrationStatusResponse* response) override;

 private:
  const std::string resource_;
  ServiceTally& tally_;
  const std::function<void()> changed_;
  std::atomic<bool> notified_{false};
};

}  // namespace fairlead::deviceplugin
