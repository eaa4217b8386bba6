#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "tests/deviceplugin/metrics/full_node.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(NodeMetricsTest, ShowsDevicesAndTheirHealth) {
  const std::string text = FullNode().Scrape();
  for (const char* line : {
           R"(info{version="1.2.3",node="hk-1"} 1)",
           R"(device_info{device="mlx5_0",id="mlx5_0-id",driver="mlx5_core",)"
           R"(protocol="infiniband",pci="0000:3b:00.0",numa_node="1",firmware="28.39.1002"} 1)",
           R"(device_info{device="mlx5_1",id="mlx5_1-id",driver="",)"
           R"(protocol="infiniband",pci="",numa_node="",firmware=""} 1)",
           R"(device_healthy{device="mlx5_0"} 1)",
           R"(device_healthy{device="mlx5_1"} 0)",
           R"(device_ailment{device="mlx5_1",reason="port_down"} 1)",
           R"(port_up{device="mlx5_0",port="1"} 1)",
           R"(port_up{device="mlx5_1",port="1"} 0)",
           R"(port_rate_bits_per_second{device="mlx5_0",port="1"} 400000000000)",
           R"(device_left_out{device="mlx5_1",pool="rdma/a",reason="driver"} 1)",
           R"(device_left_out{device="mlx5_1",pool="rdma/b",reason="link_type"} 1)",
           R"(pool_overlap{device="mlx5_0",kept_by="rdma/a",wanted_by="rdma/b"} 1)",
           R"(pool_overlap{device="mlx5_0",kept_by="rdma/a",wanted_by="rdma/c"} 1)",
           R"(gpu_healthy{gpu="GPU-1",index="0"} 1)",
           R"(nic_bad{device="mlx5_0",port="1"} 1)",
           "probe_listening 1",
           R"(probe_verdicts_total{result="taken"} 6)",
           "read_problems 2",
           "node_reads_total 7",
           "node_read_seconds 0.025",
       }) {
    EXPECT_THAT(text, HasSubstr("\nfairlead_deviceplugin_" + std::string(line) + "\n"));
  }
  EXPECT_THAT(text, Not(HasSubstr(R"(device_ailment{device="mlx5_0")")));
}

TEST(NodeMetricsTest, ShowsWhatKubeletHas) {
  const std::string text = FullNode().Scrape();
  for (const char* line : {
           R"(devices{resource="rdma/hca",health="healthy"} 2)",
           R"(devices{resource="rdma/hca",health="unhealthy"} 1)",
           "kubelet_present 1",
           R"(registered{resource="rdma/hca"} 1)",
           R"(connected{resource="rdma/hca"} 1)",
           R"(registrations_total{resource="rdma/hca",result="taken"} 2)",
           R"(registrations_total{resource="rdma/hca",result="failed"} 1)",
           R"(device_lists_total{resource="rdma/hca"} 5)",
           R"(allocations_total{resource="rdma/hca",result="granted"} 7)",
           R"(allocations_total{resource="rdma/hca",result="refused"} 3)",
           R"(allocate_duration_seconds_count{resource="rdma/hca"} 10)",
           R"(allocate_duration_seconds_sum{resource="rdma/hca"} 0.0025)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="5e-05"} 0)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="0.0001"} 7)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="0.0007"} 7)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="0.001"} 9)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="1"} 9)",
           R"(allocate_duration_seconds_bucket{resource="rdma/hca",le="+Inf"} 10)",
           R"(allocated{namespace="team",pod="trainer-0",container="main",)"
           R"(resource="rdma/hca",id="a-s1"} 1)",
           "pod_resources_polls_total 12",
           "pod_resources_failures_total 4",
           R"(file_failures_total{file="cdi"} 9)",
           R"(file_failures_total{file="nfd"} 8)",
           R"(config_reloads_total{result="applied"} 2)",
           R"(config_reloads_total{result="refused"} 1)",
           R"(config_restart_needed{key="deviceplugin.opsListen"} 1)",
       }) {
    EXPECT_THAT(text, HasSubstr("\nfairlead_deviceplugin_" + std::string(line) + "\n"));
  }
}

TEST(NodeMetricsTest, AVanishedDeviceIsDownAndItsSeriesEndOnceItIsNoLongerListed) {
  FullNode node;
  node.state.watched[0].present = false;
  EXPECT_THAT(node.Scrape(), HasSubstr(R"(port_up{device="mlx5_0",port="1"} 0)"));
  node.state.watched.clear();
  node.state.inventory.hcas.clear();
  node.state.inventory.gpus.clear();
  node.state.match = {};
  node.holdings.holdings.clear();
  node.verdicts.verdicts.clear();
  const std::string text = node.Scrape();
  for (const char* gone : {"mlx5_", "GPU-1", "trainer-0"}) {
    EXPECT_THAT(text, Not(HasSubstr(gone)));
  }
  EXPECT_THAT(text, HasSubstr("fairlead_deviceplugin_read_problems 1\n"));
}

TEST(NodeMetricsTest, ARateThatIsNotToldIsNoSeries) {
  FullNode node;
  for (WatchedHca& watched : node.state.watched) watched.hca.ports[0].rate_bits_per_second = 0;
  EXPECT_THAT(node.Scrape(), Not(HasSubstr("port_rate_bits_per_second")));
}

TEST(NodeMetricsTest, APortThatCannotBeToldIsNoSeries) {
  FullNode node;
  node.state.watched[1].hca.ports[0].state = PortState::kNop;
  const std::string text = node.Scrape();
  EXPECT_THAT(text, HasSubstr(R"(port_up{device="mlx5_0",port="1"} 1)"));
  EXPECT_THAT(text, Not(HasSubstr(R"(port_up{device="mlx5_1")")));
}

TEST(NodeMetricsTest, NothingIsThereYet) {
  FullNode node;
  node.state = {};
  node.offer = {};
  node.kubelet = {};
  node.holdings = {};
  const std::string text = node.Scrape();
  EXPECT_THAT(text, HasSubstr("fairlead_deviceplugin_kubelet_present 0\n"));
  EXPECT_THAT(text, HasSubstr("fairlead_deviceplugin_node_reads_total 0\n"));
}

// A VF made anew takes the name of one that has gone and is still listed.
TEST(NodeMetricsTest, EachSeriesOnceWhereANameHasChangedHands) {
  FullNode node;
  WatchedHca gone = node.state.watched[1];
  gone.id = "0-elsewhere";
  gone.present = gone.healthy = false;
  gone.reason = "removed";
  node.state.watched.insert(node.state.watched.begin(), gone);
  node.state.inventory.hcas.insert(node.state.inventory.hcas.begin(), gone.hca);
  node.state.match.left_out[0].hca = 2;
  node.state.match.left_out.push_back(node.state.match.left_out[0]);
  node.state.match.left_out[1].hca = 0;
  node.state.match.overlaps[0].hca = 1;
  std::set<std::string> series;
  std::istringstream text(node.Scrape());
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with('#')) continue;
    EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
  EXPECT_TRUE(series.contains(
      R"(fairlead_deviceplugin_device_ailment{device="mlx5_1",reason="port_down"})"));
  EXPECT_FALSE(
      series.contains(R"(fairlead_deviceplugin_device_ailment{device="mlx5_1",reason="removed"})"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
