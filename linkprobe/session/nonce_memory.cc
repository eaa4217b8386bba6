#include "linkprobe/session/nonce_memory.h"

namespace fairlead::linkprobe {

NonceMemory::Answer NonceMemory::Use(const std::string& nonce, MonotonicTime now) {
  while (!by_age_.empty() && now - by_age_.front().first > keep_) {
    seen_.erase(by_age_.front().second);
    by_age_.pop_front();
  }
  if (seen_.contains(nonce)) return Answer::kUsed;
  if (seen_.size() >= capacity_) return Answer::kFull;
  seen_.insert(nonce);
  by_age_.emplace_back(now, nonce);
  return Answer::kFresh;
}

}  // namespace fairlead::linkprobe
