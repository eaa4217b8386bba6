// The seam between a bandwidth test and what carries its bytes: queue pairs that write into a
// buffer of the peer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/base/result.h"

namespace fairlead::linkprobe {

// The one buffer at each end. It is posted again and again, so it need not be as large as what is
// in flight.
inline constexpr std::size_t kBulkBufferBytes = 8 * 1024 * 1024;
inline constexpr std::size_t kMostBulkQueues = 64;

struct BulkQueue {
  std::array<std::uint8_t, 16> gid{};  // network order
  std::uint32_t qp_number = 0;
  std::uint32_t psn = 0;  // of the first packet sent from here; 24 bits

  friend bool operator==(const BulkQueue&, const BulkQueue&) = default;
};

// One end, as the session set-up hands it to the other. Queue i of one end belongs to queue i of
// the other. The buffer is set where the end can be written to.
struct BulkEnd {
  std::vector<BulkQueue> queues;
  std::uint32_t path_mtu_bytes = 0;
  std::uint64_t buffer_address = 0;
  std::uint32_t buffer_key = 0;
  std::uint64_t buffer_bytes = 0;
};

// Can be written to for as long as it lives. Needs no thread: the device does the work.
class BulkReceiver {
 public:
  virtual ~BulkReceiver() = default;
  virtual const BulkEnd& end() const = 0;
};

// Makes a receiver for that sender, with as many queues.
using BulkReceiverFactory =
    std::function<Result<std::unique_ptr<BulkReceiver>>(const BulkEnd& sender)>;

// Writes to one receiver. Used by one thread.
class BulkSender {
 public:
  virtual ~BulkSender() = default;
  virtual const BulkEnd& end() const = 0;
  // Once, before anything else. An answer that takes longer than 4.096 us x 2^ack_timeout makes the
  // device send again.
  virtual Status Connect(const BulkEnd& receiver, std::uint32_t ack_timeout) = 0;
  // Whether as many messages are in flight as the queues hold.
  virtual bool IsFull() const = 0;
  // Writes 1..kBulkBufferBytes bytes on the queue with the least in flight; never waits.
  // kResourceExhausted while IsFull.
  virtual Status Post(std::uint32_t bytes) = 0;
  // The bytes that arrived since the last call; never waits. An error means that the test is over.
  virtual Result<std::uint64_t> TakeDelivered() = 0;
  // Readable when TakeDelivered has something.
  virtual int descriptor() const = 0;
};

}  // namespace fairlead::linkprobe
