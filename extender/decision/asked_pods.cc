#include "extender/decision/asked_pods.h"

namespace fairlead::extender {

bool AskedPods::First(const std::string& uid) {
  const std::lock_guard lock(mutex_);
  if (!known_.insert(uid).second) return false;
  order_.push_back(uid);
  if (order_.size() > most_) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

}  // namespace fairlead::extender
