#include "deviceplugin/kubelet/kubelet_link.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/log.h"
#include "common/base/quote.h"
#include "common/watch/directory_watcher.h"
#include "deviceplugin/kubelet/kubelet_presence.h"
#include "deviceplugin/kubelet/local_channel.h"
#include "deviceplugin/kubelet/plugin_services.h"
#include "deviceplugin/kubelet/resource_link.h"
#include "deviceplugin/kubelet/socket_file.h"
#include "deviceplugin/kubelet/socket_name.h"

namespace fairlead::deviceplugin {
namespace {

constexpr Nanoseconds kTurn = Seconds(1);
constexpr Nanoseconds kSoonTurn = Milliseconds(100);     // while kubelet is away
constexpr Nanoseconds kEndPatience = Milliseconds(200);  // for kubelet, however many resources
constexpr std::size_t kMostThreads = 16;
constexpr Nanoseconds kWatchAgain = Seconds(5);  // where the directory could not be watched

std::string LegacyDirectory(const std::string& kubelet) { return kubelet + "/device-plugins"; }
std::string RegistryDirectory(const std::string& kubelet) { return kubelet + "/plugins_registry"; }

std::string SocketDirectory(const KubeletLinkOptions& options) {
  return options.mode == RegistrationMode::kLegacy ? LegacyDirectory(options.kubelet_directory)
                                                   : RegistryDirectory(options.kubelet_directory);
}

// Several at a time, each once; returns when all are done.
void ForEach(const std::vector<ResourceLink*>& resources,
             const std::function<void(ResourceLink&)>& deed) {
  std::atomic<std::size_t> next = 0;
  const auto do_some = [&] {
    for (std::size_t i = next++; i < resources.size(); i = next++) deed(*resources[i]);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(kMostThreads, resources.size()); ++i) {
    threads.emplace_back(do_some);
  }
  do_some();
}

}  // namespace

class KubeletLink::Loop {
 public:
  Loop(KubeletLinkOptions options, const RunId& run, const Snapshot<Offer>& offer,
       const Clock& clock)
      : options_(std::move(options)),
        clock_(clock),
        context_{.offer = offer,
                 .socket_directory = SocketDirectory(options_),
                 .kubelet_socket = LegacyDirectory(options_.kubelet_directory) + "/kubelet.sock",
                 .plugins_registry = options_.mode == RegistrationMode::kPluginsRegistry,
                 .run = run,
                 .register_deadline = options_.register_deadline,
                 .wake = [this] { Wake(); },
                 .late_settings = options_.late_settings},
        presence_(context_.kubelet_socket),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  ~Loop() { Stop(); }

  void Stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    watcher_.reset();
    const MonotonicTime deadline = clock_.Now() + kEndPatience;
    for (const auto& [name, resource] : resources_) resource->EndBy(deadline);
    // One whose kubelet does not read takes a while.
    ForEach(All(), [](ResourceLink& resource) { resource.End(); });
    std::lock_guard lock(resources_mutex_);
    resources_.clear();
  }

  void Wake() {
    {
      std::lock_guard lock(mutex_);
      woken_ = true;
    }
    wake_.notify_one();
  }

  KubeletStatus Status() const {
    KubeletStatus status;
    std::lock_guard lock(resources_mutex_);
    status.kubelet_present = kubelet_present_;
    status.plugins_registry = context_.plugins_registry;
    status.last_turn = last_turn_;
    for (const auto& [name, resource] : resources_) status.resources.push_back(resource->status());
    return status;
  }

 private:
  void Run(const std::stop_token& stop) {
    // Has gRPC begin while the node is still being read, and not end when no server is left.
    const auto begun = LocalChannel(context_.kubelet_socket);
    while (!stop.stop_requested()) {
      const MonotonicTime now = clock_.Now();
      Watch(now);
      FollowOffer();
      LookAtKubelet();
      // In turn as long as there is little to do. Else the last would be registered late: a server
      // takes a while to begin on a machine that is busy with kubelet's own start.
      const auto turn = [now](ResourceLink& resource) { resource.Turn(now); };
      if (context_.kubelet && !AllConnected()) {
        ForEach(All(), turn);
      } else {
        for (const auto& [name, resource] : resources_) turn(*resource);
      }
      ShowTurn(now);
      if (options_.on_turn) options_.on_turn();
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, KubeletIsAway() ? kSoonTurn : kTurn, [this] { return woken_; });
      woken_ = false;
    }
  }

  // Without a watch the turns still find what has changed, only later.
  void Watch(MonotonicTime now) {
    if (watcher_ || now < watch_not_before_) return;
    auto watcher = DirectoryWatcher::Create(context_.socket_directory, [this] {
      Wake();
      return std::nullopt;
    });
    watch_not_before_ = now + kWatchAgain;
    if (watcher) {
      watcher_ = *std::move(watcher);
    } else if (watch_error_ != watcher.error().message) {
      watch_error_ = watcher.error().message;
      LogWarning("kubelet's directory is looked at from time to time only",
                 {{"error", watch_error_}});
    }
  }

  void FollowOffer() {
    const auto offer = context_.offer.Get();
    if (offer == followed_) return;
    followed_ = offer;
    for (const auto& resource : *offer) {
      if (!resources_.contains(resource->name())) Add(resource->name());
    }
    for (auto entry = resources_.begin(); entry != resources_.end();) {
      const auto here = entry++;
      if (!FindResource(*offer, here->first)) Remove(here);
    }
  }

  void Add(const std::string& name) {
    auto registration =
        context_.plugins_registry
            ? MakeRegistryRegistration(options_.timing)
            : MakeLegacyRegistration(options_.timing, options_.seed + context_.generation);
    auto link = std::make_unique<ResourceLink>(context_, name, std::move(registration));
    std::lock_guard lock(resources_mutex_);
    resources_.emplace(name, std::move(link));
  }

  void Remove(std::map<std::string, std::unique_ptr<ResourceLink>>::iterator entry) {
    LogInfo("resource withdrawn", {{"resource", entry->first}});
    entry->second->Withdraw();
    std::unique_ptr<ResourceLink> ended;  // outlives the lock: it may have a call to wait for
    std::lock_guard lock(resources_mutex_);
    ended = std::move(entry->second);
    resources_.erase(entry);
  }

  // As long as it reads every list there is no doubt that it is there.
  void LookAtKubelet() {
    if (context_.plugins_registry) return;
    const bool was_there = context_.kubelet.has_value();
    context_.kubelet = presence_.Look(!AllConnected());
    if (context_.kubelet.has_value() == was_there && !first_look_) return;
    first_look_ = false;
    LogInfo(context_.kubelet ? "kubelet is there" : "kubelet is away",
            {{"socket", context_.kubelet_socket}});
  }

  bool KubeletIsAway() const { return !context_.plugins_registry && !context_.kubelet; }

  bool AllConnected() const {
    return std::all_of(resources_.begin(), resources_.end(),
                       [](const auto& one) { return one.second->connected(); });
  }

  std::vector<ResourceLink*> All() const {
    std::vector<ResourceLink*> all;
    for (const auto& [name, resource] : resources_) all.push_back(resource.get());
    return all;
  }

  void ShowTurn(MonotonicTime now) {
    std::error_code error;
    const bool present = context_.plugins_registry
                             ? std::filesystem::is_directory(context_.socket_directory, error)
                             : context_.kubelet.has_value();
    std::lock_guard lock(resources_mutex_);
    kubelet_present_ = present;
    last_turn_ = now;
  }

  const KubeletLinkOptions options_;
  const Clock& clock_;
  LinkContext context_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool woken_ = false;

  // Changed by the thread, read by any: the thread alone reads without the lock.
  mutable std::mutex resources_mutex_;
  std::map<std::string, std::unique_ptr<ResourceLink>> resources_;
  bool kubelet_present_ = false;
  MonotonicTime last_turn_{};

  // Used by the thread.
  std::shared_ptr<const Offer> followed_;
  KubeletPresence presence_;
  bool first_look_ = true;
  std::unique_ptr<DirectoryWatcher> watcher_;
  MonotonicTime watch_not_before_{};
  std::string watch_error_;

  std::jthread thread_;
};

KubeletLink::KubeletLink(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
KubeletLink::~KubeletLink() = default;

void KubeletLink::Stop() { loop_->Stop(); }
void KubeletLink::OfferChanged() { loop_->Wake(); }
KubeletStatus KubeletLink::Status() const { return loop_->Status(); }

Result<std::unique_ptr<KubeletLink>> KubeletLink::Start(KubeletLinkOptions options,
                                                        const Snapshot<Offer>& offer,
                                                        const Clock& clock) {
  if (!options.kubelet_directory.starts_with('/')) {
    return Fail(ErrorCode::kInvalidArgument,
                "the kubelet directory " + Quoted(options.kubelet_directory, 256) +
                    " is not an absolute path, such as /var/lib/kubelet");
  }
  const RunId run{.process_id = getpid(), .start = clock.WallNow()};
  if (auto fits = CheckSocketDirectory(SocketDirectory(options), run); !fits) {
    return Fail(std::move(fits.error()));
  }
  // In the other mode's directory too: a socket left there would be a second registration.
  for (const std::string& directory :
       {LegacyDirectory(options.kubelet_directory), RegistryDirectory(options.kubelet_directory)}) {
    for (const std::string& name : RemoveStaleSockets(directory)) {
      LogInfo("socket of a dead run removed", {{"directory", directory}, {"socket", name}});
    }
  }
  return std::unique_ptr<KubeletLink>(
      new KubeletLink(std::make_unique<Loop>(std::move(options), run, offer, clock)));
}

}  // namespace fairlead::deviceplugin
