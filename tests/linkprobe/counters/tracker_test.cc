#include "linkprobe/counters/tracker.h"

#include <gtest/gtest.h>

#include <random>

namespace fairlead::linkprobe {
namespace {

constexpr MonotonicTime kStart{Seconds(1000)};

class TrackerTest : public testing::Test {
 protected:
  // One reading of mlx5_0 port 1, five seconds after the one before.
  TrackedPort Read(std::vector<CounterValue> values, std::uint64_t incarnation = 1) {
    at_ += Seconds(5);
    PortReading port{.device = "mlx5_0", .port = 1, .incarnation = incarnation, .at = at_};
    port.values = std::move(values);
    const auto ports = tracker_.Advance({.ports = {port}});
    return ports.at(0);
  }
  static CounterValue Sent(std::uint64_t words) {
    return {CounterSource::kPort, "port_xmit_data", words};
  }
  static CounterValue Retries(std::uint64_t value) {
    return {CounterSource::kHardware, "packet_seq_err", value};
  }
  static std::optional<std::uint64_t> Counted(const TrackedPort& port) {
    return port.Counted(CounterSource::kPort, "port_xmit_data");
  }

  MonotonicTime at_ = kStart;
  CounterTracker tracker_;
};

TEST_F(TrackerTest, TheFirstReadingTellsNoCount) {
  const TrackedPort port = Read({Sent(100)});
  EXPECT_EQ(port.interval, Nanoseconds(0));
  EXPECT_EQ(Counted(port), std::nullopt);
  EXPECT_DOUBLE_EQ(port.Find(CounterSource::kPort, "port_xmit_data")->total, 100);
}

TEST_F(TrackerTest, TheNextTellsWhatWasCountedInBetween) {
  Read({Sent(100)});
  const TrackedPort port = Read({Sent(350)});
  EXPECT_EQ(port.interval, Seconds(5));
  EXPECT_EQ(Counted(port), 250U);
}

TEST_F(TrackerTest, AWrapKeepsTheTotalRising) {
  Read({Retries(4'294'967'290)});
  const TrackedPort port = Read({Retries(4)});
  EXPECT_EQ(port.Counted(CounterSource::kHardware, "packet_seq_err"), 10U);
  EXPECT_DOUBLE_EQ(port.Find(CounterSource::kHardware, "packet_seq_err")->total, 4'294'967'300);
  EXPECT_EQ(tracker_.totals().wraps, 1U);
  EXPECT_DOUBLE_EQ(Read({Retries(6)}).counters.at(0).total, 4'294'967'302);
}

TEST_F(TrackerTest, AResetTellsNoCountAndTheNextOneDoes) {
  Read({Sent(1'000'000)});
  const TrackedPort reset = Read({Sent(20)});
  EXPECT_EQ(Counted(reset), std::nullopt);
  EXPECT_DOUBLE_EQ(reset.counters.at(0).total, 20);
  EXPECT_EQ(Counted(Read({Sent(50)})), 30U);
  EXPECT_EQ(tracker_.totals().resets, 1U);
}

TEST_F(TrackerTest, ADriverThatWasLoadedAnewTellsNoCountThoughValuesRose) {
  Read({Sent(100)}, 1);
  const TrackedPort anew = Read({Sent(5000)}, 2);
  EXPECT_EQ(anew.interval, Nanoseconds(0));
  EXPECT_EQ(Counted(anew), std::nullopt);
  EXPECT_EQ(Counted(Read({Sent(5001)}, 2)), 1U);
  EXPECT_EQ(tracker_.totals().resets, 1U);
}

TEST_F(TrackerTest, ACounterThatWasAwayBeginsAnew) {
  Read({Sent(100), Retries(1)});
  EXPECT_EQ(Read({Retries(2)}).Find(CounterSource::kPort, "port_xmit_data"), nullptr);
  const TrackedPort back = Read({Sent(900), Retries(3)});
  EXPECT_EQ(Counted(back), std::nullopt) << "it is not known what it counted meanwhile";
  EXPECT_EQ(back.Counted(CounterSource::kHardware, "packet_seq_err"), 1U);
}

TEST_F(TrackerTest, APortThatWasAwayBeginsAnew) {
  Read({Sent(100)});
  EXPECT_TRUE(tracker_.Advance({}).empty());
  const TrackedPort back = Read({Sent(200)});
  EXPECT_EQ(back.interval, Nanoseconds(0));
  EXPECT_EQ(Counted(back), std::nullopt);
}

TEST_F(TrackerTest, AReadingAtNoLaterTimeTellsNoCount) {
  Read({Sent(100)});
  at_ -= Seconds(5);
  const TrackedPort port = Read({Sent(200)});
  EXPECT_EQ(port.interval, Nanoseconds(0));
  EXPECT_EQ(Counted(port), std::nullopt);
  EXPECT_EQ(Counted(Read({Sent(230)})), 30U);
}

TEST_F(TrackerTest, TheSameNameOfTwoSourcesIsTwoCounters) {
  const std::vector<CounterValue> values{{CounterSource::kPort, "link_downed", 1},
                                         {CounterSource::kHardware, "link_downed", 7}};
  Read(values);
  const TrackedPort port = Read({values[0], {CounterSource::kHardware, "link_downed", 9}});
  EXPECT_EQ(port.Counted(CounterSource::kPort, "link_downed"), 0U);
  EXPECT_EQ(port.Counted(CounterSource::kHardware, "link_downed"), 2U);
}

TEST_F(TrackerTest, WhatIsThereTwiceCountsOnce) {
  const TrackedPort port = Read({Sent(100), Sent(200)});
  EXPECT_EQ(port.counters.size(), 1U);
  const PortReading twice{.device = "mlx5_0", .port = 1, .at = at_ + Seconds(5)};
  EXPECT_EQ(tracker_.Advance({.ports = {twice, twice}}).size(), 1U);
}

TEST_F(TrackerTest, AGaugeTellsNoCount) {
  Read({{CounterSource::kHardware, "active_qps", 5}});
  const TrackedPort port = Read({{CounterSource::kHardware, "active_qps", 9}});
  EXPECT_EQ(port.Counted(CounterSource::kHardware, "active_qps"), std::nullopt);
  EXPECT_DOUBLE_EQ(port.counters.at(0).total, 9);
}

// A port with three counters of two widths that advance, wrap, are reset, vanish and come back, and
// a driver that is loaded anew: the counts told add up to no more than was counted, each is right,
// and only intervals in which something happened are missing.
TEST_F(TrackerTest, CountsAreRightOrMissingWhateverHappens) {
  std::mt19937_64 random(2026);
  struct Model {
    CounterSource source;
    std::string name;
    std::uint64_t mask;
    std::uint64_t value;
    bool there = true;
  };
  std::vector<Model> models{
      {CounterSource::kHardware, "packet_seq_err", 0xffffffff, 0xfffff000},
      {CounterSource::kHardware, "sent_pkts", ~std::uint64_t{0}, ~std::uint64_t{0} - 5000},
      {CounterSource::kPort, "unicast_rcv_packets", ~std::uint64_t{0}, 12}};
  std::uint64_t incarnation = 1;
  for (int round = 0; round < 20'000; ++round) {
    const bool anew = random() % 50 == 0;
    if (anew) ++incarnation;
    std::vector<CounterValue> values;
    std::vector<std::optional<std::uint64_t>> expected;
    for (Model& model : models) {
      const bool was_there = model.there;
      const std::uint64_t counted = random() % 3000;
      const bool reset = anew || random() % 60 == 0;
      // A reset shows only where the value is smaller afterwards.
      const std::uint64_t next = reset ? 0 : (model.value + counted) & model.mask;
      const bool shows = anew || (reset && model.value > 0);
      model.there = random() % 40 != 0;
      std::optional<std::uint64_t> right;
      if (was_there && model.there && !shows) right = reset ? 0 : counted;
      // In the uppermost part of a narrow range a reset can't be told from a wrap.
      if (reset && !anew && model.value > model.mask - 500'000'000) {
        model.value = (model.value + counted) & model.mask;
        if (was_there && model.there) right = counted;
      } else {
        model.value = next;
      }
      if (model.there) values.push_back({model.source, model.name, model.value});
      expected.push_back(right);
    }
    const TrackedPort port = Read(values, incarnation);
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (!models[i].there) {
        ASSERT_EQ(port.Find(models[i].source, models[i].name), nullptr);
        continue;
      }
      ASSERT_EQ(port.Counted(models[i].source, models[i].name),
                round == 0 ? std::nullopt : expected[i])
          << models[i].name << " in round " << round;
    }
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
