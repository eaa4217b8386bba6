// Who may ask something of this node by the plan in force.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "linkprobe/session/nonce_memory.h"
#include "linkprobe/session/open_outcome.h"
#include "linkprobe/session/plan.h"

namespace fairlead::linkprobe {

// What every signed request says of itself.
struct RequestEnvelope {
  std::uint32_t protocol_version = 0;
  std::string from;  // node names
  std::string to;
  std::uint32_t key_id = 0;
  std::string nonce;
  std::uint64_t unix_time_ns = 0;
};

// Takes each request once, from peers of the plan that hold the pair's key. Thread-safe.
class Admission {
 public:
  // The references outlive it.
  Admission(std::string node, const Snapshot<Plan>& plan, const Clock& clock);

  struct Verdict {
    OpenOutcome outcome = OpenOutcome::kOpened;
    Result<PlannedPeer> peer;  // who asks; the error says what the caller can do about it
  };
  // `verify` says whether the request's mac is of that key.
  Verdict Judge(const RequestEnvelope& request,
                const std::function<Status(std::span<const std::uint8_t> key)>& verify);

 private:
  Verdict TakeOnce(const RequestEnvelope& request, const PlannedPeer& peer);

  const std::string node_;
  const Snapshot<Plan>& plan_;
  const Clock& clock_;
  std::mutex mutex_;
  NonceMemory nonces_;
};

}  // namespace fairlead::linkprobe
