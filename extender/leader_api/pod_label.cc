#include "extender/leader_api/pod_label.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/base/backoff.h"
#include "common/base/names.h"
#include "common/kube/reflector.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kFirstWait = Seconds(1);
constexpr Nanoseconds kLongestWait = Seconds(30);
constexpr Nanoseconds kLookAgain = Seconds(30);

}  // namespace

std::string LeaderLabelName() { return std::string(kLabelPrefix) + "leader"; }

class PodLabel::Loop {
 public:
  Loop(std::string namespace_name, std::string pod, std::unique_ptr<kube::ApiConnection> connection,
       const Clock& clock, std::uint64_t seed, Report report)
      : namespace_(std::move(namespace_name)),
        pod_(std::move(pod)),
        connection_(std::move(connection)),
        clock_(clock),
        report_(std::move(report)),
        backoff_(kFirstWait, kLongestWait, seed),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  void Want(bool leads, std::string predecessor) {
    {
      std::lock_guard lock(mutex_);
      wanted_ = {leads, predecessor == pod_ ? std::string() : std::move(predecessor)};
      news_ = true;
    }
    changed_.notify_all();
  }

 private:
  struct Wanted {
    bool leads = false;
    std::string predecessor;
  };

  void Run(const std::stop_token& stop) {
    bool labelled = true;  // perhaps, by a container before this one
    while (!stop.stop_requested()) {
      const Wanted wanted = Take();
      const bool done = Round(wanted, stop);
      if (done) {
        labelled = wanted.leads;
        backoff_.Reset();
      } else {
        labelled = labelled || wanted.leads;
      }
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, stop, clock_.Now() + (done ? kLookAgain : backoff_.Next()),
                          [this] { return news_; });
    }
    if (labelled) Patch(pod_, false, {});
  }

  Wanted Take() {
    std::lock_guard lock(mutex_);
    news_ = false;
    return wanted_;
  }

  bool Round(const Wanted& wanted, const std::stop_token& stop) {
    kube::ApiResult<void> done = Patch(pod_, wanted.leads, stop);
    if (done && wanted.leads && !wanted.predecessor.empty()) {
      done = Patch(wanted.predecessor, false, stop);
      // The usual case: it has ended.
      if (!done && done.error().failure == kube::ApiFailure::kNotFound) done = {};
      if (done) ForgetPredecessor(wanted.predecessor);
    }
    if (!done && done.error().failure == kube::ApiFailure::kStopped) return false;
    report_(done ? nullptr : &done.error());
    return done.has_value();
  }

  void ForgetPredecessor(const std::string& pod) {
    std::lock_guard lock(mutex_);
    if (wanted_.predecessor == pod) wanted_.predecessor.clear();
  }

  kube::ApiResult<void> Patch(const std::string& pod, bool leads, const std::stop_token& stop) {
    kube::ApiRequest request;
    request.method = kube::Method::kPatch;
    request.path = kube::PathOf({"api", "v1", "namespaces", namespace_, "pods", pod});
    request.body = R"({"metadata":{"labels":{")" + LeaderLabelName() + R"(":)" +
                   (leads ? R"("true")" : "null") + "}}}";
    request.body_kind = kube::BodyKind::kMergePatch;
    kube::ApiResult<std::string> answer = connection_->Call(request, stop);
    if (answer) return {};
    kube::ApiError error = std::move(answer.error());
    if (error.failure == kube::ApiFailure::kNotFound) {
      error.message = "there is no pod " + namespace_ + "/" + pod +
                      " to label; give the pod's own name and namespace";
    } else if (error.failure != kube::ApiFailure::kStopped) {
      const kube::Resource pods{
          .name = "pods", .path = {}, .label_selector = {}, .field_selector = {}};
      error.message = kube::TroubleWith(pods, "patch", error);
    }
    return tl::unexpected(std::move(error));
  }

  const std::string namespace_;
  const std::string pod_;
  const std::unique_ptr<kube::ApiConnection> connection_;
  const Clock& clock_;
  const Report report_;
  Backoff backoff_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Wanted wanted_;
  bool news_ = false;
  std::jthread thread_;
};

PodLabel::PodLabel(std::string namespace_name, std::string pod,
                   std::unique_ptr<kube::ApiConnection> connection, const Clock& clock,
                   std::uint64_t seed, Report report)
    : loop_(std::make_unique<Loop>(std::move(namespace_name), std::move(pod), std::move(connection),
                                   clock, seed, std::move(report))) {}
PodLabel::~PodLabel() = default;

void PodLabel::Want(bool leads, std::string predecessor) {
  loop_->Want(leads, std::move(predecessor));
}

}  // namespace fairlead::extender
