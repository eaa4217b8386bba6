// Tokens that were reviewed a short while ago.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "common/base/clock.h"
#include "extender/cluster_api/token_review.h"

namespace fairlead::extender {

// By the SHA-256 of the token, so that no token stays in memory. Single-threaded and bounded: when
// full, what ends soonest makes room.
class TokenCache {
 public:
  using Digest = std::array<unsigned char, 32>;
  using Verdict = tl::expected<ProvenPod, RefusedToken>;

  explicit TokenCache(std::size_t most) : most_(most) {}

  // Null where it is not known, or not any more. Valid until the next call.
  const Verdict* Find(const Digest& token, MonotonicTime now);
  void Keep(const Digest& token, Verdict verdict, MonotonicTime until);
  std::size_t size() const { return verdicts_.size(); }

 private:
  struct Entry {
    Verdict verdict;
    MonotonicTime until;
  };

  void Forget(const Digest& token);

  const std::size_t most_;
  std::map<Digest, Entry> verdicts_;
  std::set<std::pair<MonotonicTime, Digest>> by_end_;
};

}  // namespace fairlead::extender
