// Telling kubelet of a socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "deviceplugin/kubelet/registration.h"

namespace fairlead::deviceplugin {

struct RegisterQuestion {
  std::string kubelet_socket;  // absolute
  std::string endpoint;        // our socket's file name
  std::string resource;
};

// One Register call at a time, without waiting for it. Used by one thread.
class RegisterCall {
 public:
  // The outcome and, where it is not kAccepted, why; called from one of gRPC's threads.
  using Done = std::function<void(RegisterOutcome, std::string)>;

  RegisterCall();
  // Cancels the call under way, if there is one, and returns once `done` has been called.
  ~RegisterCall();

  // Dials anew each time, so that no back-off of an earlier attempt stands in the way. An earlier
  // call must have called `done`.
  void Start(const RegisterQuestion& question, Nanoseconds deadline, Done done);

 private:
  struct Call;
  void Finish();

  std::unique_ptr<Call> call_;
};

}  // namespace fairlead::deviceplugin
