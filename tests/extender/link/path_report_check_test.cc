#include "extender/link/path_report_check.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::Ms;
using sample::Path;
using ::testing::HasSubstr;

TEST(CheckPath, TakesAnHonestPath) { EXPECT_TRUE(CheckPath("hk1", Path("sg1", "sg", 36))); }

TEST(CheckPath, TakesAPathOfWhichNothingIsKnown) {
  PathReport path;
  path.peer_node = "sg1";
  path.peer_site = "sg";
  EXPECT_TRUE(CheckPath("hk1", path));
}

struct BadPath {
  const char* name;
  std::function<void(PathReport&)> spoil;
  const char* complaint;
};

class CheckPathRefuses : public ::testing::TestWithParam<BadPath> {};

TEST_P(CheckPathRefuses, And) {
  PathReport path = Path("sg1", "sg", 36);
  GetParam().spoil(path);
  const Status status = CheckPath("hk1", path);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(status.error().message, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CheckPathRefuses,
    ::testing::Values(
        BadPath{"no_peer", [](PathReport& p) { p.peer_node.clear(); }, "peer node is empty"},
        BadPath{"no_site", [](PathReport& p) { p.peer_site.clear(); }, "peer site is empty"},
        BadPath{"itself", [](PathReport& p) { p.peer_node = "hk1"; }, "its own peer"},
        BadPath{"negative_rtt", [](PathReport& p) { p.measurement.rtt_min = Ms(-1); },
                "RTT minimum"},
        BadPath{"zero_rtt", [](PathReport& p) { p.measurement.rtt_min = Ms(0); }, "RTT minimum"},
        BadPath{"endless_rtt", [](PathReport& p) { p.measurement.rtt_p99 = Ms(4e6); }, "RTT p99"},
        BadPath{"min_above_p50", [](PathReport& p) { p.measurement.rtt_min = Ms(37); },
                "exceeds p50"},
        BadPath{"p50_above_p99", [](PathReport& p) { p.measurement.rtt_p99 = Ms(35.9); },
                "exceeds p99"},
        BadPath{"lost_above_sent", [](PathReport& p) { p.measurement.forward.loss.lost = 601; },
                "lost 601 of 600"},
        BadPath{"overflowing_sent",
                [](PathReport& p) {
                  p.measurement.reverse.loss.sent = std::numeric_limits<std::uint64_t>::max();
                },
                "reverse sent count"},
        BadPath{"overflowing_count",
                [](PathReport& p) {
                  p.measurement.forward.late = std::numeric_limits<std::uint64_t>::max();
                },
                "forward packet count"},
        BadPath{"overflowing_samples",
                [](PathReport& p) {
                  p.measurement.samples = std::numeric_limits<std::uint64_t>::max();
                },
                "sample count"},
        BadPath{"negative_jitter", [](PathReport& p) { p.measurement.reverse.jitter = Ms(-1); },
                "reverse jitter"},
        BadPath{"negative_age", [](PathReport& p) { p.measurement.age = Ms(-1); }, "last reply"},
        BadPath{"negative_state_age", [](PathReport& p) { p.state_age = Ms(-1); },
                "age of the state"},
        BadPath{"endless_age", [](PathReport& p) { p.measurement.age = Nanoseconds::max(); },
                "age of the last reply is impossible"},
        BadPath{"endless_state_age", [](PathReport& p) { p.state_age = Nanoseconds::max(); },
                "age of the state is impossible"},
        BadPath{"endless_window", [](PathReport& p) { p.measurement.window = Nanoseconds::max(); },
                "window is impossible"},
        BadPath{"endless_prober_delay",
                [](PathReport& p) { p.measurement.prober_delay_p50 = Nanoseconds::max(); },
                "prober delay"},
        BadPath{"endless_responder_delay",
                [](PathReport& p) { p.measurement.responder_delay_p50 = Nanoseconds::max(); },
                "responder delay"},
        BadPath{"hops_beyond_a_byte", [](PathReport& p) { p.measurement.forward.hops = 256; },
                "forward hop count"},
        BadPath{"traffic_class_beyond_a_byte", [](PathReport& p) { p.traffic_class = 256; },
                "traffic class"},
        BadPath{"endless_bandwidth", [](PathReport& p) { p.available_bytes_per_second = 1e18; },
                "available bandwidth"},
        BadPath{"bandwidth_not_a_number",
                [](PathReport& p) {
                  p.available_bytes_per_second = std::numeric_limits<double>::quiet_NaN();
                },
                "available bandwidth"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fairlead::extender
