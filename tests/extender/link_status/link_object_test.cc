#include "extender/link_status/link_object.h"

#include <gmock/gmock.h>

#include "extender/link_status/link_words.h"
#include "tests/extender/link_status/sample_objects.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::Field;

TEST(LinkObjects, AreOneForEachPairOfDifferentSites) {
  sample::Links links = sample::ReportedLab();
  links.Line("hk", "hk", 0.1, 0.2);  // inside a site
  EXPECT_THAT(LinkObjectsOf(links.Snapshot()),
              ElementsAre(Field(&LinkObject::name, "hk-sg"), Field(&LinkObject::name, "hk-tyo"),
                          Field(&LinkObject::name, "sg-tyo")));
  EXPECT_TRUE(LinkObjectsOf({}).empty());
}

TEST(LinkObjects, ADirectionThatIsNotThereIsUnknown) {
  for (const bool forward : {true, false}) {
    LinkSnapshot snapshot;
    snapshot.links.push_back(forward ? sample::View("hk", "sg", 36, 37)
                                     : sample::View("sg", "hk", 36, 37));
    sample::Report(snapshot.links[0]);
    const auto objects = LinkObjectsOf(snapshot);
    ASSERT_EQ(objects.size(), 1U);
    EXPECT_EQ(objects[0].forward.from, "hk");
    EXPECT_EQ(objects[0].reverse.from, "sg");
    const LinkWay& missing = forward ? objects[0].reverse : objects[0].forward;
    EXPECT_EQ(missing.state, LinkState::kUnknown);
    EXPECT_EQ(missing.rtt_p50, std::nullopt);
    EXPECT_EQ(missing.loss, 0) << "what the other end counted of its way back";
    EXPECT_FALSE(IsFresh(objects[0]));
    EXPECT_EQ(WorseWay(objects[0]).state, LinkState::kUnknown) << "not Healthy: half is not known";
  }
}

TEST(LinkObjects, AreAsBadAsTheWorseDirection) {
  using enum LinkState;
  const struct {
    LinkState forward;
    LinkState reverse;
    LinkState worse;
  } kCases[] = {
      {kHealthy, kHealthy, kHealthy}, {kHealthy, kUnknown, kUnknown},
      {kUnknown, kSuspect, kSuspect}, {kSuspect, kDegraded, kDegraded},
      {kDown, kDegraded, kDown},      {kDegraded, kHealthy, kDegraded},
  };
  for (const auto& c : kCases) {
    sample::Links links = sample::ReportedLab();
    links.At("hk", "sg").state = c.forward;
    links.At("sg", "hk").state = c.reverse;
    EXPECT_EQ(WorseWay(sample::HkSg(links)).state, c.worse);
  }
  sample::Links links = sample::ReportedLab().State("hk", "sg", kDegraded, LinkReason::kRttStep);
  links.At("sg", "hk").state_age = Seconds(700);
  EXPECT_EQ(WorseWay(sample::HkSg(links)).from, "sg") << "it is so longer";
}

TEST(LinkObjects, TheNewestReportOfADirectionCounts) {
  sample::Links links = sample::ReportedLab();
  LinkView& view = links.At("hk", "sg");
  view.contributors.resize(3);
  view.contributors[0].age = Seconds(9);
  view.contributors[1].age = Seconds(4);
  view.contributors[2].age = Seconds(7);
  EXPECT_EQ(sample::HkSg(links).forward.report_age, Seconds(4));
  view.contributors.clear();
  EXPECT_EQ(sample::HkSg(links).forward.report_age, std::nullopt);
  view.external = {{.query = "a", .age = Seconds(20), .used = false},
                   {.query = "b", .age = Seconds(40), .used = true}};
  EXPECT_EQ(sample::HkSg(links).forward.report_age, Seconds(40));
}

TEST(LinkWords, TellTheWorseDirection) {
  sample::Links links = sample::ReportedLab();
  LinkView& there = links.At("hk", "sg");
  LinkView& back = links.At("sg", "hk");
  back.rtt_p50 = sample::Ms(36.21);
  there.forward.jitter = sample::Ms(0.25);
  back.forward.loss = MakeLossInterval(2, 1000);
  there.rate = LineRate{.bytes_per_second = 12.5e9, .source = RateSource::kDeclared};
  LinkObject object = sample::HkSg(links);
  EXPECT_EQ(RttText(object), "36.21 ms");
  EXPECT_EQ(JitterText(object), "250 us");
  EXPECT_EQ(LossText(object), "0.20 %");
  EXPECT_EQ(BandwidthText(object), "100 Gbps (declared)");
  EXPECT_EQ(WayText(object.forward), "Healthy 36 ms 0 %");
  EXPECT_EQ(WayText(object.reverse), "Healthy 36.21 ms 0.20 %");
  object.reverse.bandwidth = LineRate{.bytes_per_second = 5e9, .source = RateSource::kTrain};
  EXPECT_EQ(BandwidthText(object), "40 Gbps");
  object.reverse.bandwidth->at_least = true;
  EXPECT_EQ(BandwidthText(object), ">=40 Gbps");
}

TEST(LinkWords, AreEmptyWhereNothingIsKnown) {
  sample::Links links = sample::ReportedLab();
  sample::Silence(links.At("hk", "sg"));
  sample::Silence(links.At("sg", "hk"));
  const LinkObject object = sample::HkSg(links);
  EXPECT_EQ(RttText(object) + JitterText(object) + LossText(object) + BandwidthText(object), "");
  EXPECT_EQ(WayText(object.forward), "Unknown");
}

}  // namespace
}  // namespace fairlead::extender
