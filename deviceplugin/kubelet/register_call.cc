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

struct RegisterCall::Call {
  std::unique_ptr<::v1beta1::Registration::Stub> stub;
  grpc::ClientContext context;
  ::v1beta1::RegisterRequest request;
  ::v1beta1::Empty response;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
};

RegisterCall::RegisterCall() = default;

RegisterCall::~RegisterCall() {
  if (!call_) return;
  call_->context.TryCancel();
  std::unique_lock lock(call_->mutex);
  call_->ended.wait(lock, [this] { return call_->done; });
}

void RegisterCall::Start(const RegisterQuestion& question, Nanoseconds deadline, Done done) {
  auto call = std::make_shared<Call>();
  call->stub = ::v1beta1::Registration::NewStub(LocalChannel(question.kubelet_socket));
  call->context.set_deadline(std::chrono::system_clock::now() +
                             std::chrono::ceil<std::chrono::microseconds>(deadline));
  call->request.set_version(kDevicePluginVersion);
  call->request.set_endpoint(question.endpoint);
  call->request.set_resource_name(question.resource);
  call->request.mutable_options()->set_get_preferred_allocation_available(true);
  call_ = call;
  call->stub->async()->Register(&call->context, &call->request, &call->response,
                                [call, done = std::move(done)](const grpc::Status& status) {
                                  std::string why;
                                  if (!status.ok())
                                    why = "Register: " + Quoted(status.error_message(), 512);
                                  done(OutcomeOf(status), std::move(why));
                                  std::lock_guard lock(call->mutex);
                                  call->done = true;
                                  call->ended.notify_all();
                                });
}

}  // namespace fairlead::deviceplugin
