// What pods that are not yet seen bound will take of the nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/clock.h"

namespace fairlead::extender {

// `rdma/hca` by node and pod. Single-threaded.
class Reservations {
 public:
  // The pod takes `hcas` of `node` from now on; replaces what it took before.
  void Reserve(std::string_view uid, std::string_view node, std::uint32_t hcas, MonotonicTime now);
  void Release(std::string_view uid);
  // Releases what is older than `ttl`.
  void Expire(Nanoseconds ttl, MonotonicTime now);

  // Of each node of which something is taken, without what `except_uid` takes.
  std::map<std::string_view, std::uint32_t> Taken(std::string_view except_uid) const;
  bool empty() const { return pods_.empty(); }

 private:
  struct Reservation {
    std::string node;
    std::uint32_t hcas = 0;
    MonotonicTime since{};
  };

  std::map<std::string, Reservation, std::less<>> pods_;
  std::set<std::pair<MonotonicTime, std::string>> by_age_;   // since, uid
  std::map<std::string, std::uint32_t, std::less<>> taken_;  // by node, never 0
};

}  // namespace fairlead::extender
