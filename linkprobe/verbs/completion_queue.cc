#include "linkprobe/verbs/completion_queue.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fairlead::linkprobe {
namespace {

std::string ErrnoText(int code) { return std::strerror(code); }

}  // namespace

Result<std::unique_ptr<CompletionQueue>> CompletionQueue::Create(ibv_context* context,
                                                                 int entries) {
  VerbsCompletionChannel channel(ibv_create_comp_channel(context));
  if (!channel) {
    return Fail(ErrorCode::kInternal, "create completion channel: " + ErrnoText(errno));
  }
  if (::fcntl(channel->fd, F_SETFL, ::fcntl(channel->fd, F_GETFL) | O_NONBLOCK) != 0) {
    return Fail(ErrorCode::kInternal, "set completion channel non-blocking: " + ErrnoText(errno));
  }
  std::unique_ptr<CompletionQueue> made(new CompletionQueue(context, std::move(channel)));
  if (!made->CreateStamped(entries)) {
    if (auto plain = made->CreatePlain(entries); !plain) return Fail(plain.error());
  }
  if (const int code = ibv_req_notify_cq(made->get(), 0); code != 0) {
    return Fail(ErrorCode::kInternal, "arm completion queue: " + ErrnoText(code));
  }
  return made;
}

CompletionQueue::~CompletionQueue() = default;

Status CompletionQueue::CreateStamped(int entries) {
  ibv_device_attr_ex attributes{};
  const int code = ibv_query_device_ex(context_, nullptr, &attributes);
  if (code != 0) return Fail(ErrorCode::kUnsupported, ErrnoText(code));
  auto clock = DeviceClock::Create(attributes.hca_core_clock, attributes.completion_timestamp_mask);
  if (!clock) return Fail(ErrorCode::kUnsupported, "no completion stamps");
  ibv_cq_init_attr_ex wanted{};
  wanted.cqe = static_cast<std::uint32_t>(entries);
  wanted.channel = channel_.get();
  wanted.wc_flags = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP;
  extended_ = ibv_create_cq_ex(context_, &wanted);
  if (extended_ == nullptr) return Fail(ErrorCode::kUnsupported, ErrnoText(errno));
  queue_.reset(ibv_cq_ex_to_cq(extended_));
  clock_ = *clock;
  auto anchored = AnchorClock();
  if (!anchored) {
    // A stamp that cannot be related to the steady clock is of no use.
    clock_.reset();
    extended_ = nullptr;
    queue_.reset();
  }
  return anchored;
}

Status CompletionQueue::CreatePlain(int entries) {
  queue_.reset(ibv_create_cq(context_, entries, nullptr, channel_.get(), 0));
  if (!queue_) {
    return Fail(ErrorCode::kInternal, "create completion queue: " + ErrnoText(errno) +
                                          "; check the locked-memory limit (ulimit -l)");
  }
  return {};
}

Status CompletionQueue::AnchorClock() {
  ibv_values_ex values{};
  values.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
  const SystemClock clock;
  const MonotonicTime before = clock.Now();
  if (const int code = ibv_query_rt_values_ex(context_, &values); code != 0) {
    return Fail(ErrorCode::kUnsupported, "read device clock: " + ErrnoText(code));
  }
  const MonotonicTime after = clock.Now();
  clock_->Anchor(static_cast<std::uint64_t>(values.raw_clock.tv_nsec),
                 before + (after - before) / 2);
  return {};
}

Status CompletionQueue::Take(std::vector<Completion>& completions) {
  ibv_cq* queue = nullptr;
  void* unused = nullptr;
  bool woken = false;
  while (ibv_get_cq_event(channel_.get(), &queue, &unused) == 0) {
    ibv_ack_cq_events(queue, 1);
    woken = true;
  }
  if (auto polled = Poll(completions); !polled || !woken) return polled;
  if (const int code = ibv_req_notify_cq(get(), 0); code != 0) {
    return Fail(ErrorCode::kUnavailable, "arm completion queue: " + ErrnoText(code));
  }
  // What completed between the poll and the arming raises no event.
  return Poll(completions);
}

Status CompletionQueue::Poll(std::vector<Completion>& completions) {
  if (extended_ != nullptr) return PollStamped(completions);
  while (true) {
    std::array<ibv_wc, 16> batch;
    const int count = ibv_poll_cq(queue_.get(), static_cast<int>(batch.size()), batch.data());
    if (count < 0) return Fail(ErrorCode::kUnavailable, "poll completion queue: device is gone");
    const MonotonicTime now = SystemClock().Now();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const ibv_wc& done = batch[i];
      completions.push_back(Completion{.wr_id = done.wr_id,
                                       .status = done.status,
                                       .byte_count = done.byte_len,
                                       .has_global_route = (done.wc_flags & IBV_WC_GRH) != 0,
                                       .at = now});
    }
    if (count == 0) return {};
  }
}

Status CompletionQueue::PollStamped(std::vector<Completion>& completions) {
  if (clock_->AnchorIsOld(SystemClock().Now())) {
    if (auto anchored = AnchorClock(); !anchored) return anchored;
  }
  ibv_poll_cq_attr attributes{};
  int code = ibv_start_poll(extended_, &attributes);
  if (code == ENOENT) return {};
  const bool started = code == 0;
  while (code == 0) {
    // Of a failed completion only number and status may be read.
    const bool received =
        extended_->status == IBV_WC_SUCCESS && ibv_wc_read_opcode(extended_) == IBV_WC_RECV;
    completions.push_back(Completion{
        .wr_id = extended_->wr_id,
        .status = extended_->status,
        .byte_count = received ? ibv_wc_read_byte_len(extended_) : 0,
        .has_global_route = received && (ibv_wc_read_wc_flags(extended_) & IBV_WC_GRH) != 0,
        .at = clock_->ToSteady(ibv_wc_read_completion_ts(extended_))});
    code = ibv_next_poll(extended_);
  }
  if (started) ibv_end_poll(extended_);
  if (code == ENOENT) return {};
  return Fail(ErrorCode::kUnavailable, "poll completion queue: " + ErrnoText(code));
}

}  // namespace fairlead::linkprobe
