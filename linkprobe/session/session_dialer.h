// Opens this node's probing sessions, and opens them anew.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/engine/probe_engine.h"
#include "linkprobe/session/plan.h"
#include "linkprobe/session/session_desk.h"

namespace grpc {
class Channel;
class ChannelCredentials;
}  // namespace grpc

namespace fairlead::linkprobe {

using ChannelFactory =
    std::function<Result<std::shared_ptr<grpc::Channel>>(const std::string& address)>;

// A channel that tries again within seconds after an outage of any length, and notices within 20 s
// that the host at the other end is gone while something is being sent. It leads to `address`
// itself: proxies of the environment are passed over. With TLS the other end's certificate must
// name `server_name`, or the address's host where that is empty.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address,
                                           std::shared_ptr<grpc::ChannelCredentials> credentials,
                                           const std::string& server_name = {});

// What became of the attempts to reach one peer.
struct DialStatus {
  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;
  std::string last_error;  // empty after a success
};

// A thread that compares plan and engines twice a second and dials where a session is missing or
// silent. Tells the engines which peers the plan still names. Thread-safe.
class SessionDialer {
 public:
  // All references outlive the dialer. `engines` in order of preference; each probes
  // `probes_per_second` times a second and path.
  SessionDialer(SessionIdentity identity, const Snapshot<Plan>& plan,
                std::vector<ProbeEngine*> engines, double probes_per_second,
                const SessionDesk& desk, ChannelFactory channels, const Clock& clock);
  ~SessionDialer();

  // By peer node. Never null.
  std::shared_ptr<const std::map<std::string, DialStatus>> Latest() const;
  // When the loop last came round, for /healthz.
  MonotonicTime last_turn() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairlead::linkprobe
