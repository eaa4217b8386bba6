// The label by which the scoring Service finds the leader's pod.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/kube/api_connection.h"
#include "common/kube/api_error.h"

namespace fairlead::extender {

// "fairlead.dev/leader", with the value "true"; other pods do not have it.
std::string LeaderLabelName();

// A thread that labels this replica's pod while it leads and takes the label away while it does
// not, which also ends what a container before this one has left behind. While it leads it takes
// the label from its predecessor's pod too, whose process may have died or hang. What cannot be
// done is tried again after 1 to 30 s; what was done is looked after every 30 s, for a person may
// have changed it.
class PodLabel {
 public:
  // Told after each round: what failed, or null. Called by the thread.
  using Report = std::function<void(const kube::ApiError* failed)>;

  PodLabel(std::string namespace_name, std::string pod,
           std::unique_ptr<kube::ApiConnection> connection, const Clock& clock, std::uint64_t seed,
           Report report);
  // Takes the label away; one attempt.
  ~PodLabel();

  // Thread-safe; does not wait. `predecessor` is a pod or empty.
  void Want(bool leads, std::string predecessor);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::extender
