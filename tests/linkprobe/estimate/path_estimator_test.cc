#include "linkprobe/estimate/path_estimator.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace fairlead::linkprobe {
namespace {

constexpr std::uint64_t kSession = 11;
constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kPeerOffset = 500'000 * kMs;

// A prober and a well-behaved responder 36 ms apart; each probe can be bent before it counts.
class Estimator : public ::testing::Test {
 protected:
  Estimator() { estimator_.OnSession(kSession, 1, now_); }

  std::uint64_t Send() {
    now_ += Milliseconds(100);
    return estimator_.OnSend(now_.time_since_epoch().count(), now_);
  }
  Packet ReplyTo(std::uint64_t sequence, std::int64_t rtt = 36 * kMs) {
    Packet reply;
    reply.kind = PacketKind::kReply;
    reply.session_id = kSession;
    reply.sequence = sequence;
    reply.t3 = now_.time_since_epoch().count() + kPeerOffset + rtt / 2;
    reply.t4 = reply.t3 + 200'000;
    reply.responder_rx = reply.responder_tx = sequence;
    reply.rx_bitmap = ~std::uint64_t{0};
    return reply;
  }
  ReplyArrival After(std::int64_t away) const {
    const std::int64_t t5 = now_.time_since_epoch().count() + away;
    return {.t5 = t5, .t6 = t5 + 50'000};
  }
  // Sends a probe and answers it; the time stays when it was sent.
  ReplyOutcome Exchange(std::int64_t rtt = 36 * kMs) {
    const Packet reply = ReplyTo(Send(), rtt);
    return estimator_.OnReply(reply, After(rtt + 200'000), now_ + Nanoseconds(rtt));
  }
  LinkMeasurement Measure() { return estimator_.Measure(now_ + Milliseconds(90)); }

  MonotonicTime now_{Seconds(1000)};
  PathEstimator estimator_{EstimatorSettings{}};
};

TEST_F(Estimator, KnowsNothingBeforeTheFirstAnswer) {
  Send();
  const LinkMeasurement m = Measure();
  EXPECT_EQ(m.samples, 0u);
  EXPECT_FALSE(m.rtt_min || m.rtt_p50 || m.rtt_p99 || m.forward.jitter || m.forward.pdv || m.age ||
               m.forward.hops || m.prober_delay_p50);
  EXPECT_EQ(m.forward.loss.upper, 1);
}

TEST_F(Estimator, RemovesBothHostsFromTheRoundTrip) {
  EXPECT_EQ(Exchange(), ReplyOutcome::kAnswered);
  const LinkMeasurement m = Measure();
  EXPECT_EQ(m.rtt_p50, Nanoseconds(36 * kMs));
  EXPECT_EQ(m.responder_delay_p50, Nanoseconds(200'000));
  EXPECT_EQ(m.prober_delay_p50, Nanoseconds(50'000));
  EXPECT_EQ(m.samples, 1u);
  EXPECT_EQ(m.age, Milliseconds(90 - 36));
}

TEST_F(Estimator, UsesTheDepartureStamp) {
  const std::uint64_t sequence = Send();
  estimator_.OnSendStamp(sequence, now_.time_since_epoch().count() + 300'000);
  estimator_.OnSendStamp(99, 1);  // never sent
  ASSERT_EQ(estimator_.OnReply(ReplyTo(sequence), After(36 * kMs + 200'000), now_),
            ReplyOutcome::kAnswered);
  EXPECT_EQ(Measure().rtt_p50, Nanoseconds(36 * kMs - 300'000));
  EXPECT_EQ(Measure().prober_delay_p50, Nanoseconds(350'000));
}

TEST_F(Estimator, HardwareStampsNeedADepartureStamp) {
  const std::uint64_t sequence = Send();
  ReplyArrival arrival = After(36 * kMs);
  arrival.hardware_stamps = true;
  EXPECT_EQ(estimator_.OnReply(ReplyTo(sequence), arrival, now_), ReplyOutcome::kImpossible);
  EXPECT_FALSE(Measure().rtt_p50);
  EXPECT_EQ(Measure().samples, 1u) << "answered all the same";
}

TEST_F(Estimator, TakesTheExactT4WhenItComes) {
  Exchange();
  const Packet first = ReplyTo(1);
  const std::int64_t t4_sent = first.t4;
  Packet second = ReplyTo(Send());
  second.previous_t4 = t4_sent + 400'000;
  second.previous_t4_sequence = 1;
  estimator_.OnReply(second, After(36 * kMs + 200'000), now_);
  EXPECT_EQ(Measure().rtt_min, Nanoseconds(36 * kMs - 400'000));
  // Told again, it changes nothing.
  Packet third = ReplyTo(Send());
  third.previous_t4 = t4_sent + 900'000;
  third.previous_t4_sequence = 1;
  estimator_.OnReply(third, After(36 * kMs + 200'000), now_);
  EXPECT_EQ(Measure().rtt_min, Nanoseconds(36 * kMs - 400'000));
}

TEST_F(Estimator, RefusesAnExactT4ThatCannotBe) {
  for (const std::int64_t later : {std::numeric_limits<std::int64_t>::min(), -kMs, 36 * kMs,
                                   2'000 * kMs, std::numeric_limits<std::int64_t>::max()}) {
    Exchange();
    Packet follow = ReplyTo(Send());
    const std::uint64_t before = estimator_.totals().impossible;
    follow.previous_t4_sequence = follow.sequence - 1;
    follow.previous_t4 = later == std::numeric_limits<std::int64_t>::min() ||
                                 later == std::numeric_limits<std::int64_t>::max()
                             ? later
                             : follow.t4 - 100 * kMs + later;
    estimator_.OnReply(follow, After(36 * kMs + 200'000), now_);
    EXPECT_EQ(estimator_.totals().impossible, before + 1) << later;
  }
  EXPECT_EQ(Measure().rtt_min, Nanoseconds(36 * kMs));
}

TEST_F(Estimator, CountsSamplesFasterThanLight) {
  estimator_.SetFloor(Milliseconds(30));
  EXPECT_EQ(Exchange(29 * kMs), ReplyOutcome::kBelowFloor);
  EXPECT_EQ(Exchange(31 * kMs), ReplyOutcome::kAnswered);
  const LinkMeasurement m = Measure();
  EXPECT_EQ(m.below_floor, 1u);
  EXPECT_EQ(m.rtt_min, Nanoseconds(31 * kMs));
  EXPECT_EQ(m.forward.loss.lost, 0u);
  EXPECT_EQ(m.samples, 2u);
}

TEST_F(Estimator, RefusesRepliesThatAreNotItsOwn) {
  const std::uint64_t sequence = Send();
  const auto refused = [&](auto spoil) {
    Packet reply = ReplyTo(sequence);
    spoil(reply);
    return estimator_.OnReply(reply, After(36 * kMs), now_) == ReplyOutcome::kRefused;
  };
  EXPECT_TRUE(refused([](Packet& p) { p.session_id = 1; }));
  EXPECT_TRUE(refused([](Packet& p) { p.path = 1; }));
  EXPECT_TRUE(refused([](Packet& p) { p.kind = PacketKind::kProbe; }));
  EXPECT_TRUE(refused([](Packet& p) { p.sequence = 2; }));
  EXPECT_TRUE(refused([](Packet& p) { p.sequence = ~std::uint64_t{0}; }));
  EXPECT_EQ(estimator_.totals().refused_replies, 5u);
  EXPECT_FALSE(refused([](Packet&) {}));
}

TEST_F(Estimator, CountsDuplicatesOfReplies) {
  const Packet reply = ReplyTo(Send());
  EXPECT_EQ(estimator_.OnReply(reply, After(37 * kMs), now_), ReplyOutcome::kAnswered);
  EXPECT_EQ(estimator_.OnReply(reply, After(39 * kMs), now_), ReplyOutcome::kDuplicate);
  EXPECT_EQ(Measure().reverse.duplicate, 1u);
  EXPECT_EQ(Measure().samples, 1u);
}

TEST_F(Estimator, ReadsHopsAndMarksOfBothDirections) {
  Packet reply = ReplyTo(Send());
  reply.hop_limit_known = true;
  reply.rx_hop_limit = 61;
  reply.rx_tos = 0x6b;
  ReplyArrival arrival = After(37 * kMs);
  arrival.hop_limit = std::uint8_t{250};
  arrival.tos = std::uint8_t{2};
  estimator_.OnReply(reply, arrival, now_);
  const LinkMeasurement m = Measure();
  EXPECT_EQ(m.forward.hops, 3u);
  EXPECT_EQ(m.reverse.hops, 5u);
  EXPECT_EQ(m.forward.ecn_marked, 1u);
  EXPECT_EQ(m.reverse.ecn_marked, 0u);
}

TEST_F(Estimator, CountsForwardCountersByTheirGrowth) {
  for (const std::uint32_t duplicates : {2u, 2u, 1u, 5u}) {
    Packet reply = ReplyTo(Send());
    reply.forward_duplicates = duplicates;
    reply.forward_reordered = duplicates / 2;
    estimator_.OnReply(reply, After(37 * kMs), now_);
  }
  EXPECT_EQ(Measure().forward.duplicate, 5u);
  EXPECT_EQ(Measure().forward.reordered, 2u);
}

TEST_F(Estimator, TellsRepliesThatOvertook) {
  Send();
  const Packet slow = ReplyTo(1);
  Exchange();
  estimator_.OnReply(slow, After(20 * kMs), now_);
  EXPECT_EQ(Measure().reverse.reordered, 1u);
  EXPECT_EQ(Measure().forward.reordered, 0u);
}

TEST_F(Estimator, LosesAfterTheTimeoutAndTakesTheLateAnswerBack) {
  const std::uint64_t sequence = Send();
  const Packet late = ReplyTo(sequence);
  now_ += Milliseconds(999);
  estimator_.Tick(now_);
  EXPECT_EQ(Measure().lost_direction_unknown, 0u);
  now_ += Milliseconds(1);
  estimator_.Tick(now_);
  EXPECT_EQ(Measure().lost_direction_unknown, 1u);
  EXPECT_EQ(estimator_.OnReply(late, After(0), now_), ReplyOutcome::kLate);
  EXPECT_EQ(Measure().lost_direction_unknown, 0u);
  EXPECT_EQ(Measure().forward.late + Measure().reverse.late, 1u);
  EXPECT_FALSE(Measure().rtt_p50);
}

TEST_F(Estimator, TimeoutFollowsTheLine) {
  EXPECT_EQ(estimator_.timeout(), Seconds(1));
  for (int i = 0; i < 50; ++i) Exchange(400 * kMs);
  now_ += Seconds(1);
  estimator_.Tick(now_);
  EXPECT_EQ(estimator_.timeout(), Milliseconds(1600));
  estimator_.SetFloor(Milliseconds(700));
  now_ += Seconds(1);
  estimator_.Tick(now_);
  EXPECT_EQ(estimator_.timeout(), Milliseconds(2100));
}

TEST_F(Estimator, TimeoutGrowsWhenEverythingComesLate) {
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t sequence = Send();
    const Packet reply = ReplyTo(sequence, 1500 * kMs);
    const ReplyArrival arrival = After(1500 * kMs + 200'000);
    now_ += Milliseconds(1500);
    estimator_.Tick(now_);
    estimator_.OnReply(reply, arrival, now_);
  }
  EXPECT_GE(estimator_.timeout(), Milliseconds(3000));
  EXPECT_EQ(Measure().rtt_p50, Nanoseconds(1500 * kMs));
}

TEST_F(Estimator, JitterIsThatOfTheStandard) {
  // The forward delay alternates by 2 ms: |D| is 2 ms each time, so J tends to 2 ms.
  for (int i = 0; i < 200; ++i) {
    Packet reply = ReplyTo(Send());
    reply.t3 += i % 2 * 2 * kMs;
    reply.t4 += i % 2 * 2 * kMs;
    estimator_.OnReply(reply, After(36 * kMs + 200'000 + i % 2 * 2 * kMs), now_);
  }
  const LinkMeasurement m = Measure();
  EXPECT_NEAR(static_cast<double>(m.forward.jitter->count()), 2e6, 1e4);
  EXPECT_NEAR(static_cast<double>(m.reverse.jitter->count()), 0, 1e4);
  EXPECT_NEAR(static_cast<double>(m.forward.pdv->count()), 2e6, 5e4);
  EXPECT_NEAR(static_cast<double>(m.reverse.pdv->count()), 0, 5e4);
}

TEST_F(Estimator, ExcessIsAboveTheWindowsMinimum) {
  for (int i = 0; i < 20; ++i) Exchange(36 * kMs);
  Exchange(39 * kMs);
  now_ += Seconds(3);
  estimator_.Tick(now_);
  const ExcessHistogram& excess = estimator_.excess();
  EXPECT_EQ(excess.total, 21u);
  EXPECT_EQ(excess.counts[0], 20u);
  EXPECT_EQ(excess.counts[6], 1u);  // 1.6 .. 3.2 ms
  EXPECT_EQ(excess.sum, Milliseconds(3));
}

TEST_F(Estimator, AnswersWhateverIsThrownAtIt) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    Send();
    Packet reply = ReplyTo(1 + random() % 30'000);
    const auto wild = [&]() { return static_cast<std::int64_t>(random() >> random() % 64); };
    if (random() % 2 == 0) reply.t3 = wild();
    if (random() % 2 == 0) reply.t4 = reply.t3 + (wild() >> 30);
    reply.previous_t4 = wild();
    reply.previous_t4_sequence = random() % 30'000;
    reply.responder_rx = random() >> random() % 64;
    reply.responder_tx = random() >> random() % 64;
    reply.rx_bitmap = random();
    reply.rx_ahead = static_cast<std::uint16_t>(random());
    reply.forward_duplicates = static_cast<std::uint32_t>(random());
    estimator_.OnReply(reply, After(36 * kMs), now_);
    estimator_.Tick(now_);
    if (i % 500 == 0) estimator_.OnSession(kSession, random() % 3, now_);
    const LinkMeasurement m = Measure();
    ASSERT_LE(m.forward.loss.lost, m.forward.loss.sent);
    ASSERT_LE(m.reverse.loss.lost, m.reverse.loss.sent);
    ASSERT_LE(m.forward.loss.sent, 700u);
    ASSERT_GT(m.rtt_min.value_or(Nanoseconds(1)), Nanoseconds(0));
    const PathTotals& t = estimator_.totals();
    ASSERT_LE(t.answered + t.lost_forward + t.lost_reverse + t.lost_unknown + t.discarded, t.sent);
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
