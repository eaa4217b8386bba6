// A registry observer that counts, for tests that wait for a count and not for time to pass.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "extender/registry/registry_status.h"

namespace fairlead::extender {

// Thread-safe.
class CountedReports final : public RegistryObserver {
 public:
  void ReportsAccepted(std::size_t paths) override { Add("accepted", paths); }
  void ReportRefused(std::string_view reason) override { Add(std::string(reason), 1); }

  // False when `what` was not counted so often within a minute.
  bool Reaches(const std::string& what, std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60),
                             [&] { return counts_[what] >= count; });
  }

 private:
  void Add(const std::string& what, std::size_t count) {
    {
      std::lock_guard lock(mutex_);
      counts_[what] += count;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace fairlead::extender
