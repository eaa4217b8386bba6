#include "linkprobe/metrics/counter_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <set>
#include <sstream>

#include "linkprobe/counter_files/sysfs_counters.h"
#include "tests/linkprobe/counters/host_tree.h"
#include "tests/linkprobe/fakes/manual_clock.h"

namespace fairlead::linkprobe {
namespace {

using testing::HasSubstr;
using testing::Not;

class CounterMetricsTest : public testing::Test {
 protected:
  void Read() {
    const CounterReading reading = ReadSysfsCounters(tree_.root(), clock_);
    state_ = {.at = clock_.Now(), .took = reading.took, .ports = tracker_.Advance(reading)};
    state_.totals = tracker_.totals();
  }
  std::string Scrape() const {
    FamilySet families("fairlead_linkprobe_");
    AddCounterMetrics(state_, "hk", clock_.Now(), clock_.WallNow(), families);
    return prometheus::TextSerializer().Serialize(families.Take());
  }

  ManualClock clock_;
  HostTree tree_;
  CounterTracker tracker_;
  CounterState state_;
};

TEST_F(CounterMetricsTest, ShowsCountersInBaseUnits) {
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1000"}, {"symbol_error", "2"}});
  tree_.Port("mlx5_0", "1", "hw_counters", {{"roce_adp_retrans", "17"}, {"bad", "text"}});
  tree_.Write("sys/class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n");
  Read();
  const std::string text = Scrape();
  const std::string port = R"(device="mlx5_0",port="1")";
  for (const std::string& line :
       {"fairlead_linkprobe_hca_transmit_bytes_total{" + port +
            R"(,source="counters",counter="port_xmit_data"} 4000)",
        "fairlead_linkprobe_hca_symbol_error_total{" + port +
            R"(,source="counters",counter="symbol_error"} 2)",
        "fairlead_linkprobe_hca_roce_adp_retrans_total{" + port +
            R"(,source="hw_counters",counter="roce_adp_retrans"} 17)",
        "fairlead_linkprobe_hca_rate_bytes_per_second{" + port + "} 50000000000",
        "fairlead_linkprobe_counter_files_unreadable{" + port + "} 1",
        std::string("fairlead_linkprobe_counters_read_timestamp_seconds 1800001000")}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(CounterMetricsTest, NoSeriesIsThereTwice) {
  // Names that mean the same, and names that look the same as a metric's.
  tree_.Port("x0", "1", "counters", {{"a-b", "1"}, {"a_b", "2"}, {"port_xmit_data", "1"}});
  tree_.Port("x0", "1", "hw_counters",
             {{"tx_bytes", "1"}, {"rdma_tx_bytes", "2"}, {"tx_pkts", "3"}, {"sent_pkts", "4"}});
  Read();
  std::set<std::string> seen;
  std::istringstream lines(Scrape());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    EXPECT_TRUE(seen.insert(line.substr(0, line.rfind(' '))).second) << line;
  }
  EXPECT_GE(seen.size(), 8U);
}

TEST_F(CounterMetricsTest, AnOldReadingIsShownNoMore) {
  tree_.Port("mlx5_0", "1", "counters", {{"port_xmit_data", "1000"}});
  Read();
  clock_.Advance(kCountersKept);
  EXPECT_THAT(Scrape(), HasSubstr("hca_transmit_bytes_total{"));
  clock_.Advance(Seconds(1));
  EXPECT_THAT(Scrape(), Not(HasSubstr("hca_transmit_bytes_total{")));
  EXPECT_THAT(Scrape(), HasSubstr("counters_read_timestamp_seconds"));
}

TEST_F(CounterMetricsTest, ShowsWhatIsMadeOfThem) {
  Read();
  PortOpinion opinion{.device = "mlx5_0", .port = 1};
  opinion.traffic = {.transmit_bytes_per_second = 5e6, .receive_bytes_per_second = 6e6};
  opinion.transmit.transport = LossInterval{.lost = 1, .sent = 4, .ratio = 0.25, .lower = 0.125};
  opinion.transmit.fused = FusedLoss{*opinion.transmit.transport, LossSource::kTransport, true};
  opinion.retransmission.verdict = RetransmissionVerdict::kAdaptiveTimer;
  state_.opinions = {opinion};
  state_.lines = {{.other_site = "sg",
                   .declared_bytes_per_second = 1e9,
                   .transmit_ratio = 0.5,
                   .doubt = DeclaredRateDoubt::kExceeded}};
  const std::string text = Scrape();
  const std::string port = R"(device="mlx5_0",port="1")";
  const std::string line = R"(src_site="hk",dst_site="sg")";
  for (const std::string& expected :
       {"hca_traffic_bytes_per_second{" + port +
            R"(,direction="transmit",source="counters"} 5000000)",
        "transport_loss_ratio{" + port + R"(,direction="transmit"} 0.25)",
        "transport_loss_ratio_lower{" + port + R"(,direction="transmit"} 0.125)",
        "fused_loss_ratio_upper{" + port + R"(,direction="transmit",source="transport"} 1)",
        "loss_sources_disagree{" + port + R"(,direction="transmit"} 1)",
        "spurious_retransmission{" + port + R"(,cause="adaptive_timer"} 1)",
        "spurious_retransmission{" + port + R"(,cause="peers"} 0)",
        "line_declared_bytes_per_second{" + line + "} 1000000000",
        "line_use_ratio{" + line + R"(,direction="transmit"} 0.5)",
        "line_declared_doubt{" + line + R"(,doubt="exceeded"} 1)",
        "line_declared_doubt{" + line + R"(,doubt="absent"} 0)"}) {
    EXPECT_THAT(text, HasSubstr("fairlead_linkprobe_" + expected));
  }
  EXPECT_THAT(text, Not(HasSubstr(R"(direction="receive"} 0.25)")));
}

TEST_F(CounterMetricsTest, NothingIsShownBeforeTheFirstReading) { EXPECT_EQ(Scrape(), ""); }

}  // namespace
}  // namespace fairlead::linkprobe
