#include <algorithm>

#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {
namespace {

class RegistryRegistration final : public Registration {
 public:
  explicit RegistryRegistration(const RegistrationTiming& timing)
      : timing_(timing), patience_(timing.notify_patience), pause_(timing.registry_pause) {}

  RegistrationStep Next(const RegistrationFacts& facts, MonotonicTime now) override {
    if (!facts.serving)
      return now < not_before_ ? RegistrationStep::kNone : RegistrationStep::kServe;
    if (!facts.own_socket_present || !facts.options_stand) return Retire(now);
    if (facts.streams_open > 0) {
      if (!connected_at_) connected_at_ = now;
      if (now - *connected_at_ >= timing_.stable) {
        patience_ = timing_.notify_patience;
        pause_ = timing_.registry_pause;
      }
      return RegistrationStep::kNone;
    }
    // kubelet dials a socket once: where the stream has ended, only another socket brings it back.
    if (facts.streams_opened > 0) return Retire(now);
    if (now - served_at_ < patience_) return RegistrationStep::kNone;
    patience_ = std::min(patience_ * 2, timing_.largest_notify_patience);
    not_before_ = now + timing_.registry_pause;
    return RegistrationStep::kRetire;
  }

  void Served(bool ok, MonotonicTime now) override {
    served_at_ = now;
    connected_at_.reset();
    if (!ok) LengthenPause(now);
  }

  void RegisterDone(RegisterOutcome, MonotonicTime) override {}

 private:
  RegistrationStep Retire(MonotonicTime now) {
    LengthenPause(now);
    return RegistrationStep::kRetire;
  }

  // Each loss soon after the last one doubles the pause.
  void LengthenPause(MonotonicTime now) {
    not_before_ = now + pause_;
    pause_ = std::min(pause_ * 2, timing_.largest_backoff);
  }

  const RegistrationTiming timing_;
  Nanoseconds patience_;
  Nanoseconds pause_;
  MonotonicTime served_at_{};
  std::optional<MonotonicTime> connected_at_;
  MonotonicTime not_before_{};
};

}  // namespace

std::unique_ptr<Registration> MakeRegistryRegistration(const RegistrationTiming& timing) {
  return std::make_unique<RegistryRegistration>(timing);
}

}  // namespace fairlead::deviceplugin
