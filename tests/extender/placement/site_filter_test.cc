#include "extender/placement/site_filter.h"

#include <gmock/gmock.h>

#include "extender/placement/line_occupancy.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Lab;
using sample::Links;
using sample::Ms;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PlacementRequest Request(LineLimits limits = {}) {
  PlacementRequest request;
  request.has_gang = true;
  request.limits = limits;
  request.members = {{"hk", 2}};
  request.candidate_sites = {"tyo", "sg", "hk", "sg"};
  return request;
}

auto Refused(const char* site, RefusalCause cause, const char* reason) {
  return AllOf(Field(&SiteRefusal::site, site), Field(&SiteRefusal::cause, cause),
               Field(&SiteRefusal::reason, HasSubstr(reason)));
}

Links WithDownLine() { return Lab().State("hk", "sg", LinkState::kDown, LinkReason::kNoReply); }

TEST(FilterSites, HealthyLinesRefuseNothing) {
  EXPECT_THAT(FilterSites(Request(), Lab().Snapshot()), IsEmpty());
}

TEST(FilterSites, ADownLineRefusesTheSiteBehindIt) {
  EXPECT_THAT(FilterSites(Request(), WithDownLine().Snapshot()),
              ElementsAre(Refused("sg", RefusalCause::kLineDown, "line hk-sg to 2 members")));
}

TEST(FilterSites, DownOneWayWithRepliesTheOtherWayIsNotDown) {
  Links links = Lab();
  links.At("hk", "sg").state = LinkState::kDown;
  EXPECT_THAT(FilterSites(Request(), links.Snapshot()), IsEmpty());
}

TEST(FilterSites, DegradedUnknownAndUnmeasuredNeverRefuse) {
  Links links = Lab().State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep);
  EXPECT_THAT(FilterSites(Request(), links.Snapshot()), IsEmpty());
  links.State("hk", "sg", LinkState::kUnknown, LinkReason::kNoData);
  EXPECT_THAT(FilterSites(Request(), links.Snapshot()), IsEmpty());
  LineLimits strict{Ms(1), Ms(0.001), 1e12};
  EXPECT_THAT(FilterSites(Request(strict), {}), IsEmpty());
}

TEST(FilterSites, WithoutGangOrMembersNothingIsRefused) {
  PlacementRequest request = Request({.max_rtt = Ms(1)});
  request.has_gang = false;
  EXPECT_THAT(FilterSites(request, WithDownLine().Snapshot()), IsEmpty());
  request.has_gang = true;
  request.members = {{"hk", 0}};
  EXPECT_THAT(FilterSites(request, WithDownLine().Snapshot()), IsEmpty());
}

TEST(FilterSites, ALowerBoundOfWhatIsAvailableRefusesNothingATestedRateDoes) {
  Links links = Lab();
  LinkView& view = links.At("hk", "sg");
  view.capacity_bytes_per_second = 125e6;
  view.rate = LineRate{.bytes_per_second = 125e6};
  view.available_bytes_per_second = 1e6;
  view.available_at_least = true;
  const LineLimits limits{.min_bytes_per_second = 50e6};
  EXPECT_THAT(FilterSites(Request(limits), links.Snapshot()), IsEmpty());
  view.rate = LineRate{.bytes_per_second = 40e6, .source = RateSource::kTrain};
  EXPECT_THAT(FilterSites(Request(limits), links.Snapshot()), SizeIs(1));
  view.rate->at_least = true;
  EXPECT_THAT(FilterSites(Request(limits), links.Snapshot()), IsEmpty());
}

TEST(FilterSites, ThePodsOwnLimitsRefuseWithTheNumbers) {
  EXPECT_THAT(FilterSites(Request({.max_rtt = Ms(40)}), Lab().Snapshot()),
              ElementsAre(Refused("tyo", RefusalCause::kPodLimit,
                                  "RTT p50 50 ms exceeds fairlead.dev/max-rtt 40 ms")));
  Links jittery = Lab();
  jittery.At("sg", "hk").reverse.jitter = Ms(7);
  EXPECT_THAT(FilterSites(Request({.max_jitter = Ms(5)}), jittery.Snapshot()),
              ElementsAre(Refused("sg", RefusalCause::kPodLimit,
                                  "jitter 7 ms exceeds fairlead.dev/max-jitter 5 ms")));
  Links narrow = Lab();
  narrow.At("hk", "sg").available_bytes_per_second = 125e6;
  narrow.At("hk", "tyo").capacity_bytes_per_second = 1.25e9;
  narrow.At("tyo", "hk").capacity_bytes_per_second = 1.25e9;
  EXPECT_THAT(FilterSites(Request({.min_bytes_per_second = 1.25e9}), narrow.Snapshot()),
              ElementsAre(Refused("sg", RefusalCause::kPodLimit,
                                  "bandwidth 1 Gbps is below fairlead.dev/min-bandwidth 10 Gbps")));
}

TEST(FilterSites, ALimitThatIsJustMetIsMet) {
  EXPECT_THAT(FilterSites(Request({.max_rtt = Ms(50)}), Lab().Snapshot()), IsEmpty());
}

TEST(FilterSites, EveryMemberCounts) {
  PlacementRequest request = Request({.max_rtt = Ms(60)});
  request.members = {{"hk", 1}, {"sg", 1}};
  request.candidate_sites = {"tyo"};
  EXPECT_THAT(FilterSites(request, Lab().Snapshot()),
              ElementsAre(Refused("tyo", RefusalCause::kPodLimit, "line sg-tyo to 1 member of")));
}

TEST(CountCrossings, EachGangOnceOnEachOfItsLines) {
  const LineOccupancy occupancy = CountCrossings({{{"hk", 5}, {"sg", 1}},
                                                  {{"hk", 1}, {"sg", 1}, {"tyo", 1}},
                                                  {{"hk", 8}},
                                                  {{"hk", 1}, {"tyo", 0}}});
  EXPECT_EQ(occupancy, (LineOccupancy{{{"hk", "sg"}, 2}, {{"hk", "tyo"}, 1}, {{"sg", "tyo"}, 1}}));
}

}  // namespace
}  // namespace fairlead::extender
