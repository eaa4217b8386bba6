#include "common/ops/orderly_end.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

#include "common/base/log.h"

namespace fairlead {
namespace {

int AnyOf(const sigset_t& signals) {
  int signal = 1;
  while (signal < SIGRTMAX && sigismember(&signals, signal) != 1) ++signal;
  return signal;
}

}  // namespace

OrderlyEnd::OrderlyEnd(const sigset_t& signals, Nanoseconds patience, std::function<void()> give_up)
    : patience_(patience),
      waker_(AnyOf(signals)),
      give_up_(std::move(give_up)),
      thread_([this, signals] { Run(signals); }) {}

OrderlyEnd::~OrderlyEnd() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  pthread_kill(thread_.native_handle(), waker_);  // blocked, so that only the wait takes it
  thread_.join();
}

int OrderlyEnd::WaitForSignal() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return signal_ != 0; });
  return signal_;
}

void OrderlyEnd::ExitAtOnce() { _exit(1); }

void OrderlyEnd::Run(const sigset_t& signals) {
  int taken = 0;
  sigwait(&signals, &taken);
  std::unique_lock lock(mutex_);
  if (over_) return;
  signal_ = taken;
  changed_.notify_all();
  if (changed_.wait_for(lock, patience_, [this] { return over_; })) return;
  lock.unlock();
  LogError("something hangs and does not let the program end in order; ended all the same",
           {{"signal", taken}});
  give_up_();
}

}  // namespace fairlead
