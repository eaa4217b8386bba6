// Threads for connections, made when they are needed.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fairlead::extender {

// httplib gives each connection a thread for as long as it lives. A fixed pool would make the first
// client beyond its size wait for another to leave, so this one grows up to `max_threads`; beyond
// that `on_full` is called, which should make a thread free.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  ConnectionThreads(std::size_t max_threads, std::function<void()> on_full);

  void enqueue(std::function<void()> job) override;
  // Runs what is queued, then waits for every thread.
  void shutdown() override;

 private:
  void Run();

  const std::size_t max_threads_;
  const std::function<void()> on_full_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace fairlead::extender
