// Which pods have been asked about.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_set>

namespace fairlead::extender {

// Remembers the last `most` pods by uid. Thread-safe.
class AskedPods {
 public:
  explicit AskedPods(std::size_t most) : most_(most) {}

  // Whether it is the first question about the pod, as far as is remembered.
  bool First(const std::string& uid);

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::unordered_set<std::string> known_;
  std::deque<std::string> order_;  // oldest first
};

}  // namespace fairlead::extender
