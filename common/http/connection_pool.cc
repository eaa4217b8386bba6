#include "common/http/connection_pool.h"

#include <algorithm>
#include <utility>

namespace fairlead {
namespace {

constexpr std::size_t kMostWaiting = 256;  // each costs a descriptor

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
    if (closed_ || queue_.size() >= kMostWaiting) return;
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
      connection = std::move(queue_.front());
      queue_.pop_front();
      waiting_ = queue_.size() - std::min(queue_.size(), idle_);
    }
    serve_(std::move(connection));
  }
}

}  // namespace fairlead
