// Completions of one device's probe queues, with the device's stamps where it has them.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "linkprobe/verbs/device_clock.h"
#include "linkprobe/verbs/verbs_handles.h"

namespace fairlead::linkprobe {

struct Completion {
  std::uint64_t wr_id = 0;
  ibv_wc_status status = IBV_WC_SUCCESS;
  std::uint32_t byte_count = 0;
  bool has_global_route = false;
  MonotonicTime at{};  // the device's stamp, or the moment it was polled
};

// Event driven: wait on descriptor(), then Take. Used by one thread; outlives its queue pairs.
class CompletionQueue {
 public:
  // Asks for device stamps and does without where the device has none.
  static Result<std::unique_ptr<CompletionQueue>> Create(ibv_context* context, int entries);
  ~CompletionQueue();

  ibv_cq* get() const { return queue_.get(); }
  int descriptor() const { return channel_->fd; }
  bool hardware_stamps() const { return clock_.has_value(); }

  // Appends everything that has completed and asks for the next event; never blocks.
  Status Take(std::vector<Completion>& completions);

 private:
  CompletionQueue(ibv_context* context, VerbsCompletionChannel channel)
      : context_(context), channel_(std::move(channel)) {}

  Status CreateStamped(int entries);
  Status CreatePlain(int entries);
  Status AnchorClock();
  Status Poll(std::vector<Completion>& completions);
  Status PollStamped(std::vector<Completion>& completions);

  ibv_context* const context_;
  VerbsCompletionChannel channel_;
  VerbsCompletionQueue queue_;
  ibv_cq_ex* extended_ = nullptr;  // the same queue, where stamps are on
  std::optional<DeviceClock> clock_;
};

}  // namespace fairlead::linkprobe
