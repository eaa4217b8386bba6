#include "tests/linkprobe/fakes/fake_network.h"

#include <algorithm>
#include <utility>

namespace fairlead::linkprobe {

struct FakeDestination final : Destination {
  std::string host;
};

class FakeTransport final : public Transport {
 public:
  FakeTransport(FakeNetwork& network, std::string name, std::uint32_t paths)
      : network_(network), name_(std::move(name)), paths_(paths) {}

  TransportKind kind() const override { return TransportKind::kUdp; }
  TransportRung rung() const override { return TransportRung::kUdpSw; }
  std::vector<Endpoint> LocalEndpoints() const override {
    std::vector<Endpoint> endpoints;
    for (std::uint32_t path = 0; path < paths_; ++path) {
      endpoints.push_back({.kind = TransportKind::kUdp,
                           .address = name_,
                           .port = static_cast<std::uint16_t>(path + 1),
                           .traffic_class = network_.told_class});
    }
    return endpoints;
  }
  std::vector<int> Descriptors() const override { return {}; }
  Result<std::shared_ptr<const Destination>> Resolve(std::uint32_t /*path*/,
                                                     const Endpoint& peer) override {
    if (peer.address.empty()) return Fail(ErrorCode::kInvalidArgument, "no address");
    auto destination = std::make_shared<FakeDestination>();
    destination->host = peer.address;
    return destination;
  }
  Status Send(std::uint32_t path, const Destination& to, std::span<const std::uint8_t> packet,
              std::uint64_t token) override {
    network_.Inject({.from = name_,
                     .to = static_cast<const FakeDestination&>(to).host,
                     .path = path,
                     .bytes = {packet.begin(), packet.end()}});
    network_.stamps_[name_].push_back({.token = token, .sent = network_.clock().Now()});
    return {};
  }
  Status Drain(int /*descriptor*/, TransportEvents& events) override {
    network_.Deliver(name_, events);
    return {};
  }

 private:
  FakeNetwork& network_;
  const std::string name_;
  const std::uint32_t paths_;
};

std::unique_ptr<Transport> FakeNetwork::Open(const std::string& name, std::uint32_t paths) {
  return std::make_unique<FakeTransport>(*this, name, paths);
}

void FakeNetwork::Inject(FakePacket packet) {
  ++sent[packet.from];
  packet.arrives = clock_.Now() + delay;
  if (line(packet)) under_way_.push_back(std::move(packet));
}

void FakeNetwork::Deliver(const std::string& name, TransportEvents& events) {
  for (const SendStamp& stamp : std::exchange(stamps_[name], {})) events.OnSent(stamp);
  std::vector<FakePacket> arrived;
  std::erase_if(under_way_, [&](const FakePacket& packet) {
    if (packet.to != name || packet.arrives > clock_.Now()) return false;
    arrived.push_back(packet);
    return true;
  });
  for (const FakePacket& packet : arrived) {
    ReceivedPacket received;
    received.bytes = packet.bytes;
    received.path = packet.path;
    received.received = packet.arrives;
    received.hop_limit = kInitialHopLimit - 2;
    received.traffic_class = arriving_class;
    events.OnReceived(received);
  }
}

}  // namespace fairlead::linkprobe
