// Decides on every request to open a session with this node.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "fairlead/v1/session.pb.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/session/admission.h"
#include "linkprobe/session/open_outcome.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

struct SessionIdentity {
  std::string node;
  std::uint64_t epoch = 0;
};

// Requests are judged against the plan in force. Thread-safe; never waits for an engine.
class SessionDesk {
 public:
  // All arguments outlive the desk. `engines` in order of preference.
  SessionDesk(SessionIdentity identity, const Snapshot<Plan>& plan,
              std::vector<ProbeEngine*> engines, const Clock& clock);

  struct Decision {
    OpenOutcome outcome = OpenOutcome::kOpened;
    Result<v1::OpenReply> reply;  // the error says what the caller can do about it
  };
  // Checks the request and, when it is good, tells the engine of the chosen transport to answer.
  // `caller` is the IP literal that the request came from; the address that leads back to it is
  // the one given out where a transport listens on every address.
  Decision Open(const v1::OpenRequest& request, const std::string& caller);

  OpenCounts counts() const;
  // The newest epoch that a peer has proven; nothing before it called.
  std::optional<std::uint64_t> PeerEpoch(const std::string& node) const;

 private:
  Decision Judge(const v1::OpenRequest& request, const std::string& caller);
  Decision Answer(const v1::OpenRequest& request, const PlannedPeer& peer,
                  const std::string& caller);

  const SessionIdentity identity_;
  const std::vector<ProbeEngine*> engines_;
  Admission admission_;

  mutable std::mutex mutex_;
  OpenCounts counts_{};
  std::map<std::string, std::uint64_t> epochs_;
};

}  // namespace fairlead::linkprobe
