#include <algorithm>

#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {
namespace {

class LegacyRegistration final : public Registration {
 public:
  LegacyRegistration(const RegistrationTiming& timing, std::uint64_t seed)
      : timing_(timing), backoff_(timing.first_backoff, timing.largest_backoff, seed) {}

  RegistrationStep Next(const RegistrationFacts& facts, MonotonicTime now) override {
    // Without a kubelet there is nobody to tell, and what is served may still be in use by one that
    // is about to end.
    if (calling_ || !facts.kubelet) return RegistrationStep::kNone;
    NoticeKubelet(facts, now);
    if (!needed_) NoticeLoss(facts, now);
    if (unanswered_ && facts.streams_open > 0 && facts.own_socket_present) Accept(now);
    if (!needed_ || now < not_before_) return RegistrationStep::kNone;
    if (facts.serving && (path_shown_ || !facts.own_socket_present)) {
      if (facts.streams_open > 0) not_before_ = now + timing_.settle;
      return RegistrationStep::kRetire;
    }
    if (!facts.serving) return RegistrationStep::kServe;
    calling_ = true;
    return RegistrationStep::kRegister;
  }

  void Served(bool ok, MonotonicTime now) override {
    path_shown_ = false;
    unanswered_ = false;
    accepted_at_.reset();
    connected_at_.reset();
    if (!ok) not_before_ = now + backoff_.Next();
  }

  void RegisterDone(RegisterOutcome outcome, MonotonicTime now) override {
    calling_ = false;
    if (outcome == RegisterOutcome::kAccepted) return Accept(now);
    path_shown_ = outcome != RegisterOutcome::kNotReached;
    unanswered_ = outcome == RegisterOutcome::kUnanswered;
    not_before_ = now + backoff_.Next();
  }

 private:
  void Accept(MonotonicTime now) {
    needed_ = false;
    unanswered_ = false;
    path_shown_ = true;
    accepted_at_ = now;
    connected_at_.reset();
  }

  // A socket made anew may have its predecessor's inode number; one whose mode or label was changed
  // has too, and then the stream is still there.
  void NoticeKubelet(const RegistrationFacts& facts, MonotonicTime now) {
    const bool same = kubelet_ && (*kubelet_ == *facts.kubelet ||
                                   (kubelet_->SameFile(*facts.kubelet) && facts.streams_open > 0));
    kubelet_ = facts.kubelet;
    if (same) return;
    needed_ = true;
    backoff_.Reset();
    not_before_ = now;
  }

  void NoticeLoss(const RegistrationFacts& facts, MonotonicTime now) {
    if (!facts.serving || !facts.own_socket_present || !facts.options_stand) {
      needed_ = true;
      return;
    }
    if (facts.streams_open > 0) {
      if (!connected_at_) connected_at_ = now;
      if (now - *connected_at_ >= timing_.stable) backoff_.Reset();
      return;
    }
    const bool lost = facts.streams_opened > 0;
    const bool never_came = accepted_at_ && now - *accepted_at_ >= timing_.stream_patience;
    if (!lost && !never_came) return;
    needed_ = true;
    not_before_ = now + std::max(timing_.settle, backoff_.Next());
  }

  const RegistrationTiming timing_;
  Backoff backoff_;
  std::optional<SocketIdentity> kubelet_;  // the one last seen
  bool needed_ = false;                    // kubelet does not know us, or not any more
  bool calling_ = false;
  bool path_shown_ = false;  // a kubelet has been told the server's path
  bool unanswered_ = false;  // and may act on it, though it did not say so
  std::optional<MonotonicTime> accepted_at_;
  std::optional<MonotonicTime> connected_at_;
  MonotonicTime not_before_{};
};

}  // namespace

std::unique_ptr<Registration> MakeLegacyRegistration(const RegistrationTiming& timing,
                                                     std::uint64_t seed) {
  return std::make_unique<LegacyRegistration>(timing, seed);
}

}  // namespace fairlead::deviceplugin
