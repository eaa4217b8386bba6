// The seam between the probe's engine and what carries its packets: verbs, UDP, or a test's pair of
// queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/link/link_state.h"
#include "linkprobe/transport/endpoint.h"

namespace fairlead::linkprobe {

// Every packet leaves with this hop limit, so the receiver knows how many routers it crossed.
inline constexpr std::uint8_t kInitialHopLimit = 64;

// A packet as it arrived, whatever its length; the bytes are valid during the call only.
struct ReceivedPacket {
  std::span<const std::uint8_t> bytes;
  std::uint32_t path = 0;
  MonotonicTime received{};
  std::optional<std::uint8_t> hop_limit;      // absent where the transport does not show it
  std::optional<std::uint8_t> traffic_class;  // DSCP and ECN as they arrived
  // The wall clock was set while the packet waited: `received` is when it was read, not the
  // kernel's stamp.
  bool clock_stepped = false;
};

// When a packet that was sent with `token` left this host.
struct SendStamp {
  std::uint64_t token = 0;
  MonotonicTime sent{};
};

// What Drain finds. Called on the draining thread.
class TransportEvents {
 public:
  virtual ~TransportEvents() = default;
  virtual void OnReceived(const ReceivedPacket& packet) = 0;
  virtual void OnSent(const SendStamp& stamp) = 0;
  // Somebody set the wall clock; stamps that straddle the step are not reported.
  virtual void OnClockStep() = 0;
};

// A peer's endpoint made ready for sending. Keeps what it needs alive; usable only with the
// transport that resolved it.
class Destination {
 public:
  virtual ~Destination() = default;
};

// Sends and receives probe packets on a fixed number of paths. Used by one thread; the stamps it
// hands out are of this host's steady clock.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual TransportKind kind() const = 0;
  virtual TransportRung rung() const = 0;
  // The port that every packet passes; nothing where the kernel's routes choose.
  virtual std::optional<NicPort> nic() const { return std::nullopt; }
  // One per path, in order of path index; what peers are told.
  virtual std::vector<Endpoint> LocalEndpoints() const = 0;
  // Descriptors to wait on for input. Constant for the transport's life.
  virtual std::vector<int> Descriptors() const = 0;

  // Makes the peer's endpoint of `path` ready. May wait for the kernel to find the next hop.
  virtual Result<std::shared_ptr<const Destination>> Resolve(std::uint32_t path,
                                                             const Endpoint& peer) = 0;
  // Sends without waiting. The stamp for `token` comes by OnSent, perhaps never. An error concerns
  // this packet only.
  virtual Status Send(std::uint32_t path, const Destination& to,
                      std::span<const std::uint8_t> packet, std::uint64_t token) = 0;
  // Delivers what waits on `descriptor` without blocking. An error means that the transport is gone
  // and must be built anew.
  virtual Status Drain(int descriptor, TransportEvents& events) = 0;
  // Whether what it stands on still exists; cheap enough for once a second. An error means gone.
  virtual Status Check() { return {}; }
};

}  // namespace fairlead::linkprobe
