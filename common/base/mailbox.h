// A bounded queue between two loops.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "common/base/clock.h"

namespace fairlead {

// Thread-safe, any number of producers and consumers. When full, Push refuses and the caller counts
// the loss: a slow consumer never makes a producer wait.
template <class T>
class Mailbox {
 public:
  explicit Mailbox(std::size_t capacity) : capacity_(capacity) {}

  // False when the mailbox is full or closed; the value is then dropped.
  [[nodiscard]] bool Push(T value) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || queue_.size() >= capacity_) return false;
      queue_.push_back(std::move(value));
    }
    ready_.notify_one();
    return true;
  }

  // Waits for a value; nothing once stop is requested, or the mailbox is closed and empty.
  std::optional<T> Pop(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, stop, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty() || stop.stop_requested()) return std::nullopt;
    T value = std::move(queue_.front());
    queue_.pop_front();
    return value;
  }

  // Like Pop, but gives up at `deadline`.
  std::optional<T> PopUntil(std::stop_token stop, MonotonicTime deadline) {
    std::unique_lock lock(mutex_);
    ready_.wait_until(lock, stop, deadline, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty() || stop.stop_requested()) return std::nullopt;
    T value = std::move(queue_.front());
    queue_.pop_front();
    return value;
  }

  // A value if one is waiting; never blocks.
  std::optional<T> TryPop() {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return std::nullopt;
    T value = std::move(queue_.front());
    queue_.pop_front();
    return value;
  }

  // Refuses further values and wakes every waiter; what is queued can still be popped.
  void Close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable_any ready_;
  std::deque<T> queue_;
  bool closed_ = false;
};

}  // namespace fairlead
