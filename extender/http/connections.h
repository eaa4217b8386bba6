// The connections that are open now, so that idle ones can give way and all can be ended.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "common/base/clock.h"

namespace fairlead::extender {

// Thread-safe. A socket is in the table from Open to Close, which closes it, so that a number the
// kernel gives out again is never ended by mistake.
class Connections {
 public:
  void Open(int socket, MonotonicTime now);
  void Close(int socket);
  // Between these two calls the connection has a request under way and is left alone.
  void BeginRequest(int socket);
  void EndRequest(int socket, MonotonicTime now);
  // Ends the connection that has been idle for longest; false when none is idle.
  bool EndIdlest();
  // Ends every connection, also those that serve a request.
  void EndAll();
  std::size_t size() const;

 private:
  struct Entry {
    bool busy = false;
    bool ended = false;
    MonotonicTime idle_since{};
  };

  mutable std::mutex mutex_;
  std::map<int, Entry> entries_;
};

}  // namespace fairlead::extender
