#include "linkprobe/counters/retransmission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkprobe/counters/port_book.h"
#include "tests/linkprobe/counters/tracked.h"

namespace fairlead::linkprobe {
namespace {

using testing::HasSubstr;

constexpr Nanoseconds kWan = Milliseconds(36);

RetransmissionFinding Judge(const Retransmissions& counts, std::optional<Nanoseconds> rtt) {
  return JudgeRetransmissions(counts, Seconds(60), rtt, "mlx5_0");
}

TEST(RetransmissionTest, TheAdaptiveTimerOverAWanIsNamedWithItsRemedy) {
  const auto finding = Judge({.adaptive = 1200, .refused = 3}, kWan);
  EXPECT_EQ(finding.verdict, RetransmissionVerdict::kAdaptiveTimer);
  EXPECT_EQ(
      finding.sentence,
      "mlx5_0 resent 1200 times within 60 s by its adaptive timer, and peers missed something "
      "3 times: acknowledgements take 36 ms and the adaptive timer begins at 2 ms");
  EXPECT_THAT(finding.remedy,
              HasSubstr("mlxreg -d mlx5_0 --reg_name ROCE_ACCL --set roce_adp_retrans_en=0"));
  EXPECT_THAT(finding.remedy, HasSubstr("NCCL_IB_TIMEOUT"));
}

TEST(RetransmissionTest, DuplicatesThatArriveAreThePeersDoing) {
  const auto finding = Judge({.duplicates = 500, .gaps = 2}, kWan);
  EXPECT_EQ(finding.verdict, RetransmissionVerdict::kPeers);
  EXPECT_THAT(finding.sentence, HasSubstr("500 requests"));
  EXPECT_THAT(finding.remedy, HasSubstr("nodes that send"));
}

TEST(RetransmissionTest, Table) {
  struct Case {
    const char* what;
    Retransmissions counts;
    std::optional<Nanoseconds> rtt;
    RetransmissionVerdict verdict;
  };
  using enum RetransmissionVerdict;
  const Case cases[] = {
      {"nothing resent", {}, kWan, kNone},
      {"within the timer", {.adaptive = 1000}, Milliseconds(2), kNone},
      {"just beyond it", {.adaptive = 1000}, Milliseconds(2) + Nanoseconds(1), kAdaptiveTimer},
      {"no round trip known", {.adaptive = 1000}, std::nullopt, kNone},
      {"as much was lost", {.adaptive = 1000, .refused = 600}, kWan, kNone},
      {"twice as much", {.adaptive = 1000, .refused = 500}, kWan, kNone},
      {"more than twice", {.adaptive = 1000, .refused = 499}, kWan, kAdaptiveTimer},
      {"a handful", {.adaptive = 9}, kWan, kNone},
      {"losses make duplicates, too", {.duplicates = 50, .gaps = 40}, kWan, kNone},
      {"own timer first", {.adaptive = 50, .duplicates = 500}, kWan, kAdaptiveTimer},
  };
  for (const Case& each : cases) {
    const auto finding = Judge(each.counts, each.rtt);
    EXPECT_EQ(finding.verdict, each.verdict) << each.what;
    EXPECT_EQ(finding.sentence.empty(), each.verdict == kNone) << each.what;
    EXPECT_EQ(finding.remedy.empty(), each.verdict == kNone) << each.what;
  }
}

TEST(RetransmissionTest, CountsComeFromWhatTheDriverHas) {
  EXPECT_EQ(RetransmissionsOf(Tracked(
                {HardwareCount("roce_adp_retrans", 4), HardwareCount("packet_seq_err", 1),
                 HardwareCount("duplicate_request", 2), HardwareCount("out_of_sequence", 3)})),
            (Retransmissions{.adaptive = 4, .refused = 1, .duplicates = 2, .gaps = 3}));
  EXPECT_EQ(RetransmissionsOf(Tracked(
                {HardwareCount("duplicate_request", 2), HardwareCount("out_of_seq_request", 3)})),
            (Retransmissions{.duplicates = 2, .gaps = 3}));
  EXPECT_FALSE(RetransmissionsOf(Tracked({})));
  EXPECT_FALSE(RetransmissionsOf(Tracked(
      {HardwareCount("roce_adp_retrans", std::nullopt), HardwareCount("packet_seq_err", 1)})));
}

TEST(RetransmissionTest, ThePortBookJudgesTheLastMinute) {
  constexpr MonotonicTime kNow{Seconds(1000)};
  const std::vector<ProbedPort> probed{{.device = "mlx5_0", .port = 1, .rtt = kWan}};
  const std::vector rising{Tracked({HardwareCount("roce_adp_retrans", 6)})};
  const std::vector calm{Tracked({HardwareCount("roce_adp_retrans", 0)})};
  PortBook book;
  EXPECT_EQ(book.Add(rising, probed, kNow).at(0).retransmission.verdict,
            RetransmissionVerdict::kNone);
  EXPECT_EQ(book.Add(rising, probed, kNow + Seconds(5)).at(0).retransmission.verdict,
            RetransmissionVerdict::kAdaptiveTimer);
  EXPECT_EQ(book.Add(calm, probed, kNow + Seconds(60)).at(0).retransmission.verdict,
            RetransmissionVerdict::kAdaptiveTimer);
  EXPECT_EQ(book.Add(calm, probed, kNow + Seconds(66)).at(0).retransmission.verdict,
            RetransmissionVerdict::kNone);
}

}  // namespace
}  // namespace fairlead::linkprobe
