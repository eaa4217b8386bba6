// One writer's newest immutable value, shared with any number of readers.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace fairlead {

// Thread-safe. A reader keeps the value it took for as long as it likes; it never blocks a writer.
template <class T>
class Snapshot {
 public:
  Snapshot() : value_(std::make_shared<const T>()) {}
  explicit Snapshot(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  // Never null.
  std::shared_ptr<const T> Get() const { return value_.load(std::memory_order_acquire); }
  void Publish(T value) {
    value_.store(std::make_shared<const T>(std::move(value)), std::memory_order_release);
  }

 private:
  std::atomic<std::shared_ptr<const T>> value_;
};

}  // namespace fairlead
