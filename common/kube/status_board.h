// A reflector's status, written by its thread and read by others.
#pragma once

#include <mutex>
#include <string>

#include "common/kube/reflector_status.h"

namespace fairlead::kube {

// Thread-safe.
class StatusBoard {
 public:
  ReflectorStatus Get() const {
    std::lock_guard lock(mutex_);
    return status_;
  }
  // change(status) under the lock.
  template <class Change>
  void Update(Change change) {
    std::lock_guard lock(mutex_);
    change(status_);
  }

 private:
  mutable std::mutex mutex_;
  ReflectorStatus status_;
};

}  // namespace fairlead::kube
