// One plugin's socket as kubelet uses it.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kubelet/deviceplugin_v1beta1.grpc.pb.h"
#include "kubelet/pluginregistration_v1.grpc.pb.h"

namespace fairlead::deviceplugin {

// Thread-safe. `changed` is called after each list and when the stream ends.
class PluginClient {
 public:
  using List = ::v1beta1::ListAndWatchResponse;

  // kubelet sends "localhost" to a socket that was registered, and the path itself to one that it
  // found; an empty authority leaves gRPC's own.
  PluginClient(const std::string& path, const std::string& authority,
               std::function<void()> changed);
  ~PluginClient();

  // Waits until the socket accepts, as kubelet does with one that it found: a name is there before
  // its server listens. False: it never did.
  bool WaitUntilConnected();
  grpc::Status Options(::v1beta1::DevicePluginOptions* options);
  grpc::Status Allocate(const std::vector<std::string>& ids, ::v1beta1::AllocateResponse* response);
  ::v1beta1::DevicePlugin::Stub& plugin() { return *plugin_; }
  ::pluginregistration::Registration::Stub& registration() { return *registration_; }

  // Reads lists from now on.
  void Watch();
  // Ends the stream from kubelet's side.
  void CancelWatch();

  std::vector<List> lists() const;
  bool watching() const;
  grpc::Status end() const;  // of the stream, once it is not watching any more

 private:
  void Read();

  const std::function<void()> changed_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<::v1beta1::DevicePlugin::Stub> plugin_;
  std::unique_ptr<::pluginregistration::Registration::Stub> registration_;
  grpc::ClientContext watch_;
  mutable std::mutex mutex_;
  std::vector<List> lists_;
  bool watching_ = false;
  grpc::Status end_;
  std::jthread reader_;
};

}  // namespace fairlead::deviceplugin
