// One resource's server and its registration, step by step.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "common/base/clock.h"
#include "common/base/snapshot.h"
#include "deviceplugin/kubelet/kubelet_status.h"
#include "deviceplugin/kubelet/late_settings.h"
#include "deviceplugin/kubelet/plugin_server.h"
#include "deviceplugin/kubelet/register_call.h"
#include "deviceplugin/kubelet/registration.h"
#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {

// What all resources have in common; outlives them.
struct LinkContext {
  const Snapshot<Offer>& offer;
  const std::string socket_directory;
  const std::string kubelet_socket;
  const bool plugins_registry;
  const RunId run;
  const Nanoseconds register_deadline;
  const std::function<void()> wake;  // asks for a turn soon; from any thread
  const LateSettings late_settings;
  // Changed between turns only.
  std::optional<SocketIdentity> kubelet = {};  // that listens, as this turn began
  std::atomic<std::uint64_t> generation = 0;   // of the sockets
};

// Used by one thread at a time, status() by any.
class ResourceLink {
 public:
  ResourceLink(LinkContext& context, std::string resource,
               std::unique_ptr<Registration> registration);

  // Does what is due now. Waits for nobody, unless two servers have to end within 200 ms.
  void Turn(MonotonicTime now);
  // The resource is not in the offer any more: tells kubelet, and ends.
  void Withdraw();
  // The program ends: ends kubelet's streams now, and the rest in End, by `deadline`.
  void EndBy(MonotonicTime deadline);
  void End();

  ResourceStatus status() const;
  bool connected() const { return server_ && server_->streams_open() > 0; }  // as Turn

 private:
  RegistrationFacts Facts() const;
  void Take(RegistrationStep step, MonotonicTime now);
  void Retire(MonotonicTime now);
  void Serve(MonotonicTime now);
  void Call();
  void TakeAnswer(MonotonicTime now);
  void Failed(const std::string& why);
  void ShowState();

  LinkContext& context_;
  const std::string resource_;
  const std::unique_ptr<Registration> registration_;
  ServiceTally tally_;
  bool accepted_ = false;  // by a Register call on the present server

  mutable std::mutex mutex_;
  std::optional<std::pair<RegisterOutcome, std::string>> answer_;
  ResourceStatus shown_;  // but for what the tally counts

  std::unique_ptr<PluginServer> server_;
  std::jthread retiring_;  // ends the one before
  std::unique_ptr<RegisterCall> call_;
};

}  // namespace fairlead::deviceplugin
