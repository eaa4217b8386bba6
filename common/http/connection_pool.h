// Threads that serve connections.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "common/base/file_descriptor.h"

namespace fairlead {

// A thread for each connection served at a time, started when first needed. Connections beyond the
// limit wait, up to 256 of them; those that have sent something go first, and when there are more,
// the oldest silent one is closed, or the new one where none is silent. Thread-safe.
class ConnectionPool {
 public:
  ConnectionPool(std::size_t most, std::function<void(FileDescriptor)> serve);
  ~ConnectionPool() { Close(); }
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  void Submit(FileDescriptor connection);
  // Closes what waits and joins the threads; `serve` must return soon by itself. No Submit may run
  // at the same time; later ones close their connection.
  void Close();
  // Connections that wait for a thread: an idle connection should make room.
  bool crowded() const { return waiting_.load(std::memory_order_relaxed) > 0; }

 private:
  void Run();

  const std::size_t most_;
  const std::function<void(FileDescriptor)> serve_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<FileDescriptor> queue_;
  std::size_t idle_ = 0;
  bool closed_ = false;
  std::atomic<std::size_t> waiting_{0};
  std::vector<std::jthread> threads_;
};

}  // namespace fairlead
