#include "extender/cluster_api/token_cache.h"

namespace fairlead::extender {

void TokenCache::Forget(const Digest& token) {
  const auto found = verdicts_.find(token);
  if (found == verdicts_.end()) return;
  by_end_.erase({found->second.until, token});
  verdicts_.erase(found);
}

const TokenCache::Verdict* TokenCache::Find(const Digest& token, MonotonicTime now) {
  while (!by_end_.empty() && by_end_.begin()->first <= now) Forget(Digest(by_end_.begin()->second));
  const auto found = verdicts_.find(token);
  return found == verdicts_.end() ? nullptr : &found->second.verdict;
}

void TokenCache::Keep(const Digest& token, Verdict verdict, MonotonicTime until) {
  Forget(token);
  while (!by_end_.empty() && verdicts_.size() >= most_) Forget(Digest(by_end_.begin()->second));
  by_end_.emplace(until, token);
  verdicts_.emplace(token, Entry{std::move(verdict), until});
}

}  // namespace fairlead::extender
