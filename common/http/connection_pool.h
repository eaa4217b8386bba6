// Threads that serve connections.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "common/base/clock.h"
#include "common/base/file_descriptor.h"
#include "common/http/seat.h"

namespace fairlead {

// A thread for each connection served at a time, started when first needed. Connections beyond the
// limit wait, up to 256 of them, and those that have sent something go first. For each of these
// that finds no free thread, the served connection whose client has kept its thread waiting longest
// is shut down, whether half a head, half a body or an answer not taken is what it waits for. A
// thread that works is left alone. Thread-safe, but Submit and MakeRoom are for one thread.
class ConnectionPool {
 public:
  // `serve` waits for the client only between StartWaiting and FinishWaiting, and returns soon when
  // its connection has been shut down.
  using ServeConnection = std::function<void(int fd, Seat& seat)>;

  // `patience` is how long a client may keep others waiting.
  ConnectionPool(std::size_t most, Nanoseconds patience, ServeConnection serve);
  ~ConnectionPool() { Close(); }
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  // There must be room.
  void Submit(FileDescriptor connection);
  struct Room {
    bool crowded = false;  // connections wait: call MakeRoom again soon
    bool full = false;     // no room for another one
  };
  // Shuts down connections whose place others need. When the waiting ones are too many, closes the
  // one that has been silent longest.
  Room MakeRoom();
  // Closes what waits and joins the threads; `serve` must return soon by itself. No Submit may run
  // at the same time; later ones close their connection.
  void Close();

 private:
  struct Served {
    int fd;
    Seat seat;
    bool shut_down = false;  // guarded by mutex_
  };

  void Run();
  FileDescriptor Next();
  Served* WorstOf(MonotonicTime now);

  const std::size_t most_;
  const Nanoseconds patience_;
  const ServeConnection serve_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<FileDescriptor> queue_;
  std::vector<Served*> served_;
  std::size_t idle_ = 0;     // threads that wait for a connection, or are about to
  std::size_t leaving_ = 0;  // connections shut down whose threads have not noticed yet
  bool closed_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace fairlead
