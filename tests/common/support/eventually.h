// Waiting for what another thread does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace fairlead {

// Counts signals from other threads; a test waits for a condition that is looked at after each.
class Signal {
 public:
  void Notify() {
    {
      std::lock_guard lock(mutex_);
      ++count_;
    }
    changed_.notify_all();
  }
  int count() const {
    std::lock_guard lock(mutex_);
    return count_;
  }
  // False after 30 s, which only a fault reaches.
  template <class Condition>
  bool WaitUntil(Condition condition) {
    std::unique_lock lock(mutex_);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (true) {
      const int before = count_;
      lock.unlock();
      if (condition()) return true;
      lock.lock();
      if (!changed_.wait_until(lock, deadline, [&] { return count_ != before; })) return false;
    }
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

}  // namespace fairlead
