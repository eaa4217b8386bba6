// Names objects in the log whose amounts cannot be read.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "common/kube/object_id.h"

namespace fairlead::extender {

// Each object once until its amounts can be read again; at most kMost of them at a time, as a
// metric has their number. Single-threaded.
class UnreadableLog {
 public:
  static constexpr std::size_t kMost = 1000;

  // `kind` of object, "node"; `unreadable`: what of it; empty: nothing.
  void See(std::string_view kind, const kube::ObjectId& id, std::string_view unreadable);
  std::size_t named() const { return named_.size(); }

 private:
  std::set<std::string> named_;  // by Text() of their ids
};

}  // namespace fairlead::extender
