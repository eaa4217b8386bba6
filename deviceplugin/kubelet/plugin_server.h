// One resource, served to kubelet on a unix socket.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "deviceplugin/kubelet/late_settings.h"
#include "deviceplugin/kubelet/service_tally.h"
#include "deviceplugin/offer/resource.h"

namespace fairlead::deviceplugin {

struct PluginServerOptions {
  std::string resource;           // its name in the offer
  std::string socket_path;        // absolute, never used before
  bool plugins_registry = false;  // also answers GetInfo and NotifyRegistrationStatus
  LateSettings late_settings{};   // none: grants are the offer's
};

// Answers from whatever the offer holds at the moment of the call, in memory but for late settings,
// on gRPC's threads; a call under way never waits for another. Errors are counted in the tally.
class PluginServer {
 public:
  // Serves once it returns. `changed` is called from gRPC's threads when a stream opens or ends or
  // kubelet notifies us. kUnavailable or kPermissionDenied where the socket cannot be made.
  static Result<std::unique_ptr<PluginServer>> Start(PluginServerOptions options,
                                                     const Snapshot<Offer>& offer,
                                                     ServiceTally& tally,
                                                     std::function<void()> changed);
  // Ends the streams, removes the socket and returns once no call runs any more. A kubelet that
  // does not read what it is sent is cut off after 200 ms.
  ~PluginServer();

  // Ends the streams now; the destructor waits for kubelet until `deadline` at the latest. For who
  // ends many at once.
  void EndBy(MonotonicTime deadline);

  // Sends the devices to every stream if they are not those sent last. One thread at a time.
  void Refresh();
  // Sends an empty list, so that kubelet's capacity falls at once, and ends the streams.
  void Withdraw();

  // The path still leads to this server's socket.
  bool own_socket_present() const;
  // kubelet was told the options that the offer has, or has not asked yet.
  bool options_stand() const;
  std::uint64_t streams_open() const;
  std::uint64_t streams_opened() const;
  bool notified() const;  // kubelet said through NotifyRegistrationStatus that we are registered
  const std::string& socket_path() const;

 private:
  class Impl;
  explicit PluginServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::deviceplugin
