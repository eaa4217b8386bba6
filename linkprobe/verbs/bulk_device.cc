#include "linkprobe/verbs/bulk_device.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "linkprobe/verbs/open_device.h"

namespace fairlead::linkprobe {
namespace {

// On each queue pair: at 1 MiB a message, 512 MiB.
constexpr int kWantedSendRequests = 512;
// A receiver's device resends nothing, so any value that is long enough for none will do.
constexpr std::uint32_t kReceiverAckTimeout = 18;

Result<std::uint32_t> SendRequests(ibv_context* context) {
  ibv_device_attr attributes{};
  if (const int code = ibv_query_device(context, &attributes); code != 0) {
    return Fail(ErrorCode::kUnavailable, std::string("query device: ") + std::strerror(code));
  }
  return static_cast<std::uint32_t>(std::clamp(attributes.max_qp_wr, 1, kWantedSendRequests));
}

Status RegisterBuffer(BulkDevice& device, bool receiver) {
  device.buffer = std::make_unique<std::uint8_t[]>(kBulkBufferBytes);
  const int access = receiver ? IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE : 0;
  device.region.reset(
      ibv_reg_mr(device.domain.get(), device.buffer.get(), kBulkBufferBytes, access));
  if (device.region) return {};
  const int code = errno;
  return Fail(code == ENOMEM ? ErrorCode::kResourceExhausted : ErrorCode::kInternal,
              std::string("register a buffer of 8 MiB: ") + std::strerror(code) +
                  (code == ENOMEM ? "; raise the locked-memory limit (ulimit -l) to 16 MiB" : ""));
}

Result<ibv_mtu> MtuOf(std::uint32_t bytes) {
  for (const ibv_mtu mtu : {IBV_MTU_256, IBV_MTU_512, IBV_MTU_1024, IBV_MTU_2048, IBV_MTU_4096}) {
    if (MtuBytes(mtu) == bytes) return mtu;
  }
  return Fail(ErrorCode::kInvalidArgument,
              "path MTU " + std::to_string(bytes) + " is not one of RDMA's");
}

Status AddQueues(BulkDevice& device, const BulkOptions& options, std::size_t queues,
                 bool receiver) {
  for (std::uint32_t index = 0; index < queues; ++index) {
    auto queue = RcQueue::Create(device.domain.get(), device.completions->get(),
                                 {.port = options.port,
                                  .gid_index = options.gid_index,
                                  .traffic_class = options.traffic_class,
                                  .index = index,
                                  .send_requests = receiver ? 1 : device.send_requests},
                                 receiver);
    if (!queue) return Fail(queue.error());
    device.end.queues.push_back(
        {.gid = options.gid, .qp_number = queue->qp_number(), .psn = queue->psn()});
    device.queues.push_back(std::move(*queue));
  }
  return {};
}

class VerbsBulkReceiver final : public BulkReceiver {
 public:
  explicit VerbsBulkReceiver(BulkDevice device) : device_(std::move(device)) {}
  const BulkEnd& end() const override { return device_.end; }

 private:
  BulkDevice device_;
};

}  // namespace

Result<BulkDevice> OpenBulkDevice(const BulkOptions& options, std::size_t queues, bool receiver) {
  if (queues == 0 || queues > kMostBulkQueues) {
    return Fail(ErrorCode::kInvalidArgument,
                std::to_string(queues) + " queue pairs; use 1.." + std::to_string(kMostBulkQueues));
  }
  const std::string what = "RDMA device " + options.device;
  auto context = OpenDevice(options.device);
  if (!context) return Fail(context.error());
  BulkDevice device;
  device.context = std::move(*context);
  ibv_port_attr port{};
  if (const int code = ibv_query_port(device.context.get(), options.port, &port); code != 0) {
    return Fail(ErrorCode::kUnavailable, what + ": query port: " + std::strerror(code));
  }
  device.domain.reset(ibv_alloc_pd(device.context.get()));
  if (!device.domain) {
    return Fail(ErrorCode::kInternal,
                what + ": allocate protection domain: " + std::strerror(errno));
  }
  if (auto made = RegisterBuffer(device, receiver); !made) return Fail(made.error().Within(what));
  const auto requests = SendRequests(device.context.get());
  if (!requests) return Fail(requests.error().Within(what));
  device.send_requests = *requests;
  const std::size_t entries = receiver ? 16 : queues * device.send_requests;
  auto completions = CompletionQueue::Create(device.context.get(), static_cast<int>(entries));
  if (!completions) return Fail(completions.error().Within(what));
  device.completions = std::move(*completions);
  if (auto added = AddQueues(device, options, queues, receiver); !added) {
    return Fail(added.error().Within(what));
  }
  device.end.path_mtu_bytes = MtuBytes(port.active_mtu);
  if (receiver) {
    device.end.buffer_address = reinterpret_cast<std::uintptr_t>(device.buffer.get());
    device.end.buffer_key = device.region->rkey;
    device.end.buffer_bytes = kBulkBufferBytes;
  }
  return device;
}

Status ConnectBulk(BulkDevice& device, const BulkEnd& peer, std::uint32_t ack_timeout) {
  if (peer.queues.size() != device.queues.size()) {
    return Fail(ErrorCode::kInvalidArgument, "the peer has " + std::to_string(peer.queues.size()) +
                                                 " queue pairs for " +
                                                 std::to_string(device.queues.size()));
  }
  device.end.path_mtu_bytes = std::min(device.end.path_mtu_bytes, peer.path_mtu_bytes);
  const auto mtu = MtuOf(device.end.path_mtu_bytes);
  if (!mtu) return Fail(mtu.error());
  for (std::size_t i = 0; i < device.queues.size(); ++i) {
    if (auto done = device.queues[i].Connect(peer.queues[i], *mtu, ack_timeout); !done) return done;
  }
  return {};
}

Result<std::unique_ptr<BulkReceiver>> CreateBulkReceiver(const BulkOptions& options,
                                                         const BulkEnd& sender) {
  auto device = OpenBulkDevice(options, sender.queues.size(), true);
  if (!device) return Fail(device.error());
  if (auto connected = ConnectBulk(*device, sender, kReceiverAckTimeout); !connected) {
    return Fail(connected.error().Within("RDMA device " + options.device));
  }
  return std::make_unique<VerbsBulkReceiver>(std::move(*device));
}

}  // namespace fairlead::linkprobe
