#include "linkprobe/estimate/probe_ledger.h"

#include <gtest/gtest.h>

#include "linkprobe/estimate/loss_runs.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(100)};
constexpr Nanoseconds kGap = Milliseconds(100);
constexpr Nanoseconds kTimeout = Seconds(1);

MonotonicTime SentAt(std::uint64_t sequence) {
  return kStart + kGap * static_cast<std::int64_t>(sequence);
}

class Ledger : public ::testing::Test {
 protected:
  void Send(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      sequence_ = ledger_.Add(0, SentAt(++sent_));
    }
  }
  // The reply to `sequence`, saying what has arrived and how many in all.
  bool Answer(std::uint64_t sequence, std::uint64_t bitmap, std::uint64_t received,
              std::uint16_t ahead = 0) {
    Packet reply;
    reply.kind = PacketKind::kReply;
    reply.sequence = sequence;
    reply.rx_bitmap = bitmap;
    reply.rx_ahead = ahead;
    reply.responder_rx = received;
    const bool in_time = ledger_.MarkAnswered(sequence);
    if (in_time) ledger_.Learn(reply);
    return in_time;
  }
  void TimeOutAll() { ledger_.TimeOut(SentAt(sent_) + kTimeout, kTimeout); }
  Fate FateOf(std::uint64_t sequence) { return ledger_.Find(sequence)->fate; }

  PathTotals totals_;
  ProbeLedger ledger_{256, totals_};
  std::uint64_t sent_ = 0;
  std::uint64_t sequence_ = 0;
};

TEST_F(Ledger, NumbersFromOneInEachSession) {
  Send(3);
  EXPECT_EQ(sequence_, 3u);
  ledger_.StartSession(false);
  Send(1);
  EXPECT_EQ(sequence_, 1u);
  EXPECT_EQ(ledger_.IndexOf(1), 4u);
  EXPECT_EQ(ledger_.Find(0), nullptr);
  EXPECT_EQ(ledger_.Find(2), nullptr);
  EXPECT_EQ(ledger_.Find(~std::uint64_t{0}), nullptr);
}

TEST_F(Ledger, DirectionFollowsFromTheBitmap) {
  Send(3);
  TimeOutAll();
  EXPECT_EQ(FateOf(1), Fate::kLostUnknown);
  Send(1);
  ASSERT_TRUE(Answer(4, 0b1011, 3));  // 1 and 3 arrived, 2 did not
  EXPECT_EQ(FateOf(1), Fate::kLostReverse);
  EXPECT_EQ(FateOf(2), Fate::kLostForward);
  EXPECT_EQ(FateOf(3), Fate::kLostReverse);
  EXPECT_EQ(totals_.lost_forward, 1u);
  EXPECT_EQ(totals_.lost_reverse, 2u);
}

TEST_F(Ledger, WhatWasSeenToArriveEarlierIsReverseAtOnce) {
  Send(2);
  ASSERT_TRUE(Answer(2, 0b11, 2));
  EXPECT_EQ(FateOf(1), Fate::kOutstanding);
  TimeOutAll();
  EXPECT_EQ(FateOf(1), Fate::kLostReverse);
}

TEST_F(Ledger, AClearBitBeforeTheTimeoutIsNoVerdict) {
  Send(2);
  ASSERT_TRUE(Answer(2, 0b1, 1));
  TimeOutAll();
  EXPECT_EQ(FateOf(1), Fate::kLostUnknown);
  Send(1);
  ASSERT_TRUE(Answer(3, 0b111, 3));  // it had only been overtaken
  EXPECT_EQ(FateOf(1), Fate::kLostReverse);
}

TEST_F(Ledger, ALateReplyIsNoLossInTheWindow) {
  Send(2);
  TimeOutAll();
  Send(1);
  ASSERT_TRUE(Answer(3, 0b011, 2));
  EXPECT_FALSE(Answer(1, 0, 0));
  EXPECT_EQ(FateOf(1), Fate::kLateForward);
  EXPECT_FALSE(Answer(2, 0, 0));
  EXPECT_EQ(FateOf(2), Fate::kLateReverse);
  EXPECT_EQ(totals_.late, 2u);
  EXPECT_FALSE(Answer(2, 0, 0)) << "only once";
  EXPECT_EQ(totals_.late, 2u);
  const LossRuns runs = CountLosses(ledger_, kStart);
  EXPECT_EQ(runs.forward.count.lost + runs.reverse.count.lost + runs.unknown, 0u);
  EXPECT_EQ(runs.forward.late, 1u);
  EXPECT_EQ(runs.reverse.late, 1u);
}

TEST_F(Ledger, CountersSettleAGapLongerThanTheBitmap) {
  Send(1);
  ASSERT_TRUE(Answer(1, 1, 1));
  Send(150);
  TimeOutAll();
  Send(1);
  // Of 2..151 the newest 63 did not arrive, of the 87 before them 30 did.
  ASSERT_TRUE(Answer(152, 1, 1 + 30 + 1));
  EXPECT_EQ(totals_.lost_reverse, 30u);
  EXPECT_EQ(totals_.lost_forward, 57u + 63u);
  const LossRuns runs = CountLosses(ledger_, kStart);
  EXPECT_EQ(runs.unknown, 0u);
  EXPECT_EQ(runs.reverse.count.lost, 30u);
}

TEST_F(Ledger, CountersSettleWhatIsNoLongerKept) {
  Send(1);
  ASSERT_TRUE(Answer(1, 1, 1));
  for (int i = 0; i < 10; ++i) {
    Send(100);
    TimeOutAll();
  }
  Send(1);
  ASSERT_TRUE(Answer(1002, 1, 1 + 400 + 1));
  EXPECT_EQ(totals_.lost_reverse, 400u);
  EXPECT_EQ(totals_.lost_forward, 600u);
}

TEST_F(Ledger, ALateReplyToAnEstimatedLossKeepsTheNumbers) {
  Send(1);
  ASSERT_TRUE(Answer(1, 1, 1));
  Send(100);
  TimeOutAll();
  Send(1);
  ASSERT_TRUE(Answer(102, 1, 1 + 20 + 1));
  std::uint64_t estimated_forward = 0;
  for (std::uint64_t s = 2; s <= 38 && estimated_forward == 0; ++s) {
    if (FateOf(s) == Fate::kLostForward && ledger_.Find(s)->estimated) estimated_forward = s;
  }
  ASSERT_NE(estimated_forward, 0u);
  EXPECT_FALSE(Answer(estimated_forward, 0, 0));
  const LossRuns runs = CountLosses(ledger_, kStart);
  EXPECT_EQ(runs.reverse.count.lost, 19u) << "one of the twenty arrivals came back";
  EXPECT_EQ(runs.forward.count.lost, 80u);
}

TEST_F(Ledger, LyingCountersNeverMakeMoreLossesThanProbes) {
  for (const std::uint64_t received : {std::uint64_t{0}, std::uint64_t{5}, ~std::uint64_t{0}}) {
    PathTotals totals;
    ProbeLedger ledger(256, totals);
    for (std::uint64_t i = 1; i <= 200; ++i) ledger.Add(0, SentAt(i));
    ledger.TimeOut(SentAt(200) + kTimeout, kTimeout);
    const std::uint64_t sequence = ledger.Add(0, SentAt(201));
    ASSERT_TRUE(ledger.MarkAnswered(sequence));
    Packet reply;
    reply.sequence = sequence;
    reply.responder_rx = received;
    for (const std::uint16_t ahead : {std::uint16_t{0}, std::uint16_t{1000}}) {
      reply.rx_ahead = ahead;
      reply.rx_bitmap = ~std::uint64_t{0};
      ledger.Learn(reply);
      EXPECT_LE(totals.lost_forward + totals.lost_reverse, 200u);
    }
  }
}

TEST_F(Ledger, ARestartForgivesAndANewSessionDoesNot) {
  for (const bool forgive : {true, false}) {
    PathTotals totals;
    ProbeLedger ledger(256, totals);
    for (std::uint64_t i = 1; i <= 600; ++i) {
      ledger.Add(0, SentAt(i));
      ledger.TimeOut(SentAt(i), kTimeout);
    }
    ledger.StartSession(forgive);
    EXPECT_EQ(totals.lost_unknown + totals.discarded, 600u);
    EXPECT_EQ(totals.discarded, forgive ? 600u : 10u) << "those under way are always discarded";
    EXPECT_EQ(ledger.outstanding(), 0u);
    for (std::uint64_t i = 601; i <= 1400; ++i) {
      const std::uint64_t sequence = ledger.Add(0, SentAt(i));
      EXPECT_TRUE(ledger.MarkAnswered(sequence));
    }
    EXPECT_TRUE(ledger.uneventful());
    EXPECT_EQ(totals.lost_unknown + totals.discarded, 600u);
  }
}

TEST_F(Ledger, AProbeThatWasNotSentIsNoLoss) {
  Send(3);
  ledger_.MarkNotSent(2);
  ledger_.MarkNotSent(2);
  EXPECT_EQ(totals_.sent, 2u);
  EXPECT_EQ(totals_.send_failed, 1u);
  TimeOutAll();
  Send(1);
  ASSERT_TRUE(Answer(4, 0b1, 1));
  EXPECT_EQ(totals_.lost_forward, 2u);
}

TEST_F(Ledger, RunsAreCountedPerDirection) {
  Send(9);
  TimeOutAll();
  Send(1);
  // 1 2 lost forward; 3 reverse; 4 forward; 5 reverse; 6 7 answered late; 8 9 forward.
  ASSERT_TRUE(Answer(10, 0b1001110100, 1));
  EXPECT_FALSE(Answer(6, 0, 0));
  EXPECT_FALSE(Answer(7, 0, 0));
  const LossRuns runs = CountLosses(ledger_, kStart);
  EXPECT_EQ(runs.forward.count.lost, totals_.lost_forward - runs.forward.late);
  EXPECT_EQ(runs.forward.longest, 2u);
  EXPECT_GE(runs.forward.count.bursts, 2u);
  EXPECT_EQ(CountLosses(ledger_, SentAt(10)).forward.count.sent, 0u);
}

}  // namespace
}  // namespace fairlead::linkprobe
