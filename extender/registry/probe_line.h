// The way back to one connected probe.
#pragma once

#include "common/base/result.h"
#include "extender/registry/node_plan.h"

namespace fairlead::extender {

// Thread-safe; never blocks. After the stream has ended calls do nothing.
class ProbeLine {
 public:
  virtual ~ProbeLine() = default;
  // Replaces a plan that has not been sent yet.
  virtual void SendPlan(const NodePlan& plan) = 0;
  // Ends the stream with this as its status.
  virtual void Close(const Error& why) = 0;
  virtual bool closed() const = 0;
};

}  // namespace fairlead::extender
