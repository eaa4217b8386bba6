// One reliable connection for a bandwidth test.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <utility>

#include "common/base/result.h"
#include "linkprobe/transport/bulk.h"
#include "linkprobe/verbs/verbs_handles.h"

namespace fairlead::linkprobe {

struct RcQueueOptions {
  std::uint8_t port = 1;
  std::uint8_t gid_index = 0;
  std::uint8_t traffic_class = 0;
  std::uint32_t index = 0;          // of the queue in its test; also chooses the flow label
  std::uint32_t send_requests = 1;  // that can be posted at a time
};

// Used by one thread; the completion queue it was made with must outlive it.
class RcQueue {
 public:
  // Makes the queue pair and brings it to INIT, where the peer may write if `writable`.
  static Result<RcQueue> Create(ibv_pd* domain, ibv_cq* completions, const RcQueueOptions& options,
                                bool writable);

  std::uint32_t qp_number() const { return pair_->qp_num; }
  std::uint32_t psn() const { return psn_; }

  // To ready-to-send. Asks the kernel for the way to the peer, which may take as long as it takes
  // to find the next hop.
  Status Connect(const BulkQueue& peer, ibv_mtu path_mtu, std::uint32_t ack_timeout);

  // Writes `part` to the peer's memory, with a completion of that `wr_id`.
  Status Write(const ibv_sge& part, std::uint64_t remote_address, std::uint32_t remote_key,
               std::uint64_t wr_id);

 private:
  RcQueue(const RcQueueOptions& options, VerbsQueuePair pair, std::uint32_t psn)
      : options_(options), pair_(std::move(pair)), psn_(psn) {}

  RcQueueOptions options_;
  VerbsQueuePair pair_;
  std::uint32_t psn_;
};

}  // namespace fairlead::linkprobe
