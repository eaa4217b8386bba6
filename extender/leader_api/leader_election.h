// Elects one replica of the extender through a Lease of the API server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/kube/access.h"
#include "extender/leader/leadership.h"
#include "extender/leader/lease_machine.h"
#include "extender/leader_api/election_status.h"

namespace fairlead::extender {

struct ElectionSettings {
  kube::Access access;
  std::string user_agent;
  std::string namespace_name;  // of the Lease and of the pod
  std::string lease = "fairlead-extender";
  std::string pod;  // this replica's, from the downward API
  LeaseTimes times;
};

// Two threads, one for the Lease and one for the pod's label, from Start until Stop. It needs get,
// create and update on leases and patch on pods, in its own namespace.
//
// The leadership is published whenever it changes, each renewal included, and again when its time
// is over. It never says more than what the Lease grants; see Leadership for how to read it.
class LeaderElection {
 public:
  // Fails where settings or access are wrong; waits for no answer. `clock` and `leadership` outlive
  // this, which is the leadership's only writer.
  static Result<std::unique_ptr<LeaderElection>> Start(ElectionSettings settings,
                                                       const Clock& clock,
                                                       Snapshot<Leadership>& leadership);
  ~LeaderElection();

  // Publishes that this replica leads no more, then gives the Lease up, so that the standby takes
  // over at its next look, and takes the label away. Seconds at most, also where the API server
  // does not answer. Later calls do nothing.
  void Stop();

  // Thread-safe.
  ElectionStatus status() const;
  // This process in the Lease: pod, underscore, a number of its own.
  const std::string& identity() const;

 private:
  class Loop;
  explicit LeaderElection(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead::extender
