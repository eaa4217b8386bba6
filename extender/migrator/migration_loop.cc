#include "extender/migrator/migration_loop.h"

#include <condition_variable>
#include <mutex>

namespace fairlead::extender {

void MigrationLoop::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void MigrationLoop::Run(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    rounds_.Step();
    stopped.wait_for(lock, stop, rounds_.interval(), [] { return false; });
  }
}

}  // namespace fairlead::extender
