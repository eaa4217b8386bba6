#include "common/watch/directory_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "common/base/errno_text.h"
#include "common/watch/inotify.h"

namespace fairlead {
namespace {

constexpr int kSettleMs = 50;    // a burst is over after so long without an event ...
constexpr int kMostBursts = 20;  // ... or after so many waits, so that a busy directory is read too
// How often the path is looked at for another directory: one that is renamed or removed says so
// itself, so that only a change farther up is found this way ...
constexpr int kFollowMs = 2000;
constexpr int kAwaitMs = 500;  // ... and while there is none

}  // namespace

class DirectoryWatcher::Loop {
 public:
  Loop(InotifyDirectory directory, FileDescriptor stop_fd, OnChange on_change)
      : directory_(std::move(directory)),
        stop_fd_(std::move(stop_fd)),
        on_change_(std::move(on_change)),
        thread_([this] { Run(); }) {}

  ~Loop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop_fd_.get(), &one, sizeof one);
    thread_.join();
  }

 private:
  enum class Wake { kEvents, kTimeout, kStop };

  Wake Wait(int timeout_ms) {
    std::array<pollfd, 2> fds{{{directory_.fd(), POLLIN, 0}, {stop_fd_.get(), POLLIN, 0}}};
    const int ready = poll(fds.data(), fds.size(), timeout_ms);
    if (ready < 0 && errno != EINTR) return Wake::kStop;
    if (fds[1].revents != 0) return Wake::kStop;
    if (ready <= 0) return Wake::kTimeout;
    return directory_.TakeEvents() ? Wake::kEvents : Wake::kTimeout;
  }

  void Call() {
    const auto again = on_change_();
    call_at_.reset();
    if (again) call_at_ = clock_.Now() + *again;
  }

  bool CallIsDue() const { return call_at_ && clock_.Now() >= *call_at_; }

  int LongestWaitMs() const {
    const int most = directory_.watching() ? kFollowMs : kAwaitMs;
    if (!call_at_) return most;
    const auto left = std::chrono::ceil<Milliseconds>(*call_at_ - clock_.Now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
  }

  void Run() {
    Call();
    while (true) {
      Wake wake = Wait(LongestWaitMs());
      bool changed = wake == Wake::kEvents;
      for (int i = 0; i < kMostBursts && wake == Wake::kEvents; ++i) wake = Wait(kSettleMs);
      if (wake == Wake::kStop) return;
      // The path is looked at after the events, because one of them may have been the last of a
      // directory that was removed or renamed.
      if (directory_.FollowPath()) changed = true;
      if (changed || CallIsDue()) Call();
    }
  }

  InotifyDirectory directory_;
  FileDescriptor stop_fd_;
  const OnChange on_change_;
  const SystemClock clock_;
  std::optional<MonotonicTime> call_at_;  // used by the thread only
  std::jthread thread_;
};

DirectoryWatcher::DirectoryWatcher(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

DirectoryWatcher::~DirectoryWatcher() = default;

Result<std::unique_ptr<DirectoryWatcher>> DirectoryWatcher::Create(std::string directory,
                                                                   OnChange on_change) {
  Result<InotifyDirectory> watched = InotifyDirectory::Open(std::move(directory));
  if (!watched) return Fail(watched.error());
  FileDescriptor stop_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_fd) return Fail(SystemError(errno, "make an eventfd"));
  return std::unique_ptr<DirectoryWatcher>(new DirectoryWatcher(
      std::make_unique<Loop>(*std::move(watched), std::move(stop_fd), std::move(on_change))));
}

}  // namespace fairlead
