#include "extender/leader_api/leader_election.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <random>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/base/log.h"
#include "common/kube/api_connection.h"
#include "extender/leader/identity.h"
#include "extender/leader_api/lease_client.h"
#include "extender/leader_api/pod_label.h"

namespace fairlead::extender {
namespace {

// Short enough that a renewal whose answer got lost is tried twice more before its deadline.
constexpr kube::ConnectionLimits kLimits{.connect = Seconds(3), .answer = Seconds(3)};

std::uint64_t RandomNumber() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

std::string MakeIdentity(const std::string& pod) {
  char number[17];
  std::snprintf(number, sizeof number, "%016llx", static_cast<unsigned long long>(RandomNumber()));
  return IdentityOf(pod, number);
}

}  // namespace

class LeaderElection::Loop {
 public:
  Loop(ElectionSettings settings, std::unique_ptr<kube::ApiConnection> for_lease,
       std::unique_ptr<kube::ApiConnection> for_label, const Clock& clock,
       Snapshot<Leadership>& leadership)
      : identity_(MakeIdentity(settings.pod)),
        clock_(clock),
        leadership_(leadership),
        client_({.namespace_name = settings.namespace_name, .name = settings.lease},
                std::move(for_lease), clock),
        machine_(settings.times, identity_, RandomNumber()),
        label_(std::make_unique<PodLabel>(
            settings.namespace_name, settings.pod, std::move(for_label), clock, RandomNumber(),
            [this](const kube::ApiError* failed) { OnLabel(failed); })),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}
  ~Loop() { Stop(); }

  void Stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    label_.reset();
  }

  ElectionStatus status() const {
    std::lock_guard lock(mutex_);
    return status_;
  }
  const std::string& identity() const { return identity_; }

 private:
  void Run(const std::stop_token& stop) {
    bool resigned = false;
    while (true) {
      if (stop.stop_requested() && !resigned) {
        resigned = true;
        machine_.Resign();
        Publish();
      }
      const LeaseAction action = machine_.Next(clock_.Now());
      Publish();
      switch (action.kind) {
        case LeaseAction::Kind::kWait:
          WaitUntil(action.until, stop);
          break;
        case LeaseAction::Kind::kDone:
          return;
        case LeaseAction::Kind::kRead:
        case LeaseAction::Kind::kCreate:
        case LeaseAction::Kind::kUpdate:
          // What is asked after the stop is the end itself; its requests are few and limited.
          Ask(action, resigned ? std::stop_token() : stop);
          break;
      }
    }
  }

  void WaitUntil(MonotonicTime until, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_until(lock, stop, until, [] { return false; });
  }

  void Ask(const LeaseAction& action, const std::stop_token& stop) {
    kube::ApiResult<KnownLease> answer = client_.Do(action, stop);
    const MonotonicTime now = clock_.Now();
    if (answer) {
      machine_.OnRecord(std::move(answer->record), std::move(answer->resource_version), now);
      std::lock_guard lock(mutex_);
      status_.heard = true;
      status_.lease_trouble.clear();
      return;
    }
    const kube::ApiError& error = answer.error();
    // None of these is a failure: no Lease yet or any more, and a request that the stop cut off.
    const bool absent = error.failure == kube::ApiFailure::kNotFound;
    const bool expected = (absent && action.kind != LeaseAction::Kind::kCreate) ||
                          error.failure == kube::ApiFailure::kStopped;
    if (!expected) NoteLease(error);
    if (absent) return machine_.OnAbsent(now);
    if (error.failure == kube::ApiFailure::kConflict) return machine_.OnConflict(now);
    machine_.OnFailure(error.retry_after, now);
  }

  void NoteLease(const kube::ApiError& error) {
    std::lock_guard lock(mutex_);
    Count(error.failure, status_.lease_failures);
    // Two replicas that ask at one moment are no trouble.
    if (error.failure == kube::ApiFailure::kConflict) return;
    if (status_.lease_trouble != error.message) {
      LogWarning("the Lease cannot be kept", {{"reason", error.message}});
    }
    status_.lease_trouble = error.message;
  }

  void OnLabel(const kube::ApiError* failed) {
    std::lock_guard lock(mutex_);
    if (failed == nullptr) {
      status_.label_trouble.clear();
      return;
    }
    Count(failed->failure, status_.label_failures);
    if (status_.label_trouble != failed->message) {
      LogWarning("the pod cannot be labelled", {{"reason", failed->message}});
    }
    status_.label_trouble = failed->message;
  }

  void Publish() {
    Leadership now = machine_.Get(clock_.Now());
    const auto before = leadership_.Get();
    if (now == *before) return;
    if (now.leading != before->leading || now.term != before->term ||
        now.holder != before->holder) {
      LogInfo(now.leading ? "leading" : "not leading",
              {{"term", now.term}, {"holder", now.holder}});
    }
    if (now.leading != before->leading) {
      std::lock_guard lock(mutex_);
      ++(now.leading ? status_.gained : status_.lost);
    }
    const bool turned = now.leading != before->leading;
    const bool leads = now.leading;
    const std::string predecessor = PodOfIdentity(before->holder);
    leadership_.Publish(std::move(now));
    if (turned) label_->Want(leads, leads ? predecessor : std::string());
  }

  const std::string identity_;
  const Clock& clock_;
  Snapshot<Leadership>& leadership_;
  LeaseClient client_;
  LeaseMachine machine_;
  mutable std::mutex mutex_;
  ElectionStatus status_;
  std::unique_ptr<PodLabel> label_;
  std::jthread thread_;
};

LeaderElection::LeaderElection(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
LeaderElection::~LeaderElection() = default;

Result<std::unique_ptr<LeaderElection>> LeaderElection::Start(ElectionSettings settings,
                                                              const Clock& clock,
                                                              Snapshot<Leadership>& leadership) {
  if (settings.pod.empty() || settings.namespace_name.empty() || settings.lease.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "an election needs the pod's name and namespace and the Lease's name; give the "
                "first two by the downward API");
  }
  auto for_lease =
      kube::ApiConnection::Create(settings.access, settings.user_agent, clock, kLimits);
  if (!for_lease) return Fail(for_lease.error());
  auto for_label =
      kube::ApiConnection::Create(settings.access, settings.user_agent, clock, kLimits);
  if (!for_label) return Fail(for_label.error());
  return std::unique_ptr<LeaderElection>(new LeaderElection(std::make_unique<Loop>(
      std::move(settings), *std::move(for_lease), *std::move(for_label), clock, leadership)));
}

void LeaderElection::Stop() { loop_->Stop(); }
ElectionStatus LeaderElection::status() const { return loop_->status(); }
const std::string& LeaderElection::identity() const { return loop_->identity(); }

}  // namespace fairlead::extender
