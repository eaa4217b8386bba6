// Probers and responders on an emulated line: what is measured, and what bad packets can do.
#include <gtest/gtest.h>

#include "tests/linkprobe/fakes/probe_host.h"

namespace fairlead::linkprobe {
namespace {

class SessionTrafficTest : public testing::Test {
 protected:
  ManualClock clock_;
  FakeNetwork network_{clock_};
  ProbeHost hk_{network_, "hk", 11};
  ProbeHost sg_{network_, "sg", 22};
};

TEST_F(SessionTrafficTest, MeasuresTheLine) {
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(10));
  const EngineSnapshot seen = hk_.Describe();
  ASSERT_EQ(seen.paths.size(), 1U);
  const PathStatus& path = seen.paths.front();
  EXPECT_EQ(path.peer_node, "sg");
  EXPECT_EQ(path.peer_site, "site-sg");
  EXPECT_GT(path.totals.answered, 80U);
  EXPECT_EQ(path.totals.lost_forward + path.totals.lost_reverse + path.totals.lost_unknown, 0U);
  EXPECT_EQ(path.measurement.rtt_min, Nanoseconds(Milliseconds(36)));
  EXPECT_EQ(path.measurement.rtt_p50, Nanoseconds(Milliseconds(36)));
  EXPECT_EQ(path.measurement.forward.hops, 2U);
  EXPECT_EQ(path.measurement.reverse.hops, 2U);
  ASSERT_TRUE(path.last_reply);
  EXPECT_EQ(sg_.Describe().counters.replies_sent, path.totals.answered);
}

TEST_F(SessionTrafficTest, TellsWhatDiffersBetweenTheEnds) {
  network_.told_class = 106;
  network_.arriving_class = 106;
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(2));
  EXPECT_TRUE(hk_.Describe().paths.front().differences.empty());

  network_.arriving_class = 0;
  RunFor(hk_, sg_, Seconds(2));
  const std::vector<EndDifference> both{{EndTrait::kTrafficClassForward, "106", "0"},
                                        {EndTrait::kTrafficClassReverse, "0", "106"}};
  EXPECT_EQ(hk_.Describe().paths.front().differences, both);

  hk_.prober.SetTransport(nullptr);
  EXPECT_TRUE(hk_.Describe().paths.front().differences.empty()) << "no session, no ends";
}

TEST_F(SessionTrafficTest, TheResponderKnowsWhenItWasLastReached) {
  OpenSession(hk_, sg_, 7);
  ASSERT_EQ(sg_.Describe().answered.size(), 1U);
  EXPECT_EQ(sg_.Describe().answered[0].peer_node, "hk");
  EXPECT_FALSE(sg_.Describe().answered[0].last_probe);
  RunFor(hk_, sg_, Seconds(2));
  ASSERT_TRUE(sg_.Describe().answered[0].last_probe);
  EXPECT_GT(*sg_.Describe().answered[0].last_probe, clock_.Now() - Seconds(1));
  network_.line = [](FakePacket&) { return false; };
  RunFor(hk_, sg_, Seconds(5));
  EXPECT_LT(*sg_.Describe().answered[0].last_probe, clock_.Now() - Seconds(4));
}

TEST_F(SessionTrafficTest, NamesTheDirectionOfALoss) {
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(2));
  int count = 0;
  network_.line = [&](FakePacket& packet) { return packet.from != "hk" || ++count % 4 != 0; };
  RunFor(hk_, sg_, Seconds(20));
  network_.line = [](FakePacket&) { return true; };
  RunFor(hk_, sg_, Seconds(12));
  const PathTotals totals = hk_.Describe().paths.front().totals;
  EXPECT_EQ(totals.lost_forward, static_cast<std::uint64_t>(count / 4));
  EXPECT_EQ(totals.lost_reverse, 0U);
}

TEST_F(SessionTrafficTest, EachPathIsMeasuredByItself) {
  ProbeHost east(network_, "east", 33, 3);
  ProbeHost west(network_, "west", 44, 3);
  OpenSession(east, west, 8);
  network_.line = [](FakePacket& packet) {
    packet.arrives += packet.path * Milliseconds(10);
    return true;
  };
  RunFor(east, west, Seconds(5));
  const EngineSnapshot seen = east.Describe();
  ASSERT_EQ(seen.paths.size(), 3U);
  for (const PathStatus& path : seen.paths) {
    EXPECT_EQ(path.measurement.rtt_p50, Nanoseconds(Milliseconds(36 + 20 * path.path)));
  }
}

// Sends the packet to sg as if it came from hk's line and lets it arrive.
void Strike(FakeNetwork& network, ProbeHost& hk, ProbeHost& sg, std::vector<std::uint8_t> bytes) {
  network.Inject({.from = "attacker", .to = "sg", .path = 0, .bytes = std::move(bytes)});
  RunFor(hk, sg, Milliseconds(30));
}

// A genuine probe of the session, as hk sent it.
std::vector<std::uint8_t> CaptureProbe(FakeNetwork& network, ProbeHost& hk, ProbeHost& sg) {
  std::vector<std::uint8_t> captured;
  network.line = [&](FakePacket& packet) {
    if (packet.from == "hk") captured = packet.bytes;
    return true;
  };
  RunFor(hk, sg, Seconds(1));
  network.line = [](FakePacket&) { return true; };
  return captured;
}

std::vector<std::uint8_t> Sealed(Packet packet, std::uint32_t key_id,
                                 const std::vector<std::uint8_t>& key) {
  packet.key_id = key_id;
  PacketBytes bytes = Encode(packet);
  auto made = PacketKey::Create(key_id, key);
  EXPECT_TRUE(made && made->Seal(bytes));
  return {bytes.begin(), bytes.end()};
}

TEST_F(SessionTrafficTest, BadPacketsAreCountedAndNeverAnswered) {
  OpenSession(hk_, sg_, 7);
  const std::vector<std::uint8_t> genuine = CaptureProbe(network_, hk_, sg_);
  ASSERT_EQ(genuine.size(), kPacketBytes);
  Packet next = *Decode(genuine);
  next.sequence += 5;

  std::vector<std::uint8_t> long_one = genuine;
  long_one.push_back(0);
  std::vector<std::uint8_t> changed = genuine;
  changed[24] ^= 1;
  Packet stranger = next;
  stranger.session_id = 999;
  Packet jump = next;
  jump.sequence += std::uint64_t{1} << 40;
  Packet other_epoch = next;
  other_epoch.prober_epoch = 12345;
  Packet other_path = next;
  other_path.path = 3;
  const std::vector<std::uint8_t> wrong_key(32, 0x77);
  struct Case {
    const char* what;
    std::vector<std::uint8_t> bytes;
    DropReason reason;
  };
  const Case cases[] = {
      {"empty", {}, DropReason::kMalformed},
      {"short", {genuine.begin(), genuine.end() - 1}, DropReason::kMalformed},
      {"long", long_one, DropReason::kMalformed},
      {"noise", std::vector<std::uint8_t>(128, 0xee), DropReason::kMalformed},
      {"replayed", genuine, DropReason::kDuplicate},
      {"changed", changed, DropReason::kBadMac},
      {"wrong key", Sealed(next, 1, wrong_key), DropReason::kBadMac},
      {"wrong key id", Sealed(next, 2, kPairKey), DropReason::kWrongKey},
      {"stranger", Sealed(stranger, 1, kPairKey), DropReason::kUnknownSession},
      {"jumping sequence", Sealed(jump, 1, kPairKey), DropReason::kSequenceJump},
      {"another epoch", Sealed(other_epoch, 1, kPairKey), DropReason::kWrongEpoch},
      {"another path", Sealed(other_path, 1, kPairKey), DropReason::kUnknownPath},
  };
  hk_.prober.SetTransport(nullptr);  // nothing of hk's own is answered meanwhile
  RunFor(hk_, sg_, Milliseconds(100));
  for (const Case& c : cases) {
    const std::uint64_t refused = sg_.Refused(c.reason);
    const std::uint64_t answers = network_.sent["sg"];
    const std::uint64_t answered = sg_.Describe().counters.replies_sent;
    Strike(network_, hk_, sg_, c.bytes);
    EXPECT_EQ(sg_.Refused(c.reason), refused + 1) << c.what;
    EXPECT_EQ(network_.sent["sg"], answers) << c.what;
    EXPECT_EQ(sg_.Describe().counters.replies_sent, answered) << c.what;
  }
}

TEST_F(SessionTrafficTest, BadRepliesAreCountedAndChangeNothing) {
  OpenSession(hk_, sg_, 7);
  std::vector<std::uint8_t> reply;
  network_.line = [&](FakePacket& packet) {
    if (packet.from == "sg") reply = packet.bytes;
    return true;
  };
  RunFor(hk_, sg_, Seconds(3));
  ASSERT_EQ(reply.size(), kPacketBytes);
  const std::uint64_t answered = hk_.Describe().paths.front().totals.answered;
  Packet forged = *Decode(reply);
  forged.session_id = 4711;
  std::vector<std::uint8_t> changed = reply;
  changed[70] ^= 0xff;
  for (const auto& bytes : {Sealed(forged, 1, kPairKey), changed, reply}) {
    network_.Inject({.from = "attacker", .to = "hk", .path = 0, .bytes = bytes});
  }
  sg_.responder.SetTransport(nullptr);  // no more answers of sg's own
  RunFor(hk_, sg_, Milliseconds(30));
  EXPECT_EQ(hk_.Refused(DropReason::kUnknownSession), 1U);
  EXPECT_EQ(hk_.Refused(DropReason::kBadMac), 1U);
  EXPECT_EQ(hk_.Refused(DropReason::kDuplicate), 1U);
  EXPECT_LE(hk_.Describe().paths.front().totals.answered, answered + 1);
}

TEST_F(SessionTrafficTest, APeersRestartIsNoLoss) {
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(5));
  ProbeHost reborn(network_, "sg", 23);  // knows nothing of session 7
  RunFor(hk_, reborn, Seconds(3));
  OpenSession(hk_, reborn, 8);
  RunFor(hk_, reborn, Seconds(5));
  const PathTotals totals = hk_.Describe().paths.front().totals;
  EXPECT_EQ(totals.peer_restarts, 1U);
  EXPECT_GT(totals.discarded, 0U);
  EXPECT_GT(reborn.Refused(DropReason::kUnknownSession), 0U);
}

TEST_F(SessionTrafficTest, WhatWasMeasuredOutlivesTheTransportButNotThePeer) {
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(5));
  hk_.prober.SetTransport(nullptr);
  EXPECT_FALSE(hk_.prober.active());
  EXPECT_FALSE(hk_.prober.NextSend());
  EXPECT_TRUE(hk_.Describe().sessions.empty());
  ASSERT_EQ(hk_.Describe().paths.size(), 1U);
  EXPECT_GT(hk_.Describe().paths.front().totals.answered, 40U);
  EXPECT_FALSE(hk_.prober.Open({.peer_node = "sg"}, clock_.Now()));
  hk_.prober.Retain({{"tyo", {}}}, clock_.Now());
  EXPECT_TRUE(hk_.Describe().paths.empty());
}

TEST_F(SessionTrafficTest, ANewFibreFloorReachesARunningSession) {
  OpenSession(hk_, sg_, 7);
  hk_.prober.Retain({{"sg", {.site = "site-sg", .floor_rtt = Milliseconds(50)}}}, clock_.Now());
  RunFor(hk_, sg_, Seconds(5));
  const PathStatus refused = hk_.Describe().paths.front();
  EXPECT_EQ(refused.floor_rtt, Nanoseconds(Milliseconds(50)));
  EXPECT_GT(refused.totals.below_floor, 40U);
  EXPECT_FALSE(refused.measurement.rtt_p50);
  EXPECT_NE(refused.verdict.evidence.find("faster than light in fibre"), std::string::npos)
      << refused.verdict.evidence;

  hk_.prober.Retain({{"sg", {.site = "site-elsewhere"}}}, clock_.Now());
  RunFor(hk_, sg_, Seconds(30));
  const PathStatus healed = hk_.Describe().paths.front();
  EXPECT_EQ(healed.peer_site, "site-elsewhere");
  EXPECT_EQ(healed.floor_rtt, Nanoseconds(0));
  EXPECT_EQ(healed.measurement.rtt_p50, Nanoseconds(Milliseconds(36)));
  EXPECT_EQ(healed.verdict.verdict.state, LinkState::kHealthy);
}

TEST_F(SessionTrafficTest, ATestOfTheLineIsToldToPathsThatRunAndThoseThatCome) {
  const auto told = [&] {
    return hk_.Describe().paths.front().verdict.evidence.find("bandwidth test") !=
           std::string::npos;
  };
  hk_.prober.Retain({{"sg", {.line_tested = true}}}, clock_.Now());
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(5));
  EXPECT_TRUE(told()) << "a session opened while the test goes on";
  hk_.prober.Retain({{"sg", {}}}, clock_.Now());
  RunFor(hk_, sg_, Seconds(70));
  EXPECT_FALSE(told());
  EXPECT_EQ(hk_.Describe().paths.front().verdict.verdict.state, LinkState::kHealthy);
  hk_.prober.Retain({{"sg", {.line_tested = true}}}, clock_.Now());
  RunFor(hk_, sg_, Seconds(1));
  EXPECT_TRUE(told()) << "a session that was there";
}

TEST_F(SessionTrafficTest, APeerThatLeftThePlanIsNotAnswered) {
  OpenSession(hk_, sg_, 7);
  RunFor(hk_, sg_, Seconds(1));
  sg_.responder.Retain({});
  const std::uint64_t answers = network_.sent["sg"];
  RunFor(hk_, sg_, Seconds(1));
  EXPECT_EQ(network_.sent["sg"], answers);
  EXPECT_GT(sg_.Refused(DropReason::kUnknownSession), 0U);
}

TEST_F(SessionTrafficTest, StopsAfterTheNumberAskedFor) {
  ProbeHost once(network_, "once", 55);
  once.settings.probes_per_session = 5;
  Prober prober(once.settings, clock_, once.tokens);
  prober.SetTransport(once.transport.get());
  ASSERT_TRUE(prober.Open({.peer_node = "sg",
                           .session_id = 9,
                           .key_id = 1,
                           .key = kPairKey,
                           .endpoints = sg_.transport->LocalEndpoints()},
                          clock_.Now()));
  for (int i = 0; i < 5000; ++i) {
    clock_.Advance(Milliseconds(1));
    prober.SendDue(clock_.Now());
  }
  EXPECT_EQ(network_.sent["once"], 5U);
  EXPECT_TRUE(prober.active());
  prober.SetTransport(nullptr);
}

}  // namespace
}  // namespace fairlead::linkprobe
