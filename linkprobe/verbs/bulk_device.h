// The device, buffer and queue pairs of one end of a bandwidth test.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "linkprobe/transport/bulk.h"
#include "linkprobe/verbs/completion_queue.h"
#include "linkprobe/verbs/rc_queue.h"
#include "linkprobe/verbs/verbs_handles.h"

namespace fairlead::linkprobe {

// The port and address to test from; chosen by the caller.
struct BulkOptions {
  std::string device;
  std::uint8_t port = 1;
  std::uint8_t gid_index = 0;
  std::array<std::uint8_t, 16> gid{};  // what gid_index holds, network order
  std::uint8_t traffic_class = 0;
};

struct BulkDevice {
  VerbsContext context;
  VerbsProtectionDomain domain;
  std::unique_ptr<std::uint8_t[]> buffer;  // kBulkBufferBytes
  VerbsMemoryRegion region;
  std::unique_ptr<CompletionQueue> completions;
  std::vector<RcQueue> queues;      // destroyed before `completions`
  std::uint32_t send_requests = 0;  // of each queue
  BulkEnd end{};
};

// Opens the device with `queues` (1..kMostBulkQueues) queue pairs in INIT. A receiver's buffer can
// be written to by the peer. Pins kBulkBufferBytes: kResourceExhausted, with the remedy, where the
// locked-memory limit forbids it.
Result<BulkDevice> OpenBulkDevice(const BulkOptions& options, std::size_t queues, bool receiver);

// Connects each queue with its counterpart at the smaller of both path MTUs. kInvalidArgument for
// an end that does not fit.
Status ConnectBulk(BulkDevice& device, const BulkEnd& peer, std::uint32_t ack_timeout);

// Both ends over reliable connections.
Result<std::unique_ptr<BulkSender>> CreateBulkSender(const BulkOptions& options,
                                                     std::size_t queues);
Result<std::unique_ptr<BulkReceiver>> CreateBulkReceiver(const BulkOptions& options,
                                                         const BulkEnd& sender);

}  // namespace fairlead::linkprobe
