#include "common/watch/directory_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <thread>
#include <utility>

#include "common/base/errno_text.h"
#include "common/watch/inotify.h"

namespace fairlead {
namespace {

constexpr int kSettleMs = 50;    // a burst is over after so long without an event ...
constexpr int kMostBursts = 20;  // ... or after so many waits, so that a busy directory is read too
constexpr int kFollowMs = 500;   // how often the path is looked at for another directory

}  // namespace

class DirectoryWatcher::Loop {
 public:
  Loop(InotifyDirectory directory, FileDescriptor stop_fd, std::function<void()> on_change)
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

  void Run() {
    on_change_();
    while (true) {
      Wake wake = Wait(kFollowMs);
      bool changed = wake == Wake::kEvents;
      for (int i = 0; i < kMostBursts && wake == Wake::kEvents; ++i) wake = Wait(kSettleMs);
      if (wake == Wake::kStop) return;
      // The path is looked at after the events, because one of them may have been the last of a
      // directory that was removed or renamed.
      if (directory_.FollowPath()) changed = true;
      if (changed) on_change_();
    }
  }

  InotifyDirectory directory_;
  FileDescriptor stop_fd_;
  std::function<void()> on_change_;
  std::jthread thread_;
};

DirectoryWatcher::DirectoryWatcher(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

DirectoryWatcher::~DirectoryWatcher() = default;

Result<std::unique_ptr<DirectoryWatcher>> DirectoryWatcher::Create(
    std::string directory, std::function<void()> on_change) {
  Result<InotifyDirectory> watched = InotifyDirectory::Open(std::move(directory));
  if (!watched) return Fail(watched.error());
  FileDescriptor stop_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_fd) return Fail(SystemError(errno, "make an eventfd"));
  return std::unique_ptr<DirectoryWatcher>(new DirectoryWatcher(
      std::make_unique<Loop>(*std::move(watched), std::move(stop_fd), std::move(on_change))));
}

}  // namespace fairlead
