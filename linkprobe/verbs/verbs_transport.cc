#include "linkprobe/verbs/verbs_transport.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "linkprobe/verbs/completion_queue.h"
#include "linkprobe/verbs/open_device.h"
#include "linkprobe/verbs/ud_queue.h"
#include "linkprobe/verbs/waiting_sends.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::uint32_t kLargestPathCount = 8;
// Enough for every receive and send of all paths at once.
constexpr int kCompletionsPerPath = kReceivesPerPath + kSendsPerPath;
// One answer for each receive.
constexpr std::size_t kSendsWaiting = kReceivesPerPath;
// A queue pair that fails again and again without a packet between is the device's fault.
constexpr int kRecoveriesBeforeGone = 5;

// What address handles hang on. Destinations share it, so a device stays open until the last one is
// released.
struct DeviceHandles {
  VerbsContext context;
  VerbsProtectionDomain domain;
};

struct SharedAddress {
  std::shared_ptr<const DeviceHandles> device;
  VerbsAddressHandle handle;  // after `device`, so it is destroyed before it
};

struct VerbsDestination final : Destination {
  std::shared_ptr<const SharedAddress> address;
  std::uint32_t qp_number = 0;
  std::uint32_t qkey = 0;
};

// Unpredictable, and without the top bit, which marks keys that only privileged callers may use.
std::uint32_t RandomQkey() {
  std::random_device random;
  return std::max<std::uint32_t>(1, random() & 0x7fffffff);
}

class VerbsTransport final : public Transport {
 public:
  VerbsTransport(VerbsOptions options, std::shared_ptr<const DeviceHandles> device,
                 std::unique_ptr<CompletionQueue> completions)
      : options_(std::move(options)),
        device_(std::move(device)),
        completions_(std::move(completions)) {}

  Status Open() {
    ibv_port_attr port{};
    if (const int code = ibv_query_port(device_->context.get(), options_.port, &port); code != 0) {
      return Fail(ErrorCode::kUnavailable, std::string("query port: ") + std::strerror(code));
    }
    if (port.state != IBV_PORT_ACTIVE) {
      return Fail(ErrorCode::kUnavailable, std::string("port state is ") +
                                               ibv_port_state_str(port.state) +
                                               "; it must be PORT_ACTIVE");
    }
    if (port.link_layer != IBV_LINK_LAYER_ETHERNET) {
      return Fail(ErrorCode::kUnsupported, "link layer is not Ethernet; only RoCE is probed");
    }
    path_mtu_bytes_ = MtuBytes(port.active_mtu);
    for (std::uint32_t path = 0; path < options_.paths; ++path) {
      auto queue = UdQueue::Create(
          device_->domain.get(), completions_->get(),
          {.port = options_.port,
           .qkey = qkey_,
           .path = path,
           .signal_every = completions_->hardware_stamps() ? 1 : kSendsPerPath / 2});
      if (!queue) return Fail(queue.error());
      queues_.push_back(std::move(*queue));
      waiting_.emplace_back(kSendsWaiting);
      recoveries_.push_back(0);
    }
    return {};
  }

  TransportKind kind() const override { return TransportKind::kRdmaUd; }
  TransportRung rung() const override {
    return completions_->hardware_stamps() ? TransportRung::kRdmaUdHw : TransportRung::kRdmaUdSw;
  }

  std::optional<NicPort> nic() const override {
    return NicPort{.device = options_.device, .port = options_.port};
  }

  std::vector<Endpoint> LocalEndpoints() const override {
    std::vector<Endpoint> endpoints;
    for (const auto& queue : queues_) {
      Endpoint endpoint;
      endpoint.kind = TransportKind::kRdmaUd;
      endpoint.gid = options_.gid;
      endpoint.qp_number = queue->qp_number();
      endpoint.qkey = qkey_;
      endpoint.path_mtu_bytes = path_mtu_bytes_;
      endpoint.hardware_stamps = completions_->hardware_stamps();
      endpoint.traffic_class = options_.traffic_class;
      endpoint.roce_version = options_.roce_version;
      endpoints.push_back(endpoint);
    }
    return endpoints;
  }

  std::vector<int> Descriptors() const override {
    return {completions_->descriptor(), device_->context->async_fd};
  }

  Result<std::shared_ptr<const Destination>> Resolve(std::uint32_t path,
                                                     const Endpoint& peer) override {
    if (peer.kind != TransportKind::kRdmaUd || peer.qp_number == 0) {
      return Fail(ErrorCode::kInvalidArgument, "peer endpoint is not a UD queue pair");
    }
    auto address = Address(path, peer);
    if (!address) return Fail(address.error());
    auto destination = std::make_shared<VerbsDestination>();
    destination->address = std::move(*address);
    destination->qp_number = peer.qp_number;
    destination->qkey = peer.qkey;
    peer_mtu_bytes_ = std::min(peer_mtu_bytes_, peer.path_mtu_bytes);
    return destination;
  }

  Status Send(std::uint32_t path, const Destination& to, std::span<const std::uint8_t> packet,
              std::uint64_t token) override {
    // A UD packet above the MTU is dropped with a success completion by some devices.
    const std::uint32_t mtu = std::min(path_mtu_bytes_, peer_mtu_bytes_);
    if (packet.size() > mtu) {
      return Fail(ErrorCode::kInvalidArgument, "packet of " + std::to_string(packet.size()) +
                                                   " bytes exceeds the path MTU of " +
                                                   std::to_string(mtu));
    }
    const auto& destination = static_cast<const VerbsDestination&>(to);
    const UdAddress address{.handle = destination.address->handle.get(),
                            .qp_number = destination.qp_number,
                            .qkey = destination.qkey};
    return waiting_.at(path).Send(*queues_[path], destination.address, address, packet, token);
  }

  Status Drain(int descriptor, TransportEvents& events) override {
    if (descriptor == device_->context->async_fd) return ReadDeviceEvents();
    found_.clear();
    if (auto taken = completions_->Take(found_); !taken) return taken;
    std::set<std::uint32_t> failed;
    for (const Completion& completion : found_) {
      const UdWorkId id = DecodeWorkId(completion.wr_id);
      if (id.path >= queues_.size() || !queues_[id.path]->IsCurrent(id)) continue;
      if (completion.status != IBV_WC_SUCCESS) {
        failed.insert(id.path);
        continue;
      }
      recoveries_[id.path] = 0;
      if (auto finished = Finish(id, completion, events); !finished) return finished;
    }
    for (const std::uint32_t path : failed) {
      if (++recoveries_[path] > kRecoveriesBeforeGone) {
        return Fail(ErrorCode::kUnavailable, "queue pair of path " + std::to_string(path) +
                                                 " fails again after each recovery");
      }
      if (auto recovered = queues_[path]->Recover(); !recovered) return recovered;
    }
    for (std::size_t path = 0; path < queues_.size(); ++path) {
      waiting_[path].Resume(*queues_[path]);
    }
    return {};
  }

  // Some drivers tell of a device's removal by no event, and the removal then waits until the
  // device is closed here. Its node in sysfs is gone by that time.
  Status Check() override {
    const char* path = device_->context->device->dev_path;
    if (::access(path, F_OK) == 0 || errno != ENOENT) return {};
    return Fail(ErrorCode::kUnavailable, std::string(path) + " is gone: the device is removed");
  }

 private:
  Status Finish(const UdWorkId& id, const Completion& completion, TransportEvents& events) {
    UdQueue& queue = *queues_[id.path];
    if (!id.receive) {
      const std::uint64_t token = queue.FinishSend(id.slot);
      // Without a device stamp the completion tells when this thread woke, which is a worse guess
      // than the moment before posting.
      if (completions_->hardware_stamps()) events.OnSent({.token = token, .sent = completion.at});
      return {};
    }
    const auto bytes = queue.Received(id.slot, completion.byte_count);
    if (bytes.size() >= kGlobalRouteBytes) {
      ReceivedPacket packet;
      packet.bytes = bytes.subspan(kGlobalRouteBytes);
      packet.path = id.path;
      packet.received = completion.at;
      if (const auto route = ParseGlobalRoute(bytes); route && completion.has_global_route) {
        packet.hop_limit = route->hop_limit;
        packet.traffic_class = route->traffic_class;
      }
      events.OnReceived(packet);
    }
    return queue.PostReceive(id.slot);
  }

  // One handle per path and GID serves every peer behind it; the flow label, and with it the UDP
  // source port of devices that heed it, differs by path.
  Result<std::shared_ptr<const SharedAddress>> Address(std::uint32_t path, const Endpoint& peer) {
    auto& cached = addresses_[{path, peer.gid}];
    if (auto alive = cached.lock()) return alive;
    ibv_ah_attr attributes{};
    attributes.is_global = 1;
    std::memcpy(attributes.grh.dgid.raw, peer.gid.data(), peer.gid.size());
    attributes.grh.sgid_index = options_.gid_index;
    attributes.grh.hop_limit = kInitialHopLimit;
    attributes.grh.traffic_class = options_.traffic_class;
    attributes.grh.flow_label = 0x1000 + path;
    attributes.port_num = options_.port;
    auto address = std::make_shared<SharedAddress>();
    address->device = device_;
    address->handle.reset(ibv_create_ah(device_->domain.get(), &attributes));
    if (!address->handle) {
      return Fail(ErrorCode::kUnavailable, std::string("create address handle: ") +
                                               std::strerror(errno) +
                                               "; no route or neighbour for the peer's GID?");
    }
    cached = address;
    return address;
  }

  Status ReadDeviceEvents() {
    ibv_async_event event{};
    while (ibv_get_async_event(device_->context.get(), &event) == 0) {
      const ibv_event_type type = event.event_type;
      ibv_ack_async_event(&event);
      switch (type) {
        case IBV_EVENT_DEVICE_FATAL:
        case IBV_EVENT_PORT_ERR:
        case IBV_EVENT_CQ_ERR:
          return Fail(ErrorCode::kUnavailable, ibv_event_type_str(type));
        case IBV_EVENT_GID_CHANGE:
          if (!GidStands()) return Fail(ErrorCode::kUnavailable, ibv_event_type_str(type));
          break;
        default:  // the rest needs no action: queue pair errors show as failed completions
          break;
      }
    }
    if (errno == EAGAIN || errno == EINTR) return {};
    return Fail(ErrorCode::kUnavailable, std::string("device events: ") + std::strerror(errno));
  }

  bool GidStands() const {
    ibv_gid_entry entry{};
    return ibv_query_gid_ex(device_->context.get(), options_.port, options_.gid_index, &entry, 0) ==
               0 &&
           std::equal(options_.gid.begin(), options_.gid.end(), entry.gid.raw);
  }

  const VerbsOptions options_;
  const std::uint32_t qkey_ = RandomQkey();
  std::shared_ptr<const DeviceHandles> device_;
  std::unique_ptr<CompletionQueue> completions_;
  std::vector<std::unique_ptr<UdQueue>> queues_;  // destroyed before completions_
  std::vector<WaitingSends<UdQueue>> waiting_;    // by path
  std::vector<int> recoveries_;
  std::uint32_t path_mtu_bytes_ = 0;
  std::uint32_t peer_mtu_bytes_ = 4096;
  std::map<std::pair<std::uint32_t, std::array<std::uint8_t, 16>>,
           std::weak_ptr<const SharedAddress>>
      addresses_;
  std::vector<Completion> found_;
};

}  // namespace

Result<std::unique_ptr<Transport>> CreateVerbsTransport(const VerbsOptions& options) {
  if (options.paths == 0 || options.paths > kLargestPathCount) {
    return Fail(ErrorCode::kInvalidArgument, "paths is " + std::to_string(options.paths) +
                                                 "; use 1.." + std::to_string(kLargestPathCount));
  }
  const std::string what = "RDMA device " + options.device;
  auto context = OpenDevice(options.device);
  if (!context) return Fail(context.error());
  auto device = std::make_shared<DeviceHandles>();
  device->context = std::move(*context);
  device->domain.reset(ibv_alloc_pd(device->context.get()));
  if (!device->domain) {
    return Fail(ErrorCode::kInternal,
                what + ": allocate protection domain: " + std::strerror(errno));
  }
  auto completions = CompletionQueue::Create(device->context.get(),
                                             kCompletionsPerPath * static_cast<int>(options.paths));
  if (!completions) return Fail(completions.error().Within(what));
  auto transport =
      std::make_unique<VerbsTransport>(options, std::move(device), std::move(*completions));
  if (auto opened = transport->Open(); !opened) return Fail(opened.error().Within(what));
  return transport;
}

}  // namespace fairlead::linkprobe
