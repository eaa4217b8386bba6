#include "linkprobe/counter_files/counter_watch.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/linkprobe/fakes/manual_clock.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

CounterPorts Ports(std::function<CounterReading()> read) {
  const std::vector<LineConfig> lines{
      {.site_a = "hk", .site_b = "sg", .capacity_bits_per_second = 640}};
  return {.read = std::move(read),
          .probes = [] { return std::vector<ProbedPort>{}; },
          .lines = [lines](const auto& traffic) { return UseOfLines("hk", lines, traffic); }};
}

TEST(CounterWatchTest, ReadsAgainAndAgainAndKnowsWhatWasCounted) {
  ManualClock clock;
  std::atomic<std::uint64_t> words = 0;
  const auto read = [&] {
    clock.Advance(Seconds(5));
    PortReading port{.device = "mlx5_0", .at = clock.Now()};
    words += 100;
    port.values = {{CounterSource::kPort, "port_xmit_data", words},
                   {CounterSource::kPort, "port_rcv_data", words}};
    return CounterReading{.ports = {port}, .took = Milliseconds(3)};
  };
  const CounterWatch watch(Ports(read), clock, Milliseconds(1));
  ASSERT_TRUE(WaitFor([&] {
    const auto state = watch.Latest();
    return state->read() && state->ports.size() == 1 &&
           state->ports[0].Counted(CounterSource::kPort, "port_xmit_data") == 100U;
  }));
  const auto state = watch.Latest();
  EXPECT_EQ(state->took, Milliseconds(3));
  ASSERT_TRUE(state->traffic);
  EXPECT_EQ(state->traffic->transmit_bytes_per_second, 80);
  ASSERT_EQ(state->opinions.size(), 1U);
  EXPECT_EQ(state->opinions[0].traffic.receive_bytes_per_second, 80);
  ASSERT_EQ(state->lines.size(), 1U);
  EXPECT_EQ(state->lines[0].transmit_ratio, 1);
}

TEST(CounterWatchTest, AReadingThatFailedIsPublishedWithItsProblem) {
  ManualClock clock;
  const CounterWatch watch(Ports([] { return CounterReading{.problem = "no"}; }), clock,
                           Seconds(3600));
  ASSERT_TRUE(WaitFor([&] { return watch.Latest()->read(); }));
  EXPECT_EQ(watch.Latest()->problem, "no");
  EXPECT_TRUE(watch.Latest()->ports.empty());
}

}  // namespace
}  // namespace fairlead::linkprobe
