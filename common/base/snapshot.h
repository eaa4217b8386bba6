// One writer's newest immutable value, shared with any number of readers.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace fairlead {

// Thread-safe. A reader keeps the value it took for as long as it likes; reader and writer wait for
// each other no longer than a pointer takes to copy.
//
// A mutex, because the std::atomic<std::shared_ptr> of libstdc++ 12 releases its lock bit after a
// load without release order, which is a data race with the next store.
template <class T>
class Snapshot {
 public:
  Snapshot() : value_(std::make_shared<const T>()) {}
  explicit Snapshot(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  // Never null.
  std::shared_ptr<const T> Get() const {
    std::lock_guard lock(mutex_);
    return value_;
  }
  void Publish(T value) {
    auto next = std::make_shared<const T>(std::move(value));
    {
      std::lock_guard lock(mutex_);
      value_.swap(next);
    }
    // What was published before dies here, outside the lock.
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace fairlead
