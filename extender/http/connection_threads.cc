#include "extender/http/connection_threads.h"

#include <system_error>
#include <utility>

namespace fairlead::extender {

ConnectionThreads::ConnectionThreads(std::size_t max_threads, std::function<void()> on_full)
    : max_threads_(max_threads), on_full_(std::move(on_full)) {}

void ConnectionThreads::enqueue(std::function<void()> job) {
  bool full = false;
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (jobs_.size() > idle_) {
      full = threads_.size() >= max_threads_;
      if (!full) {
        try {
          threads_.emplace_back([this] { Run(); });
        } catch (const std::system_error&) {
          full = true;  // the host has no thread to give; the job waits for one of ours
        }
      }
    }
  }
  wake_.notify_one();
  if (full) on_full_();
}

void ConnectionThreads::shutdown() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ConnectionThreads::Run() {
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      ++idle_;
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      --idle_;
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace fairlead::extender
