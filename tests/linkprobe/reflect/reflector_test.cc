#include "linkprobe/reflect/reflector.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(50)};
constexpr std::uint64_t kSession = 77;

SessionGrant Grant(std::uint64_t session = kSession, std::string prober = "node-a") {
  return {.session_id = session,
          .prober = std::move(prober),
          .prober_epoch = 5,
          .key_id = 9,
          .paths = 2};
}

Packet Probe(std::uint64_t sequence, std::uint8_t path = 0) {
  Packet p;
  p.session_id = kSession;
  p.path = path;
  p.sequence = sequence;
  p.t1 = 1000;
  p.prober_epoch = 5;
  p.key_id = 9;
  return p;
}

Reflector Opened(ReflectorSettings settings = {}) {
  Reflector reflector(settings);
  EXPECT_TRUE(reflector.Open(Grant(), kNow));
  return reflector;
}

TEST(Reflector, FillsTheReply) {
  Reflector reflector = Opened();
  const ProbeArrival arrival{
      .t3 = 500, .hardware_stamps = true, .hop_limit = std::uint8_t{61}, .tos = std::uint8_t{3}};
  const auto reply = reflector.OnProbe(Probe(1, 1), arrival, kNow);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->kind, PacketKind::kReply);
  EXPECT_EQ(reply->path, 1);
  EXPECT_EQ(reply->session_id, kSession);
  EXPECT_EQ(reply->sequence, 1u);
  EXPECT_EQ(reply->t1, 1000);
  EXPECT_EQ(reply->t3, 500);
  EXPECT_TRUE(reply->hardware_stamps);
  EXPECT_TRUE(reply->hop_limit_known);
  EXPECT_EQ(reply->rx_hop_limit, 61);
  EXPECT_EQ(reply->rx_tos, 3);
  EXPECT_EQ(reply->responder_rx, 1u);
  EXPECT_EQ(reply->responder_tx, 1u);
  EXPECT_EQ(reply->rx_bitmap, 1u);
  EXPECT_EQ(reply->previous_t4_sequence, 0u);
  EXPECT_EQ(reply->key_id, 9u);
  EXPECT_EQ(reply->prober_epoch, 5u);
  EXPECT_TRUE(Decode(Encode(*reply)));
}

TEST(Reflector, CarriesTheExactDepartureOfAnEarlierReplyPerPath) {
  Reflector reflector = Opened();
  ASSERT_TRUE(reflector.OnProbe(Probe(1), {.t3 = 1}, kNow));
  reflector.OnReplyLeft(kSession, 0, 1, 4242);
  reflector.OnReplyLeft(kSession, 7, 1, 1);  // no such path
  reflector.OnReplyLeft(12345, 0, 1, 1);     // no such session
  const auto same = reflector.OnProbe(Probe(2), {.t3 = 2}, kNow);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->previous_t4, 4242);
  EXPECT_EQ(same->previous_t4_sequence, 1u);
  const auto other = reflector.OnProbe(Probe(1, 1), {.t3 = 3}, kNow);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->previous_t4_sequence, 0u);
}

TEST(Reflector, CountsDuplicatesReorderAndGaps) {
  Reflector reflector = Opened();
  for (const std::uint64_t sequence : {1, 2, 5}) {
    ASSERT_TRUE(reflector.OnProbe(Probe(sequence), {}, kNow));
  }
  const auto again = reflector.OnProbe(Probe(2), {}, kNow);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error(), DropReason::kDuplicate);
  const auto behind = reflector.OnProbe(Probe(4), {}, kNow);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->rx_ahead, 1u);
  EXPECT_EQ(behind->rx_bitmap, 0b11011u);
  EXPECT_EQ(behind->responder_rx, 4u);
  EXPECT_EQ(behind->responder_tx, 4u);
  EXPECT_EQ(behind->forward_duplicates, 1u);
  EXPECT_EQ(behind->forward_reordered, 1u);
}

struct DropCase {
  const char* name;
  void (*spoil)(Packet&);
  DropReason reason;
};

class Dropped : public ::testing::TestWithParam<DropCase> {};

TEST_P(Dropped, IsCountedUnderItsReasonAndChangesNothing) {
  Reflector reflector = Opened();
  ASSERT_TRUE(reflector.OnProbe(Probe(2000), {}, kNow));
  Packet probe = Probe(2001);
  GetParam().spoil(probe);
  const auto reply = reflector.OnProbe(probe, {}, kNow);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), GetParam().reason);
  EXPECT_EQ(reflector.drops()[static_cast<std::size_t>(GetParam().reason)], 1u);
  EXPECT_EQ(reflector.replies(), 1u);
  const auto next = reflector.OnProbe(Probe(2001), {}, kNow);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->responder_rx, 2u);
}

constexpr DropCase kDropCases[] = {
    {"reply", [](Packet& p) { p.kind = PacketKind::kReply; }, DropReason::kNotAProbe},
    {"session", [](Packet& p) { p.session_id = 1; }, DropReason::kUnknownSession},
    {"path", [](Packet& p) { p.path = 2; }, DropReason::kUnknownPath},
    {"epoch", [](Packet& p) { p.prober_epoch = 6; }, DropReason::kWrongEpoch},
    {"key", [](Packet& p) { p.key_id = 8; }, DropReason::kWrongKey},
    {"duplicate", [](Packet& p) { p.sequence = 2000; }, DropReason::kDuplicate},
    {"old", [](Packet& p) { p.sequence = 900; }, DropReason::kTooOld},
    {"jump", [](Packet& p) { p.sequence = ~std::uint64_t{0}; }, DropReason::kSequenceJump},
};

INSTANTIATE_TEST_SUITE_P(Cases, Dropped, ::testing::ValuesIn(kDropCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Reflector, SurvivesALongGap) {
  Reflector reflector = Opened();
  ASSERT_TRUE(reflector.OnProbe(Probe(1), {}, kNow));
  const auto reply = reflector.OnProbe(Probe(4'000'000'000), {}, kNow);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->rx_bitmap, 1u);
  EXPECT_EQ(reply->responder_rx, 2u);
}

TEST(Reflector, LimitsTheRateOfASessionButCountsWhatCame) {
  Reflector reflector = Opened({.probes_per_second = 10, .burst = 20});
  std::uint64_t answered = 0;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const auto reply = reflector.OnProbe(Probe(i), {}, kNow);
    answered += reply ? 1 : 0;
    if (!reply) {
      EXPECT_EQ(reply.error(), DropReason::kRateLimited);
    }
  }
  EXPECT_EQ(answered, 20u);
  const auto later = reflector.OnProbe(Probe(101), {}, kNow + Seconds(1));
  ASSERT_TRUE(later);
  EXPECT_EQ(later->responder_rx, 101u);
  EXPECT_EQ(later->responder_tx, 21u);
}

TEST(Reflector, ANewSessionOfTheSameProberReplacesTheOld) {
  Reflector reflector = Opened();
  ASSERT_TRUE(reflector.Open(Grant(78), kNow));
  EXPECT_EQ(reflector.sessions(), 1u);
  EXPECT_EQ(reflector.Find(kSession), nullptr);
  ASSERT_NE(reflector.Find(78), nullptr);
  EXPECT_EQ(reflector.Find(78)->prober, "node-a");
}

TEST(Reflector, RefusesSessionsThatCannotBe) {
  Reflector reflector = Opened({.max_sessions = 1});
  const auto stolen = reflector.Open(Grant(kSession, "node-b"), kNow);
  ASSERT_FALSE(stolen);
  EXPECT_EQ(stolen.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(reflector.Find(kSession), nullptr);
  const auto full = reflector.Open(Grant(79, "node-b"), kNow);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kResourceExhausted);
  SessionGrant pathless = Grant(80);
  pathless.paths = 0;
  EXPECT_FALSE(reflector.Open(pathless, kNow));
  EXPECT_TRUE(reflector.Open(Grant(81), kNow)) << "its own place is free for a replacement";
}

TEST(Reflector, ExpiresIdleSessionsOnly) {
  Reflector reflector = Opened({.expire_after = Seconds(10)});
  ASSERT_TRUE(reflector.Open(Grant(78, "node-b"), kNow));
  ASSERT_TRUE(reflector.OnProbe(Probe(1), {}, kNow + Seconds(8)));
  EXPECT_TRUE(reflector.Expire(kNow + Seconds(10)).empty());
  EXPECT_EQ(reflector.Expire(kNow + Seconds(11)), std::vector<std::uint64_t>{78});
  EXPECT_EQ(reflector.sessions(), 1u);
  reflector.Close(kSession);
  EXPECT_EQ(reflector.sessions(), 0u);
}

TEST(DropReasonName, NamesEveryReasonOnce) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kDropReasonCount; ++i) {
    names.insert(DropReasonName(static_cast<DropReason>(i)));
  }
  EXPECT_EQ(names.size(), kDropReasonCount);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace fairlead::linkprobe
