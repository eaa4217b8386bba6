#include "linkprobe/session/handshake.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "linkprobe/session/endpoint_codec.h"
#include "linkprobe/session/nonce_memory.h"
#include "linkprobe/session/peer_address.h"
#include "linkprobe/session/redial.h"

namespace fairlead::linkprobe {
namespace {

const std::vector<std::uint8_t> kKey(32, 0x11);
constexpr MonotonicTime kStart{Seconds(1000)};

v1::OpenRequest Request() {
  v1::OpenRequest request;
  request.set_protocol_version(1);
  request.set_prober_node("hk-1");
  request.set_responder_node("sg-1");
  request.set_prober_epoch(9);
  request.set_nonce(RandomNonce());
  ToProto({.kind = TransportKind::kUdp, .address = "10.0.0.1", .port = 7472},
          *request.add_endpoints());
  EXPECT_TRUE(Sign(request, 5, kKey));
  return request;
}

TEST(HandshakeTest, AnyChangeBreaksTheMac) {
  const v1::OpenRequest request = Request();
  EXPECT_TRUE(Verify(request, kKey));
  EXPECT_FALSE(Verify(request, std::vector<std::uint8_t>(32, 0x12)));
  v1::OpenRequest changed = request;
  changed.set_prober_node("hk-2");
  EXPECT_FALSE(Verify(changed, kKey));
  changed = request;
  changed.mutable_endpoints(0)->set_port(9999);
  EXPECT_FALSE(Verify(changed, kKey));
  changed = request;
  changed.clear_mac();
  EXPECT_EQ(Verify(changed, kKey).error().code, ErrorCode::kUnauthenticated);
  changed = request;
  changed.mutable_mac()->push_back('\0');
  EXPECT_FALSE(Verify(changed, kKey));
}

TEST(HandshakeTest, NoncesAndIdsDoNotRepeat) {
  std::set<std::string> nonces;
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 1000; ++i) {
    nonces.insert(RandomNonce());
    ids.insert(RandomId());
  }
  EXPECT_EQ(nonces.size(), 1000U);
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_FALSE(ids.contains(0));
}

TEST(NonceMemoryTest, RefusesWhatItHasSeenForAsLongAsItMatters) {
  NonceMemory memory(Seconds(10), 3);
  EXPECT_EQ(memory.Use("a", kStart), NonceMemory::Answer::kFresh);
  EXPECT_EQ(memory.Use("a", kStart + Seconds(9)), NonceMemory::Answer::kUsed);
  EXPECT_EQ(memory.Use("a", kStart + Seconds(11)), NonceMemory::Answer::kFresh);
}

TEST(NonceMemoryTest, WhenFullItRefusesRatherThanForgets) {
  NonceMemory memory(Seconds(10), 2);
  EXPECT_EQ(memory.Use("a", kStart), NonceMemory::Answer::kFresh);
  EXPECT_EQ(memory.Use("b", kStart), NonceMemory::Answer::kFresh);
  EXPECT_EQ(memory.Use("c", kStart), NonceMemory::Answer::kFull);
  EXPECT_EQ(memory.Use("a", kStart), NonceMemory::Answer::kUsed);
  EXPECT_EQ(memory.Use("c", kStart + Seconds(11)), NonceMemory::Answer::kFresh);
}

TEST(EndpointCodecTest, BothKindsSurviveTheWire) {
  Endpoint rdma{.kind = TransportKind::kRdmaUd};
  rdma.gid[15] = 7;
  rdma.qp_number = 0xabcdef;
  rdma.qkey = 0x11111111;
  rdma.path_mtu_bytes = 1024;
  rdma.hardware_stamps = true;
  const Endpoint udp{.kind = TransportKind::kUdp, .address = "2001:db8::1", .port = 65535};
  for (const Endpoint& endpoint : {rdma, udp}) {
    v1::Endpoint wire;
    ToProto(endpoint, wire);
    const auto back = FromProto(wire);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, endpoint);
  }
}

TEST(EndpointCodecTest, RefusesWhatCannotBeUsed) {
  v1::Endpoint wire;
  EXPECT_FALSE(FromProto(wire)) << "unspecified transport";
  wire.set_transport(v1::TRANSPORT_KIND_UDP);
  for (const std::uint32_t port : {0U, 65536U, 4'000'000'000U}) {
    wire.set_port(port);
    EXPECT_FALSE(FromProto(wire)) << port;
  }
  wire.set_transport(v1::TRANSPORT_KIND_RDMA_UD);
  wire.set_gid(std::string(15, 'x'));
  EXPECT_FALSE(FromProto(wire));
}

struct DialCase {
  const char* what;
  DialFacts facts;
  Nanoseconds after;
  bool dial;
};

TEST(RedialTest, DialsWhenASessionIsMissingSilentOrOutOfDate) {
  const auto reply = [](Nanoseconds at) { return std::optional(kStart + at); };
  const DialCase cases[] = {
      {"none yet", {}, Seconds(0), true},
      {"under way", {.in_flight = true}, Seconds(9), false},
      {"backing off", {.not_before = kStart + Seconds(2)}, Seconds(1), false},
      {"backed off", {.not_before = kStart + Seconds(2)}, Seconds(2), true},
      {"fresh", {.has_session = true, .opened = kStart}, Seconds(4), false},
      {"never answered", {.has_session = true, .opened = kStart}, Seconds(6), true},
      {"answered",
       {.has_session = true, .opened = kStart, .last_reply = reply(Seconds(58))},
       Seconds(60),
       false},
      {"silent",
       {.has_session = true, .opened = kStart, .last_reply = reply(Seconds(50))},
       Seconds(60),
       true},
      {"peer restarted",
       {.has_session = true,
        .opened = kStart,
        .last_reply = reply(Seconds(1)),
        .session_peer_epoch = 1,
        .seen_peer_epoch = 2},
       Seconds(1),
       true},
      {"peer known",
       {.has_session = true,
        .opened = kStart,
        .last_reply = reply(Seconds(1)),
        .session_peer_epoch = 2,
        .seen_peer_epoch = 2},
       Seconds(1),
       false},
  };
  for (const DialCase& c : cases)
    EXPECT_EQ(ShouldDial(c.facts, kStart + c.after), c.dial) << c.what;
  EXPECT_EQ(SilenceBeforeRedial(10), Nanoseconds(Seconds(5)));
  EXPECT_EQ(SilenceBeforeRedial(0.1), Nanoseconds(Seconds(50)));
}

TEST(PeerAddressTest, ReadsHostAndPort) {
  const auto v4 = ParseHostPort("10.0.0.1:7471");
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->host, "10.0.0.1");
  EXPECT_EQ(v4->port, 7471);
  const auto v6 = ParseHostPort("[2001:db8::1]:1");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "2001:db8::1");
  for (const char* bad :
       {"", ":", "host", "host:", "host:0", "host:65536", "host:7x", "::1:7471", ":7471"}) {
    EXPECT_FALSE(ParseHostPort(bad)) << bad;
  }
}

TEST(PeerAddressTest, FillsOnlyWhatIsOpen) {
  const std::vector<Endpoint> open{{.kind = TransportKind::kUdp, .port = 1},
                                   {.kind = TransportKind::kUdp, .address = "10.1.1.1", .port = 2}};
  const auto filled = EndpointsTowards(open, "127.0.0.1");
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->at(0).address, "127.0.0.1");
  EXPECT_EQ(filled->at(1).address, "10.1.1.1");
  const std::vector<Endpoint> rdma{{.kind = TransportKind::kRdmaUd}};
  EXPECT_TRUE(EndpointsTowards(rdma, "nowhere.invalid")) << "nothing to look up";
}

TEST(PeerAddressTest, KnowsGrpcsNamesForCallers) {
  EXPECT_EQ(HostOfPeer("ipv4:10.0.0.1:5000"), "10.0.0.1");
  EXPECT_EQ(HostOfPeer("ipv6:%5B::1%5D:5000"), "::1");
  EXPECT_EQ(HostOfPeer("ipv6:[2001:db8::1]:5000"), "2001:db8::1");
  EXPECT_EQ(HostOfPeer("unix:/run/x"), "");
}

TEST(PeerAddressTest, AdvertisesWhatPeersCanReach) {
  EXPECT_EQ(*AdvertisedAddress("probe:1", "0.0.0.0", 7471, "127.0.0.1:8472"), "probe:1");
  EXPECT_EQ(*AdvertisedAddress("", "10.0.0.1", 7471, "127.0.0.1:8472"), "10.0.0.1:7471");
  EXPECT_EQ(*AdvertisedAddress("", "0.0.0.0", 7471, "127.0.0.1:8472"), "127.0.0.1:7471");
  EXPECT_EQ(*AdvertisedAddress("", "::", 7471, "[::1]:8472"), "[::1]:7471");
  EXPECT_FALSE(AdvertisedAddress("", "0.0.0.0", 7471, "8472"));
}

}  // namespace
}  // namespace fairlead::linkprobe
