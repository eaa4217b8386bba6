#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "common/link/loss_interval.h"
#include "linkprobe/counters/fused_loss.h"
#include "linkprobe/counters/port_book.h"
#include "linkprobe/counters/transport_loss.h"
#include "tests/linkprobe/counters/tracked.h"

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kNow{Seconds(1000)};

PortLoss Loss(const std::vector<Count>& counts, std::optional<Nanoseconds> rtt = std::nullopt) {
  return LossOf(Tracked(counts), rtt);
}

TEST(TransportLossTest, Mlx5) {
  const std::vector<Count> counts{
      PortCount("port_xmit_packets", 1000), PortCount("port_rcv_packets", 900),
      HardwareCount("packet_seq_err", 3),   HardwareCount("local_ack_timeout_err", 2),
      HardwareCount("roce_adp_retrans", 4), HardwareCount("implied_nak_seq_err", 1),
      HardwareCount("out_of_sequence", 60)};
  const PortLoss loss = Loss(counts);
  EXPECT_EQ(loss.transmit, (LossEvents{.packets = 1000, .proven = 3, .possible = 6}));
  EXPECT_EQ(loss.receive, (LossEvents{.packets = 900, .proven = 1, .possible = 60, .behind = 60}));
  // 1,000 packets a second are 36 in a round trip, behind each of nine events.
  EXPECT_EQ(Loss(counts, Milliseconds(36)).transmit->behind, 9 * 36U);
  EXPECT_EQ(Loss(counts, Seconds(5)).transmit->behind, 1000U) << "never more than there were";
}

TEST(TransportLossTest, RxeCountsARetryForEachNakAndTimeout) {
  const PortLoss loss =
      Loss({HardwareCount("sent_pkts", 5000), HardwareCount("rcvd_pkts", 400),
            HardwareCount("rcvd_seq_err", 5), HardwareCount("completer_retry_err", 7),
            HardwareCount("out_of_seq_request", 2)});
  EXPECT_EQ(loss.transmit,
            (LossEvents{.packets = 5000, .proven = 5, .possible = 2, .behind = 7 * 128}));
  EXPECT_EQ(loss.receive, (LossEvents{.packets = 400, .proven = 2, .possible = 0, .behind = 256}));
  EXPECT_EQ(Loss({HardwareCount("sent_pkts", 500), HardwareCount("rcvd_seq_err", 5),
                  HardwareCount("completer_retry_err", 1)})
                .transmit->possible,
            0U);
}

TEST(TransportLossTest, NothingIsKnownWithoutPacketsOrErrors) {
  EXPECT_FALSE(Loss({PortCount("port_xmit_packets", 10)}).transmit);
  EXPECT_FALSE(Loss({HardwareCount("packet_seq_err", 10)}).transmit);
  EXPECT_FALSE(
      Loss({PortCount("port_xmit_packets", std::nullopt), HardwareCount("packet_seq_err", 10)})
          .transmit);
  EXPECT_FALSE(
      Loss({PortCount("port_xmit_packets", 10), HardwareCount("packet_seq_err", std::nullopt),
            HardwareCount("local_ack_timeout_err", 0)})
          .transmit)
      << "one counter was reset: what it counted is not known";
}

// A sender that goes back to each gap, over a line that loses at random: the truth is within the
// bounds, also where half of what is sent comes behind a gap.
TEST(TransportLossTest, TheTruthIsWithinTheBoundsOfGoBackN) {
  std::mt19937_64 random(17);
  for (const double truth : {1e-4, 1e-3, 1e-2, 5e-2}) {
    std::bernoulli_distribution lose(truth);
    int outside = 0;
    for (int run = 0; run < 100; ++run) {
      std::uint64_t packets = 0;
      std::uint64_t gaps = 0;
      for (std::uint64_t delivered = 0; delivered < 20'000;) {
        ++packets;
        if (!lose(random)) {
          ++delivered;
          continue;
        }
        ++gaps;
        packets += random() % 128;  // what was under way is discarded
      }
      const PortLoss loss =
          Loss({HardwareCount("sent_pkts", packets), HardwareCount("rcvd_seq_err", gaps),
                HardwareCount("completer_retry_err", gaps)});
      const auto bounds = BoundLoss(*loss.transmit);
      if (truth < bounds->lower || truth > bounds->upper) ++outside;
    }
    EXPECT_LE(outside, 10) << "of 100 at " << truth;
  }
}

TEST(TransportLossTest, BoundsEncloseWhatIsProvenAndWhatIsPossible) {
  const auto bounds = BoundLoss({.packets = 1'000'000, .proven = 10, .possible = 90});
  ASSERT_TRUE(bounds);
  EXPECT_DOUBLE_EQ(bounds->ratio, 1e-5);
  EXPECT_DOUBLE_EQ(bounds->lower, MakeLossInterval(10, 1'000'000).lower);
  EXPECT_DOUBLE_EQ(bounds->upper, MakeLossInterval(100, 1'000'000).upper);
  EXPECT_FALSE(BoundLoss({}));
  const auto none = BoundLoss({.packets = 10'000'000});
  EXPECT_DOUBLE_EQ(none->lower, 0);
  EXPECT_LT(none->upper, 1e-6);
}

TEST(TransportLossTest, BoundsAreOrderedRatiosWhateverIsCounted) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const LossEvents events{.packets = random() >> (random() % 64),
                            .proven = random() >> (random() % 64),
                            .possible = random() >> (random() % 64),
                            .behind = random() >> (random() % 64)};
    const auto bounds = BoundLoss(events);
    ASSERT_EQ(bounds.has_value(), events.packets != 0);
    if (!bounds) continue;
    ASSERT_LE(0, bounds->lower);
    ASSERT_LE(bounds->lower, bounds->ratio);
    ASSERT_LE(bounds->ratio, bounds->upper);
    ASSERT_LE(bounds->upper, 1);
  }
}

TEST(TransportLossTest, TheTruthIsWithinTheBoundsMostOfTheTime) {
  std::mt19937_64 random(5);
  for (const double truth : {1e-4, 1e-3, 1e-2}) {
    constexpr std::uint64_t kPackets = 200'000;
    int outside = 0;
    for (int i = 0; i < 400; ++i) {
      std::binomial_distribution<std::uint64_t> losses(kPackets, truth);
      const std::uint64_t lost = losses(random);
      // Some are named by peers, the others end in a timeout, and some timeouts are of nothing.
      const std::uint64_t named = lost - lost / 10;
      const auto bounds =
          BoundLoss({.packets = kPackets, .proven = named, .possible = lost - named + lost / 20});
      if (truth < bounds->lower || truth > bounds->upper) ++outside;
    }
    EXPECT_LE(outside, 28) << "of 400 at " << truth;  // 5 % expected, four sigma
  }
}

TEST(FusedLossTest, WithoutBulkTrafficTheProbesSpeak) {
  const auto fused = FuseLoss(MakeLossInterval(1, 600), MakeLossInterval(0, 40));
  ASSERT_TRUE(fused);
  EXPECT_EQ(fused->source, LossSource::kProbes);
  EXPECT_EQ(fused->interval.lost, 1U);
  EXPECT_FALSE(fused->disagree);
}

TEST(FusedLossTest, BulkTrafficResolvesWhatProbesCannot) {
  const auto fused = FuseLoss(MakeLossInterval(0, 600), MakeLossInterval(12, 1'000'000));
  EXPECT_EQ(fused->source, LossSource::kTransport);
  EXPECT_GT(fused->interval.lower, 6e-6);
  EXPECT_LT(fused->interval.upper, 2.2e-5);
}

TEST(FusedLossTest, WhereTheyDisagreeTheOneThatSeesLossCounts) {
  const auto line = FuseLoss(MakeLossInterval(30, 600), MakeLossInterval(0, 1'000'000));
  EXPECT_EQ(line->source, LossSource::kProbes);
  EXPECT_TRUE(line->disagree);
  const auto bulk = FuseLoss(MakeLossInterval(0, 36'000), MakeLossInterval(5000, 1'000'000));
  EXPECT_EQ(bulk->source, LossSource::kTransport);
  EXPECT_TRUE(bulk->disagree);
}

TEST(FusedLossTest, NothingSentIsNoWitness) {
  EXPECT_FALSE(FuseLoss(std::nullopt, std::nullopt));
  EXPECT_FALSE(FuseLoss(MakeLossInterval(0, 0), std::nullopt));
  EXPECT_EQ(FuseLoss(MakeLossInterval(0, 0), MakeLossInterval(0, 5))->source,
            LossSource::kTransport);
  EXPECT_EQ(FuseLoss(MakeLossInterval(0, 5), MakeLossInterval(0, 0))->source, LossSource::kProbes);
  EXPECT_EQ(LossSourceName(LossSource::kTransport), "transport");
}

TrackedPort Bulk(std::uint64_t packets, std::optional<std::uint64_t> lost) {
  return Tracked({PortCount("port_xmit_packets", packets), HardwareCount("packet_seq_err", lost)});
}

TEST(PortBookTest, SumsTheLastMinuteAndNoMore) {
  PortBook book;
  std::optional<LossInterval> loss;
  for (int i = 0; i < 30; ++i) {
    const auto opinions = book.Add(std::vector{Bulk(1000, 1)}, {}, kNow + i * Seconds(5));
    loss = opinions.at(0).transmit.transport;
  }
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->sent, 13'000U) << "both ends of the minute belong to it";
  EXPECT_EQ(loss->lost, 13U);
}

TEST(PortBookTest, AnIntervalThatDoesNotTellIsLeftOutAsAWhole) {
  PortBook book;
  book.Add(std::vector{Bulk(1000, 1)}, {}, kNow);
  book.Add(std::vector{Bulk(5000, std::nullopt)}, {}, kNow + Seconds(5));
  const auto opinions = book.Add(std::vector{Bulk(1000, 1)}, {}, kNow + Seconds(10));
  EXPECT_EQ(opinions.at(0).transmit.transport->sent, 2000U);
}

TEST(PortBookTest, FusesWithTheProbesOfThePort) {
  PortBook book;
  const std::vector<ProbedPort> probed{
      {.device = "mlx5_1", .port = 1, .forward = MakeLossInterval(600, 600)},
      {.device = "mlx5_0", .port = 1, .forward = MakeLossInterval(0, 600)}};
  const auto opinion = book.Add(std::vector{Bulk(1'000'000, 5)}, probed, kNow).at(0);
  EXPECT_EQ(opinion.transmit.fused->source, LossSource::kTransport);
  EXPECT_EQ(opinion.transmit.fused->interval.lost, 5U);
  EXPECT_FALSE(opinion.receive.fused);
  const auto probes_only = book.Add(std::vector{Tracked({})}, probed, kNow + Seconds(90)).at(0);
  EXPECT_EQ(probes_only.transmit.fused->source, LossSource::kProbes);
}

TEST(PortBookTest, APortThatWasGoneBeginsAnew) {
  PortBook book;
  book.Add(std::vector{Bulk(1000, 1)}, {}, kNow);
  EXPECT_TRUE(book.Add({}, {}, kNow).empty());
  EXPECT_EQ(book.Add(std::vector{Bulk(500, 0)}, {}, kNow).at(0).transmit.transport->sent, 500U);
}

}  // namespace
}  // namespace fairlead::linkprobe
