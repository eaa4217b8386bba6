#include "deviceplugin/kubelet/pod_resources.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/base/log.h"
#include "deviceplugin/kubelet/pod_resources_call.h"
#include "deviceplugin/kubelet/socket_file.h"

namespace fairlead::deviceplugin {
class PodResourcesLister::Loop {
 public:
  Loop(PodResourcesOptions options, const Snapshot<Offer>& offer, const Clock& clock)
      : options_(std::move(options)),
        socket_(PodResourcesSocket(options_.kubelet_directory)),
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
    Wait(options_.first_after, stop);
    while (!stop.stop_requested()) {
      Poll(stop);
      Wait(options_.interval, stop);
    }
  }

  void Wait(Nanoseconds time, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    status_.last_turn = clock_.Now();
    stopped_.wait_for(lock, stop, time, [] { return false; });
  }

  void Poll(const std::stop_token& stop) {
    const bool present = IdentifySocket(socket_).has_value();
    Count(present);
    if (!present) return;
    auto holdings = AskWhoHolds(socket_, *offer_.Get(), options_.deadline, stop);
    if (stop.stop_requested()) return;
    if (!holdings) return Failed(holdings.error().message);
    holdings_.Publish({.holdings = *std::move(holdings), .read_at = clock_.Now()});
    std::lock_guard lock(mutex_);
    status_.last_error.clear();
  }

  void Count(bool present) {
    std::lock_guard lock(mutex_);
    ++status_.polls;
    if (!present) ++status_.absent;
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
