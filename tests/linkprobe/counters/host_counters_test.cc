#include "linkprobe/counter_files/host_counters.h"

#include <gtest/gtest.h>

#include "linkprobe/counter_files/ethtool_statistics.h"
#include "linkprobe/counter_files/probed_ports.h"
#include "tests/linkprobe/counters/host_tree.h"
#include "tests/linkprobe/fakes/manual_clock.h"

namespace fairlead::linkprobe {
namespace {

TEST(HostCountersTest, ReadsTheFilesBelowItsRoot) {
  const ManualClock clock;
  const HostTree tree;
  tree.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1000"}});
  tree.Netdev("mlx5_0", "1", "lo");
  HostCounters host(tree.root(), clock);
  for (int i = 0; i < 2; ++i) {
    const CounterReading reading = host.Read();
    ASSERT_EQ(reading.ports.size(), 1U);
    EXPECT_EQ(reading.ports[0].values,
              (std::vector<CounterValue>{{CounterSource::kPort, "port_xmit_data", 1000}}));
  }
}

TEST(HostCountersTest, ThisHostIsReadWhateverItHas) {
  const SystemClock clock;
  HostCounters host("", clock);
  EXPECT_EQ(host.Read().problem, "");
}

TEST(EthtoolStatisticsTest, AnInterfaceWithoutStatisticsHasNone) {
  EXPECT_TRUE(ReadEthtoolStatistics("lo").empty());
  EXPECT_TRUE(ReadEthtoolStatistics("no-such-if").empty());
  EXPECT_TRUE(ReadEthtoolStatistics(std::string(200, 'x')).empty());
  EXPECT_TRUE(ReadEthtoolStatistics("").empty());
}

TEST(ProbedPortsTest, SumsThePathsOfAnEngineThatPassesOnePort) {
  EngineSnapshot verbs;
  verbs.nic = NicPort{.device = "mlx5_0", .port = 2};
  for (const int lost : {1, 2}) {
    PathStatus& path = verbs.paths.emplace_back();
    path.measurement.forward.loss = {.lost = static_cast<std::uint64_t>(lost), .sent = 100};
    path.measurement.rtt_p50 = Milliseconds(10 * lost);
  }
  const EngineSnapshot udp;  // passes no known port
  const std::vector engines{std::make_shared<const EngineSnapshot>(verbs),
                            std::make_shared<const EngineSnapshot>(udp)};
  const auto probed = ProbedPorts(engines);
  ASSERT_EQ(probed.size(), 1U);
  EXPECT_EQ(probed[0].device, "mlx5_0");
  EXPECT_EQ(probed[0].port, 2U);
  ASSERT_TRUE(probed[0].forward);
  EXPECT_EQ(probed[0].forward->lost, 3U);
  EXPECT_EQ(probed[0].forward->sent, 200U);
  EXPECT_GT(probed[0].forward->lower, 0);
  EXPECT_FALSE(probed[0].reverse) << "nothing was sent";
  EXPECT_EQ(probed[0].rtt, Milliseconds(20));
}

}  // namespace
}  // namespace fairlead::linkprobe
