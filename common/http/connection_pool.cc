#include "common/http/connection_pool.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace fairlead {
namespace {

constexpr std::size_t kMostWaiting = 256;  // each costs a descriptor

// The first connection whose client has, or has not, sent something; the size if there is none.
std::size_t FirstThat(bool has_sent, const std::deque<FileDescriptor>& queue) {
  std::vector<pollfd> fds;
  fds.reserve(queue.size());
  for (const FileDescriptor& connection : queue) fds.push_back({connection.get(), POLLIN, 0});
  poll(fds.data(), fds.size(), 0);  // a failure leaves all as if nothing were sent
  const auto found = std::find_if(fds.begin(), fds.end(), [&](const pollfd& entry) {
    return (entry.revents != 0) == has_sent;
  });
  return static_cast<std::size_t>(found - fds.begin());
}

}  // namespace

ConnectionPool::ConnectionPool(std::size_t most, std::function<void(FileDescriptor)> serve)
    : most_(most), serve_(std::move(serve)) {}

void ConnectionPool::Close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  ready_.notify_all();
  threads_.clear();
}

void ConnectionPool::Submit(FileDescriptor connection) {
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    if (queue_.size() >= kMostWaiting) {
      const std::size_t silent = FirstThat(false, queue_);
      if (silent == queue_.size()) return;
      queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(silent));
    }
    queue_.push_back(std::move(connection));
    if (queue_.size() > idle_ && threads_.size() < most_) threads_.emplace_back([this] { Run(); });
    // A thread just started counts as one that is about to take a connection.
    waiting_ = threads_.size() < most_ ? 0 : queue_.size() - std::min(queue_.size(), idle_);
  }
  ready_.notify_one();
}

void ConnectionPool::Run() {
  while (true) {
    FileDescriptor connection;
    {
      std::unique_lock lock(mutex_);
      ++idle_;
      ready_.wait(lock, [this] { return closed_ || !queue_.empty(); });
      --idle_;
      if (closed_) return;
      // Silent clients, however many, do not hold up those that speak.
      const std::size_t speaking = queue_.size() > 1 ? FirstThat(true, queue_) : 0;
      const auto next =
          queue_.begin() + static_cast<std::ptrdiff_t>(speaking == queue_.size() ? 0 : speaking);
      connection = std::move(*next);
      queue_.erase(next);
      waiting_ = queue_.size() - std::min(queue_.size(), idle_);
    }
    serve_(std::move(connection));
  }
}

}  // namespace fairlead
