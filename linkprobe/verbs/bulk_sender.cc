// The writing end of a bandwidth test.
#include <algorithm>
#include <string>
#include <utility>

#include "linkprobe/verbs/bulk_device.h"

namespace fairlead::linkprobe {
namespace {

constexpr unsigned kQueueShift = 32;

std::string Meaning(ibv_wc_status status) {
  const std::string text = ibv_wc_status_str(status);
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
      return text +
             ": the peer's queue pair is gone, or packets of the full path MTU do not get through";
    case IBV_WC_REM_ACCESS_ERR:
      return text + ": the peer has withdrawn its buffer; its lease is over or it has restarted";
    default:
      return text;
  }
}

class VerbsBulkSender final : public BulkSender {
 public:
  explicit VerbsBulkSender(BulkDevice device)
      : device_(std::move(device)), posted_(device_.queues.size(), 0) {}

  const BulkEnd& end() const override { return device_.end; }
  int descriptor() const override { return device_.completions->descriptor(); }

  Status Connect(const BulkEnd& receiver, std::uint32_t ack_timeout) override {
    if (receiver.buffer_bytes < kBulkBufferBytes) {
      return Fail(ErrorCode::kInvalidArgument,
                  "the peer's buffer has " + std::to_string(receiver.buffer_bytes) +
                      " bytes, not " + std::to_string(kBulkBufferBytes));
    }
    remote_address_ = receiver.buffer_address;
    remote_key_ = receiver.buffer_key;
    return ConnectBulk(device_, receiver, ack_timeout);
  }

  bool IsFull() const override {
    return *std::min_element(posted_.begin(), posted_.end()) >= device_.send_requests;
  }

  Status Post(std::uint32_t bytes) override {
    const auto least = std::min_element(posted_.begin(), posted_.end());
    if (IsFull()) {
      return Fail(ErrorCode::kResourceExhausted, "all send queues are full");
    }
    const auto index = static_cast<std::size_t>(least - posted_.begin());
    const ibv_sge part{.addr = reinterpret_cast<std::uintptr_t>(device_.buffer.get()),
                       .length = bytes,
                       .lkey = device_.region->lkey};
    auto written = device_.queues[index].Write(part, remote_address_, remote_key_,
                                               std::uint64_t{index} << kQueueShift | bytes);
    if (written) ++*least;
    return written;
  }

  Result<std::uint64_t> TakeDelivered() override {
    found_.clear();
    if (auto taken = device_.completions->Take(found_); !taken) return Fail(taken.error());
    std::uint64_t bytes = 0;
    for (const Completion& completion : found_) {
      const auto index = static_cast<std::size_t>(completion.wr_id >> kQueueShift);
      // The first failure tells the reason; those behind it are merely flushed.
      if (completion.status != IBV_WC_SUCCESS) {
        return Fail(ErrorCode::kUnavailable,
                    "queue pair " + std::to_string(index) + ": " + Meaning(completion.status));
      }
      --posted_.at(index);
      bytes += completion.wr_id & 0xffffffff;
    }
    return bytes;
  }

 private:
  BulkDevice device_;
  std::vector<std::uint32_t> posted_;  // messages in flight, by queue
  std::uint64_t remote_address_ = 0;
  std::uint32_t remote_key_ = 0;
  std::vector<Completion> found_;
};

}  // namespace

Result<std::unique_ptr<BulkSender>> CreateBulkSender(const BulkOptions& options,
                                                     std::size_t queues) {
  auto device = OpenBulkDevice(options, queues, false);
  if (!device) return Fail(device.error());
  return std::make_unique<VerbsBulkSender>(std::move(*device));
}

}  // namespace fairlead::linkprobe
