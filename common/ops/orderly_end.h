// The end that a signal asks for, in order or not.
#pragma once

#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "common/base/clock.h"

namespace fairlead {

// Waits for a signal from its beginning on. From the signal, everything made after this object has
// `patience` to be destroyed; then the process is ended all the same, with an error in the log:
// a thread that hangs in a driver or a library cannot be joined.
class OrderlyEnd {
 public:
  // `signals` are blocked in every thread; another one of them is not waited for. `give_up` is
  // called where the patience is over, by a thread of its own, and does not return but in tests.
  OrderlyEnd(const sigset_t& signals, Nanoseconds patience,
             std::function<void()> give_up = ExitAtOnce);
  // The rest is destroyed: whatever comes after this has all the time it wants.
  ~OrderlyEnd();

  // Blocks until a signal comes; its number.
  int WaitForSignal();

 private:
  static void ExitAtOnce();
  void Run(const sigset_t& signals);

  const Nanoseconds patience_;
  const int waker_;
  const std::function<void()> give_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int signal_ = 0;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace fairlead
