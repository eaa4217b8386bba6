#include "extender/decision/decision_log.h"

#include <utility>

namespace fairlead::extender {

void DecisionLog::Add(DecisionRecord record) {
  std::lock_guard lock(mutex_);
  record.number = ++last_number_;
  records_.push_front(std::make_shared<const DecisionRecord>(std::move(record)));
  if (records_.size() > capacity_) records_.pop_back();
}

std::vector<std::shared_ptr<const DecisionRecord>> DecisionLog::Newest() const {
  std::lock_guard lock(mutex_);
  return {records_.begin(), records_.end()};
}

}  // namespace fairlead::extender
