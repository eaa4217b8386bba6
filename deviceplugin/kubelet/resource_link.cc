#include "deviceplugin/kubelet/resource_link.h"

#include "common/base/log.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kRetirePatience = Milliseconds(200);
constexpr int kMostSteps = 4;  // retire, serve and register follow each other at once

}  // namespace

ResourceLink::ResourceLink(LinkContext& context, std::string resource,
                           std::unique_ptr<Registration> registration)
    : context_(context), resource_(std::move(resource)), registration_(std::move(registration)) {
  shown_.resource = resource_;
}

RegistrationFacts ResourceLink::Facts() const {
  RegistrationFacts facts;
  facts.kubelet = context_.kubelet;
  if (!server_) return facts;
  facts.serving = true;
  facts.own_socket_present = server_->own_socket_present();
  facts.options_stand = server_->options_stand();
  // In this order, a stream that opens in between is not taken for one that has ended.
  facts.streams_opened = server_->streams_opened();
  facts.streams_open = server_->streams_open();
  return facts;
}

void ResourceLink::Turn(MonotonicTime now) {
  TakeAnswer(now);
  if (server_) server_->Refresh();
  for (int i = 0; i < kMostSteps; ++i) {
    const RegistrationStep step = registration_->Next(Facts(), now);
    if (step == RegistrationStep::kNone) break;
    Take(step, now);
  }
  ShowState();
}

void ResourceLink::Take(RegistrationStep step, MonotonicTime now) {
  switch (step) {
    case RegistrationStep::kNone:
      return;
    case RegistrationStep::kRetire:
      LogInfo("socket retired", {{"resource", resource_}, {"socket", server_->socket_path()}});
      Retire(now);
      return;
    case RegistrationStep::kServe:
      return Serve(now);
    case RegistrationStep::kRegister:
      return Call();
  }
}

// The next server does not wait for the end of this one, whose clients are no longer of use.
void ResourceLink::Retire(MonotonicTime now) {
  accepted_ = false;
  server_->EndBy(now + kRetirePatience);
  retiring_ = std::jthread([server = std::move(server_)]() mutable { server.reset(); });
}

void ResourceLink::Serve(MonotonicTime now) {
  const std::string path =
      context_.socket_directory + '/' + SocketName(resource_, context_.run, ++context_.generation);
  auto server = PluginServer::Start({.resource = resource_,
                                     .socket_path = path,
                                     .plugins_registry = context_.plugins_registry,
                                     .late_settings = context_.late_settings},
                                    context_.offer, tally_, context_.wake);
  registration_->Served(server.has_value(), now);
  accepted_ = false;
  if (!server) return Failed(server.error().message);
  server_ = *std::move(server);
  LogInfo("socket served", {{"resource", resource_}, {"socket", path}});
}

void ResourceLink::Call() {
  if (!call_) call_ = std::make_unique<RegisterCall>();
  const std::string& path = server_->socket_path();
  call_->Start({.kubelet_socket = context_.kubelet_socket,
                .endpoint = path.substr(path.rfind('/') + 1),
                .resource = resource_},
               context_.register_deadline, [this](RegisterOutcome outcome, std::string why) {
                 {
                   std::lock_guard lock(mutex_);
                   answer_.emplace(outcome, std::move(why));
                 }
                 context_.wake();
               });
}

void ResourceLink::TakeAnswer(MonotonicTime now) {
  std::optional<std::pair<RegisterOutcome, std::string>> answer;
  {
    std::lock_guard lock(mutex_);
    answer.swap(answer_);
  }
  if (!answer) return;
  registration_->RegisterDone(answer->first, now);
  accepted_ = answer->first == RegisterOutcome::kAccepted;
  // It has ended meanwhile, which is told once for all resources.
  if (answer->first == RegisterOutcome::kNotReached && !context_.kubelet) return;
  if (!accepted_) return Failed(answer->second);
  tally_.SetError("");
  tally_.registrations.fetch_add(1, std::memory_order_relaxed);
  LogInfo("registered with kubelet", {{"resource", resource_}});
}

void ResourceLink::Failed(const std::string& why) {
  tally_.registration_failures.fetch_add(1, std::memory_order_relaxed);
  if (tally_.LastError() != why) {
    LogWarning("not registered with kubelet", {{"resource", resource_}, {"error", why}});
  }
  tally_.SetError(why);
}

void ResourceLink::Withdraw() {
  if (!server_) return;
  server_->Withdraw();
  server_.reset();
}

void ResourceLink::EndBy(MonotonicTime deadline) {
  if (server_) server_->EndBy(deadline);
}

void ResourceLink::End() {
  server_.reset();
  retiring_ = std::jthread();
}

void ResourceLink::ShowState() {
  const bool reads = connected();
  const bool registered = server_ && (reads || accepted_ || server_->notified());
  std::lock_guard lock(mutex_);
  shown_.serving = server_ != nullptr;
  shown_.registered = registered;
  shown_.connected = reads;
  shown_.socket = server_ ? server_->socket_path() : "";
}

ResourceStatus ResourceLink::status() const {
  ResourceStatus status;
  {
    std::lock_guard lock(mutex_);
    status = shown_;
  }
  status.last_error = tally_.LastError();
  status.registrations = tally_.registrations;
  status.registration_failures = tally_.registration_failures;
  status.streams = tally_.streams;
  status.lists = tally_.lists;
  status.allocations = tally_.allocations;
  status.allocation_failures = tally_.allocation_failures;
  status.allocation_durations = tally_.allocation_durations.counts();
  status.preferences = tally_.preferences;
  status.preference_failures = tally_.preference_failures;
  status.starts = tally_.starts;
  status.start_failures = tally_.start_failures;
  return status;
}

}  // namespace fairlead::deviceplugin
