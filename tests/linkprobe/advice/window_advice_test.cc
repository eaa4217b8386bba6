#include "linkprobe/advice/window_advice.h"

#include <gmock/gmock.h>

#include <random>

#include "linkprobe/advice/advice_text.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

LineFacts Line(Nanoseconds rtt, std::uint64_t rate) {
  return {.rtt = rtt, .rate_bits_per_second = rate};
}

LineFacts SoftRoce(Nanoseconds rtt, std::uint64_t rate, std::uint32_t queue_pairs) {
  LineFacts facts = Line(rtt, rate);
  facts.limits.unacked_packets = 128;
  facts.limits.queue_pairs = queue_pairs;
  return facts;
}

TEST(WindowAdviceTest, TheWindowIsRateTimesRoundTrip) {
  struct Case {
    Nanoseconds rtt;
    std::uint64_t rate;
    std::uint64_t bytes;
  };
  for (const Case& c : {Case{Milliseconds(23), 100'000'000'000, 287'500'000},
                        Case{Milliseconds(36), 100'000'000'000, 450'000'000},
                        Case{Milliseconds(150), 100'000'000'000, 1'875'000'000},
                        Case{Milliseconds(200), 40'000'000'000, 1'000'000'000},
                        Case{Milliseconds(36), 100'000'000, 450'000}}) {
    const auto advice = AdviseWindow(Line(c.rtt, c.rate));
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->needed_bytes, c.bytes);
    EXPECT_EQ(advice->bound, WindowBound::kLine);
    EXPECT_EQ(advice->goodput_bits_per_second, c.rate);
    EXPECT_GE(advice->posted_bytes, c.bytes);
  }
}

TEST(WindowAdviceTest, AckTimeoutsOfRealLines) {
  struct Case {
    Nanoseconds rtt;
    std::uint32_t timeout;
  };
  for (const Case& c :
       {Case{Milliseconds(25), 16}, Case{Milliseconds(36), 17}, Case{Milliseconds(70), 17},
        Case{Milliseconds(150), 17}, Case{Milliseconds(200), 18}, Case{Seconds(10), 23}}) {
    const auto advice = AdviseWindow(Line(c.rtt, 1'000'000'000));
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->ack_timeout, c.timeout) << c.rtt.count();
    EXPECT_GE(advice->ack_wait, 2 * (c.rtt + Milliseconds(100)));
  }
  LineFacts near = Line(std::chrono::microseconds(10), 1'000'000'000);
  near.queue = Nanoseconds(0);
  EXPECT_EQ(AdviseWindow(near)->ack_timeout, 14U);
  EXPECT_EQ(AckWait(14), Nanoseconds(67'108'864));
}

TEST(WindowAdviceTest, SoftRoceNeedsMoreQueuePairsAndSaysWhenTheyEnd) {
  // 128 packets of 4096 bytes at 23 ms are 182 Mb/s on one queue pair.
  const auto one = AdviseWindow(SoftRoce(Milliseconds(23), 1'000'000'000, 1));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->bound, WindowBound::kPacketWindow);
  EXPECT_NEAR(static_cast<double>(one->goodput_bits_per_second), 182.4e6, 0.2e6);
  const auto many = AdviseWindow(SoftRoce(Milliseconds(23), 1'000'000'000, 64));
  ASSERT_TRUE(many);
  EXPECT_EQ(many->queue_pairs, 6U);
  EXPECT_EQ(many->bound, WindowBound::kLine);
}

TEST(WindowAdviceTest, ShortSendQueuesTakeLargerMessagesAndThenBind) {
  LineFacts facts = Line(Milliseconds(200), 400'000'000'000);
  facts.limits.queue_pairs = 1;
  facts.limits.send_requests = 2'000;
  auto advice = AdviseWindow(facts);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->message_bytes, 8U * 1024 * 1024);
  EXPECT_EQ(advice->bound, WindowBound::kLine);
  facts.limits.send_requests = 100;
  advice = AdviseWindow(facts);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->bound, WindowBound::kSendQueue);
  EXPECT_NEAR(static_cast<double>(advice->goodput_bits_per_second), 100.0 * (8 << 20) * 8 * 5, 1);
}

TEST(WindowAdviceTest, BuffersGrowBeforeChannels) {
  EXPECT_EQ(AdviseWindow(Line(Milliseconds(36), 100'000'000))->nccl.window_bytes(), 4U << 20);
  const auto large = AdviseWindow(Line(Milliseconds(36), 100'000'000'000))->nccl;
  EXPECT_EQ(large.buffer_bytes, 32U << 20);
  EXPECT_EQ(large.channels, 14U);
  const auto beyond = AdviseWindow(Line(Milliseconds(200), 400'000'000'000));
  EXPECT_EQ(beyond->nccl.channels, 32U);
  EXPECT_LT(beyond->nccl.window_bytes(), beyond->needed_bytes);
  EXPECT_THAT(AdviceText(Line(Milliseconds(200), 400'000'000'000), *beyond),
              HasSubstr("several pairs of ranks"));
}

TEST(WindowAdviceTest, RefusesWhatIsNoLine) {
  LineFacts facts = Line(Nanoseconds(0), 1'000'000);
  EXPECT_THAT(AdviseWindow(facts).error().message, HasSubstr("RTT 0"));
  EXPECT_FALSE(AdviseWindow(Line(Seconds(11), 1'000'000)));
  EXPECT_THAT(AdviseWindow(Line(Milliseconds(1), 0)).error().message, HasSubstr("rate 0"));
  facts = Line(Milliseconds(1), 1'000'000);
  facts.path_mtu_bytes = 1500;
  EXPECT_THAT(AdviseWindow(facts).error().message, HasSubstr("1500 gives 1024"));
  facts.path_mtu_bytes = 1024;
  facts.limits.queue_pairs = 0;
  EXPECT_FALSE(AdviseWindow(facts));
}

TEST(WindowAdviceTest, HoldsForAnyLine) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    LineFacts facts;
    facts.rtt =
        Nanoseconds(std::uniform_int_distribution<std::int64_t>(1'000, 400'000'000)(random));
    facts.rate_bits_per_second = std::uniform_int_distribution<std::uint64_t>(
        1'000'000, std::uint64_t{1} << (20 + random() % 20))(random);
    facts.path_mtu_bytes = 256U << (random() % 5);
    facts.limits.unacked_packets = random() % 2 == 0 ? 128 : 1U << 23;
    facts.limits.send_requests = 1 + static_cast<std::uint32_t>(random() % 40'000);
    facts.limits.queue_pairs = 1 + static_cast<std::uint32_t>(random() % 128);
    const auto advice = AdviseWindow(facts);
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->posted_bytes,
              std::uint64_t{advice->queue_pairs} * advice->queue_depth * advice->message_bytes);
    EXPECT_LE(advice->queue_pairs, facts.limits.queue_pairs);
    EXPECT_LE(advice->queue_depth, facts.limits.send_requests);
    EXPECT_GE(advice->message_bytes, facts.path_mtu_bytes);
    EXPECT_LE(advice->goodput_bits_per_second, facts.rate_bits_per_second);
    EXPECT_EQ(advice->bound == WindowBound::kLine, advice->window_bytes() >= advice->needed_bytes);
    EXPECT_GE(advice->ack_wait, 2 * facts.rtt);
  }
}

TEST(AdviceTextTest, ShowsTheArithmetic) {
  const LineFacts facts = Line(Milliseconds(36), 100'000'000'000);
  const std::string text = AdviceText(facts, *AdviseWindow(facts));
  EXPECT_THAT(text, HasSubstr("100 Gbps x 36 ms / 8 = 429.2 MiB"));
  EXPECT_THAT(text, HasSubstr("4 queue pairs x 108 messages x 1MiB = 432 MiB"));
  EXPECT_THAT(text, HasSubstr("4.096 us x 2^17 = 536.9 ms"));
  EXPECT_THAT(text, HasSubstr("NCCL_BUFFSIZE=33554432 x 14 channels = 448 MiB"));
  const LineFacts soft = SoftRoce(Milliseconds(23), 1'000'000'000, 1);
  EXPECT_THAT(AdviceText(soft, *AdviseWindow(soft)), HasSubstr("128 x 4096 B on each of 1 queue"));
}

}  // namespace
}  // namespace fairlead::linkprobe
