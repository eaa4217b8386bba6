// kubelet's side of the legacy registration, faults included.
#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kubelet/deviceplugin_v1beta1.grpc.pb.h"
#include "tests/common/support/eventually.h"
#include "tests/deviceplugin/kubelet/plugin_client.h"

namespace fairlead::deviceplugin {

// What kubelet makes of a Register call.
enum class Manners {
  kProper,   // asks for the options within the call, then watches
  kRefuse,   // answers with an error
  kHang,     // does not answer until it is stopped
  kNoWatch,  // accepts and never watches
};

struct Registered {
  std::string resource;
  std::string endpoint;
  std::shared_ptr<PluginClient> client;
};

// Thread-safe. Sockets lie in `directory`, as in device-plugins/.
class FakeKubelet {
 public:
  explicit FakeKubelet(std::string directory);
  ~FakeKubelet();

  // Removes every socket in the directory, then listens.
  void Start(Manners manners = Manners::kProper);
  // Ends its streams and removes kubelet.sock.
  void Stop();
  void SetManners(Manners manners);

  Signal& signal() { return signal_; }
  int calls() const;                    // of Register, by this kubelet and those before
  std::vector<Registered> all() const;  // taken, by this kubelet and those before, in order
  // The newest registration of the resource that is being watched and has been sent a list; null
  // without one.
  std::shared_ptr<PluginClient> Connected(const std::string& resource) const;
  // Waits for it, and for more than `after` registrations in all.
  std::shared_ptr<PluginClient> WaitConnected(const std::string& resource, std::size_t after = 0);

 private:
  class Service;
  grpc::Status Register(const ::v1beta1::RegisterRequest& request);
  void Hang();

  const std::string directory_;
  Signal signal_;
  mutable std::mutex mutex_;
  Manners manners_ = Manners::kProper;
  bool stopping_ = false;
  std::condition_variable stopped_;
  int calls_ = 0;
  std::vector<Registered> all_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace fairlead::deviceplugin
