#include "deviceplugin/kubelet/pod_resources_call.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <map>
#include <set>
#include <tuple>

#include "common/base/quote.h"
#include "deviceplugin/kubelet/local_channel.h"
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

std::string PodResourcesSocket(const std::string& kubelet_directory) {
  return kubelet_directory + "/pod-resources/kubelet.sock";
}

Result<std::vector<Holding>> AskWhoHolds(const std::string& socket, const Offer& offer,
                                         Nanoseconds deadline, const std::stop_token& stop) {
  const auto stub = ::v1::PodResourcesLister::NewStub(LocalChannel(socket));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::ceil<std::chrono::microseconds>(deadline));
  const std::stop_callback cancel(stop, [&context] { context.TryCancel(); });
  ::v1::ListPodResourcesResponse response;
  const grpc::Status status = stub->List(&context, {}, &response);
  if (!status.ok()) {
    return Fail(ErrorCode::kUnavailable,
                "list pod resources at " + socket + ": " + Quoted(status.error_message(), 512));
  }
  std::set<std::string> names;
  for (const auto& resource : offer) names.insert(resource->name());
  return Decode(response, names);
}

}  // namespace fairlead::deviceplugin
