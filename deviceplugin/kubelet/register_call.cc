#include "deviceplugin/kubelet/register_call.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "common/base/quote.h"
#include "deviceplugin/kubelet/local_channel.h"
#include "deviceplugin/kubelet/messages.h"
#include "deviceplugin/kubelet/socket_name.h"
#include "kubelet/deviceplugin_v1beta1.grpc.pb.h"

namespace fairlead::deviceplugin {
namespace {

RegisterOutcome OutcomeOf(const grpc::Status& status) {
  if (status.ok()) return RegisterOutcome::kAccepted;
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) return RegisterOutcome::kNotReached;
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
      status.error_code() == grpc::StatusCode::CANCELLED) {
    return RegisterOutcome::kUnanswered;
  }
  return RegisterOutcome::kRefused;
}

}  // namespace

namespace {

// Outlives the callback, which may still hold it when the call is gone.
struct Ending {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

}  // namespace

// Destroyed by the caller's thread only. gRPC's callbacks run on a few threads that it joins when
// the last channel and server are gone, so a channel that dies in a callback would wait for itself.
struct RegisterCall::Call {
  std::unique_ptr<::v1beta1::Registration::Stub> stub;
  grpc::ClientContext context;
  ::v1beta1::RegisterRequest request;
  ::v1beta1::Empty response;
  std::shared_ptr<Ending> ending = std::make_shared<Ending>();
};

RegisterCall::RegisterCall() = default;

RegisterCall::~RegisterCall() {
  if (call_) call_->context.TryCancel();
  Finish();
}

void RegisterCall::Finish() {
  if (!call_) return;
  {
    std::unique_lock lock(call_->ending->mutex);
    call_->ending->changed.wait(lock, [this] { return call_->ending->done; });
  }
  call_.reset();
}

void RegisterCall::Start(const RegisterQuestion& question, Nanoseconds deadline, Done done) {
  Finish();
  call_ = std::make_unique<Call>();
  call_->stub = ::v1beta1::Registration::NewStub(LocalChannel(question.kubelet_socket));
  call_->context.set_deadline(std::chrono::system_clock::now() +
                              std::chrono::ceil<std::chrono::microseconds>(deadline));
  call_->request.set_version(kDevicePluginVersion);
  call_->request.set_endpoint(question.endpoint);
  call_->request.set_resource_name(question.resource);
  call_->request.mutable_options()->set_get_preferred_allocation_available(true);
  call_->stub->async()->Register(
      &call_->context, &call_->request, &call_->response,
      [ending = call_->ending, done = std::move(done)](const grpc::Status& status) {
        std::string why;
        if (!status.ok()) why = "Register: " + Quoted(status.error_message(), 512);
        done(OutcomeOf(status), std::move(why));
        std::lock_guard lock(ending->mutex);
        ending->done = true;
        ending->changed.notify_all();
      });
}

}  // namespace fairlead::deviceplugin
