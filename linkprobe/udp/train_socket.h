// Dispersion trains over UDP.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/base/file_descriptor.h"
#include "common/base/result.h"
#include "linkprobe/transport/train.h"

namespace fairlead::linkprobe {

// Each packet begins with the test's id (8 bytes), the train's number and the packet's (4 each), in
// network order; the rest is zero. The id is random and comes with the set-up, so that others
// cannot put packets into a train.
inline constexpr std::size_t kTrainHeaderBytes = 16;

// A train of small packets measures how many of them a host can take.
inline constexpr std::uint32_t kLargestTrainPayload = 4096;

// Listens on a port of its own and stamps by the kernel, on a thread of its own.
Result<std::unique_ptr<TrainReceiver>> CreateTrainReceiver(std::uint64_t test_id);

// Used by one thread.
class TrainSender {
 public:
  // `host` is an IP literal. `payload_bytes` a packet, never fragmented; 0: what the route's MTU as
  // this host knows it takes, at most kLargestTrainPayload.
  static Result<TrainSender> Open(const std::string& host, std::uint16_t port,
                                  std::uint8_t traffic_class, std::uint64_t test_id,
                                  std::uint32_t payload_bytes);

  // Sends the packets back to back; how long that took. kUnavailable where the kernel refuses them,
  // as it does those that are longer than the path takes.
  Result<Nanoseconds> Send(std::uint32_t train, std::uint32_t packets, const Clock& clock);

  // What a packet is on the wire, as rates of lines and shapers count it.
  std::uint32_t frame_bytes() const;
  std::uint32_t payload_bytes() const { return payload_bytes_; }

 private:
  TrainSender(FileDescriptor fd, bool ipv6, std::uint64_t test_id, std::uint32_t payload_bytes)
      : fd_(std::move(fd)), ipv6_(ipv6), test_id_(test_id), payload_bytes_(payload_bytes) {}

  FileDescriptor fd_;
  bool ipv6_;
  std::uint64_t test_id_;
  std::uint32_t payload_bytes_;
};

}  // namespace fairlead::linkprobe
