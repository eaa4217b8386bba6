// Where pods that are not yet seen bound are believed to go.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/clock.h"
#include "extender/gang/gang_key.h"

namespace fairlead::extender {

struct AssumedPod {
  std::string uid;
  GangKey gang;
  std::string node;
  MonotonicTime since{};
};

// Single-threaded and bounded: when full, the oldest entry makes room.
class AssumedTable {
 public:
  explicit AssumedTable(Nanoseconds ttl = Seconds(60), std::size_t max_pods = 65536);

  void set_ttl(Nanoseconds ttl) { ttl_ = ttl; }

  // A later answer for the same pod supersedes the one before it. An empty uid is not remembered.
  void Assume(std::string_view uid, const GangKey& gang, std::string_view node, MonotonicTime now);

  // The pod was seen bound or deleted.
  void Forget(std::string_view uid);

  // Members of the gang other than `except_uid` whose time is not over, sorted by uid.
  std::vector<AssumedPod> Members(const GangKey& gang, std::string_view except_uid,
                                  MonotonicTime now) const;

  // Everything whose time is not over, sorted by uid.
  std::vector<AssumedPod> All(MonotonicTime now) const;

  void Expire(MonotonicTime now);
  std::size_t size() const { return pods_.size(); }

 private:
  using Order = std::pair<MonotonicTime, std::string>;  // since, uid

  bool Alive(const AssumedPod& pod, MonotonicTime now) const { return now - pod.since < ttl_; }

  Nanoseconds ttl_;
  std::size_t max_pods_;
  std::map<std::string, AssumedPod, std::less<>> pods_;
  std::set<Order> by_age_;
  std::map<GangKey, std::set<std::string>> by_gang_;
};

}  // namespace fairlead::extender
