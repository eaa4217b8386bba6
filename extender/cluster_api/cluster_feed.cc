#include "extender/cluster_api/cluster_feed.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "common/kube/typed_store.h"
#include "extender/cluster/cluster_state.h"
#include "extender/cluster_api/followed_resources.h"
#include "extender/cluster_api/object_decoder.h"
#include "extender/cluster_api/unreadable_log.h"

namespace fairlead::extender {
namespace {

constexpr Nanoseconds kTick = Seconds(1);

// One resource: its decoder, its store and what fills it, in the order in which they must go.
struct Follower {
  std::string name;
  bool needed = false;
  std::optional<MonotonicTime> HeardTimes::*heard = nullptr;
  ObjectDecoder decoder;
  std::unique_ptr<kube::ObjectStore> store;
  std::unique_ptr<kube::Reflector> reflector;
};

}  // namespace

class ClusterFeed::Impl {
 public:
  Impl(const FeedSettings& settings, const Clock& clock, Snapshot<ClusterView>& view)
      : clock_(clock),
        view_(view),
        least_gap_(settings.least_gap),
        published_(settings.published),
        state_(settings.site_label) {}

  // Each callback of a store is one change of the state.
  template <class T>
  using Decode = std::function<Result<T>(ObjectDecoder&, const kube::ObjectId&, std::string_view)>;
  template <class T>
  struct Changes {
    Decode<T> decode;
    std::function<void(std::vector<T>)> replace;
    std::function<void(T)> upsert;
    std::function<void(const kube::ObjectId&)> remove;
  };

  template <class T>
  Status Follow(const FeedSettings& settings, const kube::Resource& resource, std::string name,
                std::optional<MonotonicTime> HeardTimes::*heard, bool needed, Changes<T> changes) {
    auto follower = std::make_unique<Follower>();
    follower->name = std::move(name);
    follower->heard = heard;
    follower->needed = needed;
    if (needed) ++unlisted_;
    typename kube::TypedStore<T>::Owner owner;
    owner.decode = [decode = std::move(changes.decode), decoder = &follower->decoder](
                       const kube::ObjectId& id, std::string_view json) {
      return decode(*decoder, id, json);
    };
    owner.replace = [this, replace = std::move(changes.replace),
                     first = needed](std::vector<T> all) mutable {
      const std::lock_guard lock(mutex_);
      replace(std::move(all));
      if (std::exchange(first, false)) --unlisted_;
    };
    owner.upsert = [this, upsert = std::move(changes.upsert)](T value) {
      const std::lock_guard lock(mutex_);
      upsert(std::move(value));
    };
    owner.remove = [this, remove = std::move(changes.remove)](const kube::ObjectId& id) {
      const std::lock_guard lock(mutex_);
      remove(id);
    };
    owner.settle = [this] { changed_.notify_one(); };
    follower->store = std::make_unique<kube::TypedStore<T>>(std::move(owner));
    auto reflector =
        kube::Reflector::Create(resource, settings.access, settings.user_agent, *follower->store,
                                clock_, settings.seed + followers_.size(), settings.limits);
    if (!reflector) return Fail(std::move(reflector.error()));
    follower->reflector = *std::move(reflector);
    followers_.push_back(std::move(follower));
    return {};
  }

  Status FollowAll(const FeedSettings& settings) {
    Status done = Follow<ClusterNode>(
        settings, FollowedNodes(), "nodes", &HeardTimes::nodes, true,
        {.decode =
             [log = UnreadableLog()](ObjectDecoder& d, auto& id, auto json) mutable {
               auto node = d.Node(id, json);
               if (node) log.See("node", id, node->unreadable);
               return node;
             },
         .replace = [this](auto all) { state_.Replace(std::move(all)); },
         .upsert = [this](auto node) { state_.Upsert(std::move(node)); },
         .remove = [this](auto& id) { state_.RemoveNode(id.name); }});
    if (!done) return done;
    done = Follow<ClusterPod>(
        settings, FollowedPods(), "pods", &HeardTimes::pods, true,
        {.decode =
             [log = UnreadableLog()](ObjectDecoder& d, auto& id, auto json) mutable {
               auto pod = d.Pod(id, json);
               if (pod) log.See("pod", id, pod->needs.unreadable);
               return pod;
             },
         .replace = [this](auto all) { state_.Replace(std::move(all)); },
         .upsert = [this](auto pod) { state_.Upsert(std::move(pod)); },
         .remove = [this](auto& id) { state_.RemovePod(id.uid); }});
    if (!done) return done;
    done = Follow<BatchJob>(
        settings, FollowedJobs(), "jobs.batch", &HeardTimes::jobs, false,
        {.decode = [](ObjectDecoder& d, auto& id, auto json) { return d.Job(id, json); },
         .replace = [this](auto all) { state_.Replace(std::move(all)); },
         .upsert = [this](auto job) { state_.Upsert(std::move(job)); },
         .remove = [this](auto& id) { state_.RemoveJob(id.uid); }});
    if (!done) return done;
    for (const FollowedGroups& groups : FollowedPodGroups()) {
      const PodGroupKind kind = groups.kind;
      std::string name = groups.resource.name;
      if (kind == PodGroupKind::kNativeAlpha) name += " (v1alpha3)";
      done = Follow<PodGroup>(
          settings, groups.resource, std::move(name), &HeardTimes::pod_groups, false,
          {.decode = [kind](ObjectDecoder& d, auto& id,
                            auto json) { return d.Group(kind, id, json); },
           .replace = [this, kind](auto all) { state_.Replace(kind, std::move(all)); },
           .upsert = [this](auto group) { state_.Upsert(std::move(group)); },
           .remove = [this, kind](
                         auto& id) { state_.RemovePodGroup(kind, id.namespace_name, id.name); }});
      if (!done) return done;
    }
    return {};
  }

  void Start() {
    for (const auto& follower : followers_) follower->reflector->Start();
    publisher_ = std::jthread([this](const std::stop_token& stop) { PublishLoop(stop); });
  }

  void SetSiteLabel(std::string site_label) {
    {
      const std::lock_guard lock(mutex_);
      state_.SetSiteLabel(std::move(site_label));
    }
    changed_.notify_one();
  }

  std::vector<ResourceStatus> status() const {
    std::vector<ResourceStatus> all;
    for (const auto& follower : followers_) {
      all.push_back({.resource = follower->name,
                     .needed = follower->needed,
                     .followed = follower->reflector->status()});
    }
    return all;
  }

 private:
  HeardTimes Heard() const {
    HeardTimes times;
    for (const auto& follower : followers_) {
      const auto heard = follower->reflector->status().last_heard;
      auto& oldest = times.*(follower->heard);
      // Of several the one heard of longest ago; a resource never heard of tells nothing.
      if (heard) oldest = oldest ? std::min(*oldest, *heard) : *heard;
    }
    return times;
  }

  void PublishLoop(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    HeardTimes published;
    while (!stop.stop_requested()) {
      changed_.wait_for(lock, stop, kTick, [this] { return unlisted_ == 0 && state_.dirty(); });
      if (stop.stop_requested()) return;
      if (unlisted_ > 0) continue;
      const HeardTimes heard = Heard();
      if (!state_.dirty() && heard == published) continue;
      published = heard;
      ClusterView view = state_.Publish(heard);
      lock.unlock();
      view_.Publish(std::move(view));
      if (published_) published_();
      lock.lock();
      changed_.wait_for(lock, stop, least_gap_, [] { return false; });
    }
  }

  const Clock& clock_;
  Snapshot<ClusterView>& view_;
  const Nanoseconds least_gap_;
  const std::function<void()> published_;
  std::mutex mutex_;  // of the state and what follows it
  ClusterState state_;
  int unlisted_ = 0;  // needed resources that have not been listed once
  std::condition_variable_any changed_;
  std::vector<std::unique_ptr<Follower>> followers_;
  std::jthread publisher_;
};

ClusterFeed::ClusterFeed(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClusterFeed::~ClusterFeed() = default;

Result<std::unique_ptr<ClusterFeed>> ClusterFeed::Create(FeedSettings settings, const Clock& clock,
                                                         Snapshot<ClusterView>& view) {
  auto impl = std::make_unique<Impl>(settings, clock, view);
  if (const Status followed = impl->FollowAll(settings); !followed) return Fail(followed.error());
  return std::unique_ptr<ClusterFeed>(new ClusterFeed(std::move(impl)));
}

void ClusterFeed::Start() { impl_->Start(); }
void ClusterFeed::SetSiteLabel(std::string site_label) {
  impl_->SetSiteLabel(std::move(site_label));
}
std::vector<ResourceStatus> ClusterFeed::status() const { return impl_->status(); }

}  // namespace fairlead::extender
