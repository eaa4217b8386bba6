#include "deviceplugin/kubelet/plugin_services.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <vector>

#include "common/base/clock.h"
#include "common/base/log.h"
#include "common/base/quote.h"
#include "common/net/grpc_status.h"
#include "deviceplugin/kubelet/messages.h"

namespace fairlead::deviceplugin {
namespace {

grpc::ServerUnaryReactor* Finished(grpc::CallbackServerContext* call, const grpc::Status& status) {
  grpc::ServerUnaryReactor* reactor = call->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

Error NotOffered(const std::string& resource) {
  return {ErrorCode::kNotFound,
          resource + " is not offered any more; its pool was taken out of the configuration"};
}

// A fault behind the interface must not end the process, in which other resources are served.
template <class Answer>
Status Guarded(const Answer& answer) {
  try {
    return answer();
  } catch (const std::exception& fault) {
    return Fail(ErrorCode::kInternal, std::string("answering failed: ") + fault.what());
  }
}

}  // namespace

std::shared_ptr<const Resource> FindResource(const Offer& offer, std::string_view name) {
  const auto found = std::find_if(offer.begin(), offer.end(),
                                  [&](const auto& resource) { return resource->name() == name; });
  return found == offer.end() ? nullptr : *found;
}

grpc::ServerUnaryReactor* DevicePluginService::GetDevicePluginOptions(
    grpc::CallbackServerContext* call, const ::v1beta1::Empty* /*request*/,
    ::v1beta1::DevicePluginOptions* response) {
  response->set_get_preferred_allocation_available(true);
  const auto resource = FindResource(*offer_.Get(), resource_);
  response->set_pre_start_required(resource && resource->wants_pre_start());
  told_pre_start_.store(response->pre_start_required() ? 1 : 0, std::memory_order_relaxed);
  return Finished(call, grpc::Status::OK);
}

bool DevicePluginService::OptionsStand() const {
  const int told = told_pre_start_.load(std::memory_order_relaxed);
  const auto resource = FindResource(*offer_.Get(), resource_);
  return told < 0 || !resource || resource->wants_pre_start() == (told == 1);
}

grpc::ServerWriteReactor<::v1beta1::ListAndWatchResponse>* DevicePluginService::ListAndWatch(
    grpc::CallbackServerContext* /*call*/, const ::v1beta1::Empty* /*request*/) {
  tally_.streams.fetch_add(1, std::memory_order_relaxed);
  return streams_.Open();
}

Status DevicePluginService::Grants(const ::v1beta1::AllocateRequest& request,
                                   ::v1beta1::AllocateResponse& response) {
  const auto offer = offer_.Get();
  const auto resource = FindResource(*offer, resource_);
  if (!resource) return Fail(NotOffered(resource_));
  if (request.container_requests().empty()) {
    return Fail(ErrorCode::kInvalidArgument, "an Allocate without a container request");
  }
  for (const auto& container : request.container_requests()) {
    const std::vector<std::string> ids(container.devices_ids().begin(),
                                       container.devices_ids().end());
    if (ids.empty()) return Fail(ErrorCode::kInvalidArgument, "an Allocate without a device id");
    Result<Grant> grant = resource->Allocate(ids);
    if (!grant) return Fail(grant.error());
    if (late_) {
      late_({.resource = resource_, .ids = ids, .moment = ContainerMoment::kAllocate}, *grant);
    }
    *response.add_container_responses() = EncodeGrant(*grant);
  }
  return {};
}

void DevicePluginService::TellRefusal(std::string_view what, const Error& error) {
  const auto held_back = tally_.refusals_told.Pass(std::chrono::steady_clock::now());
  if (!held_back) return;
  LogWarning(what, {{"resource", resource_}, {"error", error.message}, {"untold", *held_back}});
}

grpc::ServerUnaryReactor* DevicePluginService::Allocate(grpc::CallbackServerContext* call,
                                                        const ::v1beta1::AllocateRequest* request,
                                                        ::v1beta1::AllocateResponse* response) {
  const auto begin = std::chrono::steady_clock::now();
  const Status granted = Guarded([&] { return Grants(*request, *response); });
  tally_.allocation_durations.Add(std::chrono::steady_clock::now() - begin);
  tally_.allocations.fetch_add(1, std::memory_order_relaxed);
  if (granted) return Finished(call, grpc::Status::OK);
  tally_.allocation_failures.fetch_add(1, std::memory_order_relaxed);
  response->Clear();
  const Error error = granted.error().Within(resource_);
  TellRefusal("allocation refused", error);
  return Finished(call, ToGrpcStatus(error));
}

Status DevicePluginService::Preferences(const ::v1beta1::PreferredAllocationRequest& request,
                                        ::v1beta1::PreferredAllocationResponse& response) {
  const auto offer = offer_.Get();
  const auto resource = FindResource(*offer, resource_);
  if (!resource) return Fail(NotOffered(resource_));
  for (const auto& container : request.container_requests()) {
    const Preference question = DecodePreference(container);
    auto& answer = *response.add_container_responses();
    for (std::string& id : resource->Prefer(question)) answer.add_deviceids(std::move(id));
  }
  return {};
}

grpc::ServerUnaryReactor* DevicePluginService::GetPreferredAllocation(
    grpc::CallbackServerContext* call, const ::v1beta1::PreferredAllocationRequest* request,
    ::v1beta1::PreferredAllocationResponse* response) {
  tally_.preferences.fetch_add(1, std::memory_order_relaxed);
  const Status preferred = Guarded([&] { return Preferences(*request, *response); });
  if (!preferred) {
    // An error would fail the pod, although kubelet can choose by itself.
    tally_.preference_failures.fetch_add(1, std::memory_order_relaxed);
    response->Clear();
    for (int i = 0; i < request->container_requests_size(); ++i)
      response->add_container_responses();
    TellRefusal("no preferred allocation", preferred.error());
  }
  return Finished(call, grpc::Status::OK);
}

Status DevicePluginService::Start(const ::v1beta1::PreStartContainerRequest& request) {
  const auto offer = offer_.Get();
  const auto resource = FindResource(*offer, resource_);
  if (!resource) return Fail(NotOffered(resource_));
  const std::vector<std::string> ids(request.devices_ids().begin(), request.devices_ids().end());
  Result<Grant> grant = resource->Allocate(ids);
  if (!grant) return Fail(grant.error());
  if (late_) late_({.resource = resource_, .ids = ids, .moment = ContainerMoment::kStart}, *grant);
  return {};
}

grpc::ServerUnaryReactor* DevicePluginService::PreStartContainer(
    grpc::CallbackServerContext* call, const ::v1beta1::PreStartContainerRequest* request,
    ::v1beta1::PreStartContainerResponse* /*response*/) {
  tally_.starts.fetch_add(1, std::memory_order_relaxed);
  if (const Status started = Guarded([&] { return Start(*request); }); !started) {
    // An error would keep the container from starting, which its older settings do not.
    tally_.start_failures.fetch_add(1, std::memory_order_relaxed);
    TellRefusal("a container starts with the settings of its last start", started.error());
  }
  return Finished(call, grpc::Status::OK);
}

grpc::ServerUnaryReactor* RegistrationInfoService::GetInfo(
    grpc::CallbackServerContext* call, const ::pluginregistration::InfoRequest* /*request*/,
    ::pluginregistration::PluginInfo* response) {
  response->set_type("DevicePlugin");
  response->set_name(resource_);
  response->add_supported_versions(kDevicePluginVersion);
  return Finished(call, grpc::Status::OK);
}

grpc::ServerUnaryReactor* RegistrationInfoService::NotifyRegistrationStatus(
    grpc::CallbackServerContext* call, const ::pluginregistration::RegistrationStatus* request,
    ::pluginregistration::RegistrationStatusResponse* /*response*/) {
  notified_.store(request->plugin_registered(), std::memory_order_relaxed);
  if (request->plugin_registered()) {
    tally_.registrations.fetch_add(1, std::memory_order_relaxed);
    tally_.SetError("");
    LogInfo("registered with kubelet", {{"resource", resource_}});
  } else {
    // kubelet tries again by itself, and we with another socket.
    tally_.registration_failures.fetch_add(1, std::memory_order_relaxed);
    tally_.SetError("kubelet refused the registration: " + Quoted(request->error(), 512));
    LogWarning("kubelet refused the registration",
               {{"resource", resource_}, {"error", request->error()}});
  }
  changed_();
  return Finished(call, grpc::Status::OK);
}

}  // namespace fairlead::deviceplugin
