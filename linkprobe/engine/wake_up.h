// Wakes a loop that waits in epoll.
#pragma once

#include "common/base/file_descriptor.h"

namespace fairlead::linkprobe {

// An eventfd. Signal is thread-safe and async-signal-safe.
class WakeUp {
 public:
  WakeUp();

  int descriptor() const { return fd_.get(); }
  void Signal() const;
  // Takes the signals off, so that the descriptor is quiet again.
  void Clear() const;

 private:
  FileDescriptor fd_;
};

}  // namespace fairlead::linkprobe
