#include "extender/link_status/link_change.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/extender/link_status/sample_objects.h"

namespace fairlead::extender {
namespace {

LinkObject Sample() {
  LinkObject object = sample::HkSg(sample::ReportedLab());
  for (LinkWay* const way : {&object.forward, &object.reverse}) {
    way->jitter = Milliseconds(2);
    way->loss = 0.001;
    way->bandwidth = LineRate{.bytes_per_second = 1e9, .source = RateSource::kTrain};
  }
  return object;
}

TEST(LinkChange, StatesAtOnceAndValuesByAShare) {
  using enum LinkChange;
  const struct {
    const char* what;
    std::function<void(LinkWay&)> edit;
    LinkChange change;
  } kCases[] = {
      {"nothing", [](LinkWay&) {}, kNone},
      {"ages alone",
       [](LinkWay& way) {
         way.report_age = Seconds(9);
         way.state_age = Seconds(900);
         way.bandwidth->age = Seconds(5);
       },
       kNone},
      {"evidence alone", [](LinkWay& way) { way.evidence = "p50 36.1 ms"; }, kNone},
      {"state", [](LinkWay& way) { way.state = LinkState::kDegraded; }, kState},
      {"reason", [](LinkWay& way) { way.reason = LinkReason::kHoldDown; }, kState},
      {"rung", [](LinkWay& way) { way.rung = TransportRung::kUdpSw; }, kState},
      {"no report", [](LinkWay& way) { way.report_age.reset(); }, kState},
      {"bandwidth's source", [](LinkWay& way) { way.bandwidth->source = RateSource::kSaturation; },
       kState},
      {"RTT by 5 %", [](LinkWay& way) { way.rtt_p50 = sample::Ms(37.8); }, kNone},
      {"RTT by 12 %", [](LinkWay& way) { way.rtt_p50 = sample::Ms(40.4); }, kValue},
      {"RTT gone", [](LinkWay& way) { way.rtt_p50.reset(); }, kValue},
      {"p99 by a quarter", [](LinkWay& way) { way.rtt_p99 = sample::Ms(45); }, kNone},
      {"p99 twice", [](LinkWay& way) { way.rtt_p99 = sample::Ms(72); }, kValue},
      {"jitter by 0.9 ms", [](LinkWay& way) { way.jitter = sample::Ms(2.9); }, kNone},
      {"jitter by 1.1 ms", [](LinkWay& way) { way.jitter = sample::Ms(3.1); }, kValue},
      {"loss by a third", [](LinkWay& way) { way.loss = 0.0013; }, kNone},
      {"loss twice", [](LinkWay& way) { way.loss = 0.002; }, kValue},
      {"loss ends", [](LinkWay& way) { way.loss = 0; }, kValue},
      {"bandwidth by 5 %", [](LinkWay& way) { way.bandwidth->bytes_per_second = 0.95e9; }, kNone},
      {"bandwidth by 20 %", [](LinkWay& way) { way.bandwidth->bytes_per_second = 0.8e9; }, kValue},
  };
  for (const auto& c : kCases) {
    for (LinkWay LinkObject::*way : {&LinkObject::forward, &LinkObject::reverse}) {
      LinkObject after = Sample();
      c.edit(after.*way);
      EXPECT_EQ(ChangeBetween(Sample(), after), c.change) << c.what;
    }
  }
}

TEST(LinkChange, AStateCountsBeforeAValue) {
  LinkObject after = Sample();
  after.forward.rtt_p50 = Seconds(1);
  after.reverse.state = LinkState::kDown;
  EXPECT_EQ(ChangeBetween(Sample(), after), LinkChange::kState);
}

}  // namespace
}  // namespace fairlead::extender
