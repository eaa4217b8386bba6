#include "linkprobe/counter_files/sysfs_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "linkprobe/counter_files/number_file.h"
#include "tests/linkprobe/counters/host_tree.h"
#include "tests/linkprobe/fakes/manual_clock.h"

namespace fairlead::linkprobe {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

class SysfsCountersTest : public testing::Test {
 protected:
  CounterReading Read() const { return ReadSysfsCounters(tree_.root(), clock_); }

  ManualClock clock_;
  HostTree tree_;
};

TEST_F(SysfsCountersTest, ReadsBothFoldersOfEachPort) {
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1000"}, {"port_rcv_packets", "7"}});
  tree_.Port("mlx5_0", "1", "hw_counters", {{"out_of_sequence", "3"}, {"lifespan", "10"}});
  tree_.Port("mlx5_0", "2", "counters", {{"port_xmit_data", "18446744073709551615"}});
  tree_.Port("bnxt_re0", "1", "hw_counters", {{"tx_bytes", "12"}});
  tree_.Write("sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n");
  tree_.Netdev("mlx5_0", "1", "eth2");
  const CounterReading reading = Read();
  ASSERT_EQ(reading.ports.size(), 3U);
  EXPECT_EQ(reading.ports[0].device, "bnxt_re0");
  const PortReading& port = reading.ports[1];
  EXPECT_EQ(port.device, "mlx5_0");
  EXPECT_EQ(port.port, 1U);
  EXPECT_EQ(port.netdev, "eth2");
  EXPECT_EQ(port.at, clock_.Now());
  EXPECT_EQ(port.rate_bytes_per_second, 12.5e9);
  EXPECT_THAT(port.values,
              UnorderedElementsAre(CounterValue{CounterSource::kPort, "port_xmit_data", 1000},
                                   CounterValue{CounterSource::kPort, "port_rcv_packets", 7},
                                   CounterValue{CounterSource::kHardware, "out_of_sequence", 3},
                                   CounterValue{CounterSource::kHardware, "lifespan", 10}));
  EXPECT_EQ(port.unreadable, 0U);
  EXPECT_EQ(reading.ports[2].values.at(0).value, 18446744073709551615U);
  EXPECT_EQ(reading.problem, "");
}

TEST_F(SysfsCountersTest, AHostWithoutRdmaIsNoFault) {
  EXPECT_TRUE(Read().ports.empty());
  EXPECT_EQ(Read().problem, "");
  tree_.Write("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
  EXPECT_TRUE(Read().ports.empty()) << "a device without ports";
}

TEST_F(SysfsCountersTest, OneBadFileHarmsNoOther) {
  tree_.Port("mlx5_0", "1", "counters",
             {{"port_xmit_data", "1000"},
              {"a_empty", ""},
              {"b_text", "N/A (no PMA)"},
              {"c_negative", "-1"},
              {"d_larger_than_64_bits", "18446744073709551616"},
              {"e_huge", std::string(1 << 20, '1')},
              {"f_hexadecimal", "0x10"},
              {"g_two", "1 2"}});
  const std::string folder = tree_.root() + "/sys/class/infiniband/mlx5_0/ports/1/counters/";
  tree_.Write("sys/class/infiniband/mlx5_0/ports/1/counters/h_folder/inside", "1");
  ASSERT_EQ(mkfifo((folder + "i_pipe").c_str(), 0644), 0);
  std::filesystem::create_symlink("nowhere", folder + "j_dangling");
  std::filesystem::create_symlink("j_circle", folder + "j_circle");
  const CounterReading reading = Read();
  ASSERT_EQ(reading.ports.size(), 1U);
  EXPECT_THAT(reading.ports[0].values,
              UnorderedElementsAre(CounterValue{CounterSource::kPort, "port_xmit_data", 1000}));
  EXPECT_EQ(reading.ports[0].unreadable, 11U);
  EXPECT_THAT(reading.ports[0].problem, HasSubstr("a_empty"));
}

TEST_F(SysfsCountersTest, ANameThatNoMetricCanShowIsPassedOver) {
  tree_.Port("mlx5_0", "1", "counters", {{"good", "1"}, {"bad\xff", "2"}, {"b c", "3"}});
  EXPECT_THAT(Read().ports.at(0).values,
              UnorderedElementsAre(CounterValue{CounterSource::kPort, "good", 1}));
}

TEST_F(SysfsCountersTest, TheInterfaceCountsWhereThereIsNoCountersFolder) {
  tree_.Port("rxe0", "1", "hw_counters", {{"sent_pkts", "5"}});
  tree_.Netdev("rxe0", "1", "eth1");
  tree_.Statistics("eth1", {{"tx_bytes", "900"}, {"rx_bytes", "800"}});
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1"}});
  tree_.Netdev("mlx5_0", "1", "eth2");
  tree_.Statistics("eth2", {{"tx_bytes", "1"}});
  const CounterReading reading = Read();
  ASSERT_EQ(reading.ports.size(), 2U);
  EXPECT_EQ(reading.ports[0].values.size(), 1U) << "mlx5_0 has its own";
  EXPECT_THAT(reading.ports[1].values,
              UnorderedElementsAre(CounterValue{CounterSource::kHardware, "sent_pkts", 5},
                                   CounterValue{CounterSource::kNetdev, "tx_bytes", 900},
                                   CounterValue{CounterSource::kNetdev, "rx_bytes", 800}));
}

TEST_F(SysfsCountersTest, AnInterfaceOfTwoDevicesIsReadOnce) {
  for (const char* device : {"rxe0", "rxe1"}) {
    tree_.Port(device, "1", "hw_counters", {{"sent_pkts", "5"}});
    tree_.Netdev(device, "1", "eth1");
  }
  tree_.Statistics("eth1", {{"tx_bytes", "900"}});
  const CounterReading reading = Read();
  EXPECT_EQ(reading.ports.at(0).values.size(), 2U);
  EXPECT_EQ(reading.ports.at(1).values.size(), 1U);
}

TEST_F(SysfsCountersTest, AnInterfaceNameLeadsNowhereElse) {
  tree_.Port("rxe0", "1", "hw_counters", {{"sent_pkts", "5"}});
  tree_.Netdev("rxe0", "1", "../../secret");
  tree_.Write("sys/secret/statistics/tx_bytes", "1");
  EXPECT_EQ(Read().ports.at(0).netdev, "");
  EXPECT_EQ(Read().ports.at(0).values.size(), 1U);
}

TEST_F(SysfsCountersTest, APortThatIsMadeAnewIsAnotherOne) {
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1"}});
  const std::uint64_t before = Read().ports.at(0).incarnation;
  EXPECT_EQ(Read().ports.at(0).incarnation, before);
  const std::string ports = tree_.root() + "/sys/class/infiniband/mlx5_0/ports";
  std::filesystem::rename(ports + "/1", tree_.root() + "/kept");
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1"}});
  EXPECT_NE(Read().ports.at(0).incarnation, before);
}

TEST_F(SysfsCountersTest, ThousandsOfFilesAreBounded) {
  for (int i = 0; i < 600; ++i) {
    tree_.Port("mlx5_0", "1", "counters", {{("c" + std::to_string(i)).c_str(), "1"}});
  }
  EXPECT_EQ(Read().ports.at(0).values.size(), 512U);
}

TEST(PortRateTest, ReadsWhatTheKernelWrites) {
  EXPECT_EQ(ParsePortRate("100 Gb/sec (4X EDR)"), 12.5e9);
  EXPECT_EQ(ParsePortRate("2.5 Gb/sec (1X SDR)"), 312.5e6);
  EXPECT_EQ(ParsePortRate("0 Gb/sec"), std::nullopt);
  for (const char* odd : {"", "100", "-1 Gb/sec", "fast Gb/sec", "nan Gb/sec", "100 Mb/sec"}) {
    EXPECT_EQ(ParsePortRate(odd), std::nullopt) << odd;
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
