#include "deviceplugin/discovery/change_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/base/errno_text.h"
#include "common/watch/inotify.h"
#include "deviceplugin/discovery/scan_schedule.h"

namespace fairlead::deviceplugin {
namespace {

// How often the node directory is looked for. uevents tell the same sooner.
constexpr Nanoseconds kFollow = std::chrono::seconds(1);
// A source that never runs dry must not keep the others, or a scan, waiting.
constexpr int kMostAtOnce = 1024;

}  // namespace

class ChangeWatch::Loop {
 public:
  Loop(ChangeSources sources, FileDescriptor wake, OnChange on_change)
      : sources_(std::move(sources.open)),
        directory_path_(std::move(sources.node_directory)),
        directory_(std::move(sources.nodes)),
        wake_(std::move(wake)),
        on_change_(std::move(on_change)),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  Counts counts() const { return {events_.load(), overruns_.load()}; }

 private:
  void Run(const std::stop_token& stop) {
    const std::stop_callback wake_up(stop, [this] {
      const std::uint64_t one = 1;
      [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
    });
    if (FollowDirectory()) schedule_.Note(clock_.Now());
    schedule_.Want(clock_.Now());
    while (!stop.stop_requested()) {
      Wait();
      if (stop.stop_requested()) return;
      TakeEvents();
      const auto due = schedule_.Due();
      if (due && clock_.Now() >= *due) Scan();
    }
  }

  void Scan() {
    const bool changed = schedule_.Begin(clock_.Now());
    if (const auto again = on_change_(changed)) schedule_.Want(clock_.Now() + *again);
  }

  void Wait() {
    const MonotonicTime now = clock_.Now();
    const MonotonicTime until = std::min(schedule_.Due().value_or(now + kFollow), now + kFollow);
    const auto left = std::chrono::ceil<Milliseconds>(std::max(until - now, Nanoseconds(0)));
    std::vector<pollfd> fds{{wake_.get(), POLLIN, 0}};
    for (const ChangeSource& source : sources_) fds.push_back({source.fd.get(), POLLIN, 0});
    if (directory_) fds.push_back({directory_->fd(), POLLIN, 0});
    poll(fds.data(), fds.size(), static_cast<int>(left.count()));
  }

  void TakeEvents() {
    for (ChangeSource& source : sources_) {
      if (!Drain(source)) source.fd = FileDescriptor();
    }
    std::erase_if(sources_, [](const ChangeSource& source) { return !source.fd; });
    const bool in_directory = directory_ && directory_->TakeEvents();
    if (in_directory) ++events_;
    if (FollowDirectory() || in_directory) schedule_.Note(clock_.Now());
  }

  // False where the source will never give anything more.
  bool Drain(const ChangeSource& source) {
    std::array<char, 8192> datagram;
    for (int i = 0; i < kMostAtOnce; ++i) {
      const ssize_t got = recv(source.fd.get(), datagram.data(), datagram.size(), MSG_DONTWAIT);
      if (got < 0 && errno == ENOBUFS) {
        ++overruns_;
        schedule_.Note(clock_.Now());
      } else if (got < 0) {
        return errno == EAGAIN || errno == EINTR;
      } else if (got == 0) {
        return false;
      } else if (source.matters({datagram.data(), static_cast<std::size_t>(got)})) {
        ++events_;
        schedule_.Note(clock_.Now());
      }
    }
    return true;
  }

  // True where another directory, or one at last, lies at the path.
  bool FollowDirectory() {
    if (directory_) return directory_->FollowPath();
    Result<InotifyDirectory> opened = InotifyDirectory::Open(directory_path_);
    if (!opened) return false;
    directory_.emplace(*std::move(opened));
    return true;
  }

  std::vector<ChangeSource> sources_;
  const std::string directory_path_;
  std::optional<InotifyDirectory> directory_;
  FileDescriptor wake_;
  const OnChange on_change_;
  const SystemClock clock_;
  ScanSchedule schedule_;
  std::atomic<std::uint64_t> events_ = 0;
  std::atomic<std::uint64_t> overruns_ = 0;
  std::jthread thread_;
};

ChangeWatch::ChangeWatch(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

ChangeWatch::~ChangeWatch() = default;

ChangeWatch::Counts ChangeWatch::counts() const { return loop_->counts(); }

Result<std::unique_ptr<ChangeWatch>> ChangeWatch::Start(ChangeSources sources, OnChange on_change) {
  FileDescriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return Fail(SystemError(errno, "make an eventfd"));
  return std::unique_ptr<ChangeWatch>(new ChangeWatch(
      std::make_unique<Loop>(std::move(sources), std::move(wake), std::move(on_change))));
}

}  // namespace fairlead::deviceplugin
