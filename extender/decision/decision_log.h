// The newest decisions.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "extender/decision/decision_record.h"

namespace fairlead::extender {

// Bounded; thread-safe.
class DecisionLog {
 public:
  explicit DecisionLog(std::size_t capacity = 200) : capacity_(capacity) {}

  // Gives the record its number and keeps it.
  void Add(DecisionRecord record);
  // Newest first.
  std::vector<std::shared_ptr<const DecisionRecord>> Newest() const;

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const DecisionRecord>> records_;
  std::uint64_t last_number_ = 0;
};

}  // namespace fairlead::extender
