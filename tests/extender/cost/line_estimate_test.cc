#include "extender/cost/line_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/link/loss_interval.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Catalogue;
using sample::Lab;
using sample::Links;
using sample::Ms;

LineEstimate Estimate(const LinkSnapshot& links, std::uint32_t gangs = 0,
                      const LineCatalogue& catalogue = Catalogue()) {
  return EstimateLine(links, catalogue, "hk", "sg", gangs, std::nullopt);
}

double PriorRtt() {
  return std::chrono::duration<double>(*Catalogue().FloorRtt("hk", "sg")).count() * 1.4;
}

TEST(EstimateLine, FreshReportsSpeakForThemselves) {
  const LineEstimate line = Estimate(Links().Line("hk", "sg", 36, 38).Snapshot());
  EXPECT_EQ(line.basis, LineBasis::kMeasured);
  EXPECT_NEAR(line.rtt_p50_seconds, 0.036, 1e-9);
  EXPECT_NEAR(line.rtt_p99_seconds, 0.038, 1e-9);
  EXPECT_EQ(line.loss_ratio, 0);
  EXPECT_NEAR(line.bytes_per_second, 125e6, 1);
  EXPECT_NEAR(line.confidence, 1, 1e-9);
}

TEST(EstimateLine, TheWorseDirectionCounts) {
  Links links = Links().Line("hk", "sg", 36, 38);
  links.At("sg", "hk").rtt_p50 = Ms(41);
  links.At("sg", "hk").rtt_p99 = Ms(44);
  const LineEstimate line = Estimate(links.Snapshot());
  EXPECT_NEAR(line.rtt_p50_seconds, 0.041, 1e-9);
  EXPECT_NEAR(line.rtt_p99_seconds, 0.044, 1e-9);
}

TEST(EstimateLine, AnUnmeasuredLineIsItsFloorTimesTheDetour) {
  const LineEstimate line = Estimate({});
  EXPECT_EQ(line.basis, LineBasis::kPrior);
  EXPECT_NEAR(line.rtt_p50_seconds, PriorRtt(), 1e-9);
  EXPECT_EQ(line.confidence, 0);
  EXPECT_NEAR(line.bytes_per_second, 125e6, 1);
  EXPECT_GT(line.uncertainty_ratio, 0.05);
}

TEST(EstimateLine, WithoutCoordinatesTheOtherLinesAreThePrior) {
  const LinkSnapshot lab = Lab().Snapshot();
  // 36, 50 and 68 ms, each way: the median is 50.
  const auto fallback = FallbackRtt(lab, {}, {"hk", "mars"});
  ASSERT_TRUE(fallback.has_value());
  EXPECT_DOUBLE_EQ(*fallback, 0.05);
  const LineEstimate line = EstimateLine(lab, {}, "hk", "mars", 0, fallback);
  EXPECT_EQ(line.basis, LineBasis::kPrior);
  EXPECT_DOUBLE_EQ(line.rtt_p50_seconds, 0.05);
}

TEST(EstimateLine, UnmeasuredLinesWithCoordinatesStandInForOneWithout) {
  const auto fallback = FallbackRtt({}, Catalogue(), {"hk", "mars", "sg"});
  ASSERT_TRUE(fallback.has_value());
  EXPECT_NEAR(*fallback, PriorRtt(), 1e-9);
}

TEST(EstimateLine, NothingKnownSaysSo) {
  EXPECT_EQ(FallbackRtt({}, {}, {"hk", "sg"}), std::nullopt);
  EXPECT_EQ(Estimate({}, 0, {}).basis, LineBasis::kNothing);
}

TEST(EstimateLine, OldAndFewSamplesLeanTowardsThePrior) {
  Links links = Links().Line("hk", "sg", 61, 61);
  for (LinkView* view : {&links.At("hk", "sg"), &links.At("sg", "hk")}) {
    view->samples = 10;       // n / (n + 10) = 1/2
    view->age = Seconds(60);  // 2^(-60/60) = 1/2
  }
  const LineEstimate line = Estimate(links.Snapshot());
  EXPECT_NEAR(line.confidence, 0.25, 1e-12);
  EXPECT_NEAR(line.rtt_p50_seconds, 0.25 * 0.061 + 0.75 * PriorRtt(), 1e-9);
}

TEST(EstimateLine, LossOfPortsEntersByItsLowerBoundWhereItIsOfThisLine) {
  Links links = Links().Line("hk", "sg", 36, 36);
  const double clean = Estimate(links.Snapshot()).bytes_per_second;
  LineLoss loss{.interval = MakeLossInterval(40, 1'000'000), .counts = false};
  links.At("hk", "sg").port_loss = loss;
  EXPECT_EQ(Estimate(links.Snapshot()).loss_ratio, 0) << "it may be of another line";
  EXPECT_EQ(Estimate(links.Snapshot()).bytes_per_second, clean);
  loss.counts = true;
  links.At("hk", "sg").port_loss = loss;
  const LineEstimate line = Estimate(links.Snapshot());
  EXPECT_NEAR(line.loss_ratio, loss.interval.lower, 1e-12) << "below what counts of probes";
  const double p = loss.interval.lower;
  const double packets = clean * 0.036 / 4096;
  EXPECT_NEAR(line.bytes_per_second, clean * (1 - p) / (1 - p + p * packets), 1);
  // An upper bound alone condemns nothing.
  links.At("hk", "sg").port_loss =
      LineLoss{.interval = {.lost = 0, .sent = 10, .lower = 0, .upper = 1}, .counts = true};
  EXPECT_EQ(Estimate(links.Snapshot()).bytes_per_second, clean);
  // The worse of both witnesses.
  links.At("sg", "hk").forward.loss = MakeLossInterval(100, 1000);
  links.At("hk", "sg").port_loss = loss;
  EXPECT_NEAR(Estimate(links.Snapshot()).loss_ratio, 0.1, 1e-9);
}

TEST(EstimateLine, ADeclaredCapacityIsSharedAMeasuredAvailabilityIsNot) {
  Links links = Links().Line("hk", "sg", 36, 36);
  EXPECT_NEAR(Estimate(links.Snapshot(), 1).bytes_per_second, 62.5e6, 1);
  EXPECT_NEAR(Estimate(links.Snapshot(), 4).bytes_per_second, 25e6, 1);
  links.At("hk", "sg").available_bytes_per_second = 100e6;
  links.At("sg", "hk").available_bytes_per_second = 80e6;
  EXPECT_NEAR(Estimate(links.Snapshot(), 4).bytes_per_second, 80e6, 1);
}

TEST(EstimateLine, ATestedRateReplacesTheDeclaredOneAndTheWorseDirectionCounts) {
  Links links = Links().Line("hk", "sg", 36, 36);
  links.At("hk", "sg").rate = LineRate{.bytes_per_second = 40e6, .source = RateSource::kTrain};
  links.At("sg", "hk").rate = LineRate{.bytes_per_second = 125e6};
  EXPECT_NEAR(Estimate(links.Snapshot()).bytes_per_second, 40e6, 1);
  EXPECT_NEAR(Estimate(links.Snapshot(), 1).bytes_per_second, 20e6, 1);
}

TEST(EstimateLine, OfALowerBoundALineIsNotTakenForSlower) {
  const LineCatalogue undeclared({}, {});
  Links links = Links().Line("hk", "sg", 1, 1);
  const double prior = Estimate(links.Snapshot(), 0, undeclared).bytes_per_second;
  for (const char* from : {"hk", "sg"}) {
    links.At(from, from == std::string("hk") ? "sg" : "hk").rate =
        LineRate{.bytes_per_second = 5e6, .source = RateSource::kTrain, .at_least = true};
  }
  EXPECT_EQ(Estimate(links.Snapshot(), 0, undeclared).bytes_per_second, prior);
}

TEST(EstimateLine, WhatIsNotUsedIsAvailableAndNeverLessThanAFairShare) {
  Links links = Links().Line("hk", "sg", 36, 36);
  LinkView& view = links.At("hk", "sg");
  view.rate = LineRate{.bytes_per_second = 100e6};
  view.available_bytes_per_second = 60e6;
  view.available_at_least = true;
  EXPECT_NEAR(Estimate(links.Snapshot()).bytes_per_second, 60e6, 1);
  view.available_bytes_per_second = 1e6;
  EXPECT_NEAR(Estimate(links.Snapshot()).bytes_per_second, 50e6, 1);
  EXPECT_NEAR(Estimate(links.Snapshot(), 3).bytes_per_second, 20e6, 1);
}

TEST(EstimateLine, BytesInFlightCapAFatLine) {
  const LineCatalogue fat({}, {{"hk", "sg", 100'000'000'000}});
  const LineEstimate line = Estimate(Links().Line("hk", "sg", 36, 36).Snapshot(), 0, fat);
  // 8 x 4 MiB / 36 ms
  EXPECT_NEAR(line.bytes_per_second, 33554432 / 0.036, 1e3);
}

struct LossCase {
  std::uint64_t lost;
  std::uint64_t sent;
  double counted;
};

class CountedLoss : public ::testing::TestWithParam<LossCase> {};

TEST_P(CountedLoss, OnlyWhenTheLowerBoundIsAboveOneInAThousand) {
  Links links = Links().Line("hk", "sg", 36, 36);
  links.At("hk", "sg").reverse.loss = MakeLossInterval(GetParam().lost, GetParam().sent);
  EXPECT_NEAR(Estimate(links.Snapshot()).loss_ratio, GetParam().counted, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Cases, CountedLoss,
                         ::testing::Values(LossCase{0, 0, 0}, LossCase{0, 1000, 0},
                                           // lower bound 0.00018
                                           LossCase{1, 1000, 0},
                                           // lower bound 0.00109
                                           LossCase{3, 1000, 0.003}, LossCase{50, 1000, 0.05}));

TEST(EstimateLine, GoBackNMultipliesALoss) {
  Links links = Links().Line("hk", "sg", 36, 36);
  links.At("hk", "sg").forward.loss = MakeLossInterval(50, 1000);
  // W = 125e6 x 0.036 / 4096 = 1098.63; f = 0.95 / (0.95 + 0.05 x 1098.63) = 0.0170
  EXPECT_NEAR(Estimate(links.Snapshot()).bytes_per_second, 125e6 * 0.95 / (0.95 + 54.93164), 10);
}

struct StateCase {
  LinkState there;
  LinkState back;
  LinkState line;
};

class LineState : public ::testing::TestWithParam<StateCase> {};

TEST_P(LineState, IsTheWorseUnlessProbesReturnTheOtherWay) {
  Links links = Links().Line("hk", "sg", 36, 36);
  links.At("hk", "sg").state = GetParam().there;
  links.At("sg", "hk").state = GetParam().back;
  EXPECT_EQ(StateOfLine(links.Snapshot(), "hk", "sg"), GetParam().line);
  EXPECT_EQ(StateOfLine(links.Snapshot(), "sg", "hk"), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, LineState,
    ::testing::Values(StateCase{LinkState::kUnknown, LinkState::kUnknown, LinkState::kUnknown},
                      StateCase{LinkState::kUnknown, LinkState::kHealthy, LinkState::kHealthy},
                      StateCase{LinkState::kHealthy, LinkState::kDegraded, LinkState::kDegraded},
                      StateCase{LinkState::kDown, LinkState::kDown, LinkState::kDown},
                      StateCase{LinkState::kDown, LinkState::kUnknown, LinkState::kDown},
                      StateCase{LinkState::kDown, LinkState::kHealthy, LinkState::kDegraded},
                      StateCase{LinkState::kSuspect, LinkState::kDown, LinkState::kDegraded}));

TEST(OneWayLatency, IsHalfTheRttAtTheQuantileOfTheSlowestOfN) {
  LineEstimate line;
  line.rtt_p50_seconds = 0.036;
  line.rtt_p99_seconds = 0.046;
  EXPECT_DOUBLE_EQ(OneWayLatency(line, 1), 0.018);
  // z = ln(3/2) / ln 50 = 0.103647
  EXPECT_NEAR(OneWayLatency(line, 2), 0.018 + 0.103647 * 0.005, 1e-8);
  EXPECT_DOUBLE_EQ(OneWayLatency(line, 99), 0.023);
  EXPECT_DOUBLE_EQ(OneWayLatency(line, 100000), 0.023);
}

TEST(OneWayLatency, ADegradedLineIsTakenAtItsP99AndADownLineIsHopeless) {
  LineEstimate line;
  line.rtt_p50_seconds = 0.036;
  line.rtt_p99_seconds = 0.046;
  line.state = LinkState::kDegraded;
  EXPECT_DOUBLE_EQ(OneWayLatency(line, 1), 0.023);
  line.state = LinkState::kDown;
  EXPECT_DOUBLE_EQ(OneWayLatency(line, 1), 10);
}

TEST(OneWayLatency, LossCostsItsTimeouts) {
  LineEstimate line;
  line.rtt_p50_seconds = line.rtt_p99_seconds = 0.036;
  line.loss_ratio = 0.05;
  EXPECT_NEAR(OneWayLatency(line, 1), 0.018 + 0.05 * 1.073741824, 1e-12);
}

}  // namespace
}  // namespace fairlead::extender
