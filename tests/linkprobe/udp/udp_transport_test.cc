#include "linkprobe/udp/udp_transport.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <map>
#include <vector>

#include "linkprobe/udp/udp_socket.h"

namespace fairlead::linkprobe {
namespace {

struct Seen {
  std::vector<std::uint8_t> bytes;
  ReceivedPacket packet;
};

class Collector final : public TransportEvents {
 public:
  void OnReceived(const ReceivedPacket& packet) override {
    received.push_back({{packet.bytes.begin(), packet.bytes.end()}, packet});
  }
  void OnSent(const SendStamp& stamp) override { sent[stamp.token] = stamp.sent; }
  void OnClockStep() override { ++steps; }

  std::vector<Seen> received;
  std::map<std::uint64_t, MonotonicTime> sent;
  int steps = 0;
};

// Waits for input on the path and delivers it.
void DrainPath(Transport& transport, std::size_t path, TransportEvents& events) {
  const int descriptor = transport.Descriptors().at(path);
  pollfd wanted{descriptor, POLLIN, 0};
  ASSERT_EQ(::poll(&wanted, 1, 10'000), 1);
  ASSERT_TRUE(transport.Drain(descriptor, events));
}

std::unique_ptr<Transport> Open(const std::string& host, std::uint32_t paths = 1,
                                std::uint8_t traffic_class = 0) {
  auto made = CreateUdpTransport({.host = host, .paths = paths, .traffic_class = traffic_class});
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

class UdpTransportTest : public testing::TestWithParam<const char*> {};

TEST_P(UdpTransportTest, CarriesBytesWithStampsHopLimitAndTrafficClass) {
  const auto a = Open(GetParam(), 2, 0x68);
  const auto b = Open(GetParam(), 2, 0x68);
  const auto to = a->Resolve(1, b->LocalEndpoints().at(1));
  ASSERT_TRUE(to) << to.error().message;
  const SystemClock clock;
  const std::vector<std::uint8_t> packet(128, 0xab);
  Collector at_b;
  Collector at_a;
  // The kernel turns stamping on lazily, so the first packets may come without.
  MonotonicTime before;
  for (std::uint64_t token = 1; token <= 20; ++token) {
    before = clock.Now();
    ASSERT_TRUE(a->Send(1, **to, packet, token));
    DrainPath(*b, 1, at_b);
    ASSERT_TRUE(a->Drain(a->Descriptors().at(1), at_a));
  }
  const MonotonicTime after = clock.Now();
  ASSERT_EQ(at_b.received.size(), 20U);
  const Seen& last = at_b.received.back();
  EXPECT_EQ(last.bytes, packet);
  EXPECT_EQ(last.packet.path, 1U);
  EXPECT_EQ(last.packet.hop_limit, kInitialHopLimit);
  EXPECT_EQ(last.packet.traffic_class, 0x68);
  EXPECT_GE(last.packet.received + std::chrono::microseconds(50), before);
  EXPECT_LE(last.packet.received, after);
  ASSERT_TRUE(at_a.sent.contains(20));
  EXPECT_GE(at_a.sent[20] + std::chrono::microseconds(50), before);
  EXPECT_LE(at_a.sent[20], last.packet.received + std::chrono::microseconds(50));
}

TEST_P(UdpTransportTest, ShowsShortAndLongPacketsAsTheyAre) {
  const auto a = Open(GetParam());
  const auto b = Open(GetParam());
  const auto to = a->Resolve(0, b->LocalEndpoints().front());
  ASSERT_TRUE(to);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{127}, std::size_t{129}, std::size_t{9000}}) {
    Collector seen;
    ASSERT_TRUE(a->Send(0, **to, std::vector<std::uint8_t>(size, 1), 1));
    DrainPath(*b, 0, seen);
    ASSERT_EQ(seen.received.size(), 1U) << size;
    if (size <= 129) {
      EXPECT_EQ(seen.received.front().bytes.size(), size);
    } else {
      EXPECT_GT(seen.received.front().bytes.size(), 128U);
    }
  }
}

TEST_P(UdpTransportTest, AFailedSendConcernsOnePacketOnly) {
  const auto a = Open(GetParam());
  const auto b = Open(GetParam());
  const auto to = a->Resolve(0, b->LocalEndpoints().front());
  ASSERT_TRUE(to);
  const std::vector<std::uint8_t> too_long(70'000, 1);
  EXPECT_FALSE(a->Send(0, **to, too_long, 1));
  Collector seen;
  Collector stamps;
  ASSERT_TRUE(a->Send(0, **to, std::vector<std::uint8_t>(128, 2), 2));
  DrainPath(*b, 0, seen);
  ASSERT_TRUE(a->Drain(a->Descriptors().front(), stamps));
  EXPECT_EQ(seen.received.size(), 1U);
  EXPECT_FALSE(stamps.sent.contains(1));
}

INSTANTIATE_TEST_SUITE_P(Families, UdpTransportTest, testing::Values("127.0.0.1", "::1"));

TEST(UdpTransportAddressTest, ADualStackSocketReachesIpv4) {
  const auto a = Open("::");
  const auto b = Open("127.0.0.1");
  EXPECT_EQ(a->LocalEndpoints().front().address, "");
  const auto to = a->Resolve(0, b->LocalEndpoints().front());
  ASSERT_TRUE(to);
  Collector seen;
  ASSERT_TRUE(a->Send(0, **to, std::vector<std::uint8_t>(128, 2), 2));
  DrainPath(*b, 0, seen);
  EXPECT_EQ(seen.received.size(), 1U);
}

TEST(UdpTransportAddressTest, RefusesWhatCannotWork) {
  EXPECT_FALSE(CreateUdpTransport({.host = "not-an-address"}));
  EXPECT_FALSE(CreateUdpTransport({.host = "127.0.0.1", .paths = 0}));
  EXPECT_FALSE(CreateUdpTransport({.host = "127.0.0.1", .paths = 9}));
  EXPECT_FALSE(CreateUdpTransport({.host = "127.0.0.1", .first_port = 65535, .paths = 8}));
  const auto a = Open("127.0.0.1");
  const auto taken = CreateUdpTransport(
      {.host = "127.0.0.1", .first_port = a->LocalEndpoints().front().port, .paths = 1});
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("udpListen"), std::string::npos) << taken.error().message;
  EXPECT_FALSE(a->Resolve(0, Endpoint{.kind = TransportKind::kRdmaUd}));
  EXPECT_FALSE(a->Resolve(0, Endpoint{.kind = TransportKind::kUdp, .address = "x", .port = 1}));
}

TEST(LocalAddressTest, IsTheOneTowardsThePeer) {
  EXPECT_EQ(*LocalAddressTowards("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(*LocalAddressTowards("::1"), "::1");
  EXPECT_FALSE(LocalAddressTowards("nowhere.invalid"));
}

}  // namespace
}  // namespace fairlead::linkprobe
