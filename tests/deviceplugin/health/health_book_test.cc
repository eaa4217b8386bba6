#include "deviceplugin/health/health_book.h"

#include <gmock/gmock.h>

#include <random>

namespace fairlead::deviceplugin {
namespace {

Hca Device(const std::string& name, bool up) {
  Hca hca;
  hca.name = name;
  hca.protocol = RdmaProtocol::kInfiniband;
  HcaPort port;
  port.state = up ? PortState::kActive : PortState::kDown;
  port.physical_state = up ? PhysicalState::kLinkUp : PhysicalState::kPolling;
  hca.ports = {port};
  return hca;
}

class HealthBookTest : public testing::Test {
 protected:
  // What is told of "rxe0" at second `at`, seen up or down; nothing seen: the device is gone.
  std::vector<WatchedHca> See(double at, std::optional<bool> up) {
    NodeInventory inventory;
    if (up) inventory.hcas.push_back(Device("rxe0", *up));
    return book_.Update(inventory, {}, {At(at), At(at)});
  }
  bool HealthyAfter(double at, std::optional<bool> up) {
    const auto told = See(at, up);
    EXPECT_EQ(told.size(), 1U);
    return !told.empty() && told[0].healthy;
  }
  static MonotonicTime At(double seconds) {
    return MonotonicTime(Milliseconds(static_cast<std::int64_t>(seconds * 1000)));
  }

  HealthBook book_{
      {.down_after = Seconds(5), .up_after = Seconds(10), .remove_after = Seconds(600)}};
};

TEST_F(HealthBookTest, TellsAtOnceWhatIsFirstSeen) {
  const auto up = See(0, true);
  ASSERT_EQ(up.size(), 1U);
  EXPECT_TRUE(up[0].healthy);
  EXPECT_EQ(up[0].reason, "");
  HealthBook other({});
  NodeInventory inventory;
  inventory.hcas = {Device("rxe0", false)};
  const auto down = other.Update(inventory, {}, {At(0), At(0)});
  ASSERT_EQ(down.size(), 1U);
  EXPECT_FALSE(down[0].healthy);
  EXPECT_EQ(down[0].reason, "link_down");
}

TEST_F(HealthBookTest, WaitsBothWays) {
  EXPECT_TRUE(HealthyAfter(0, true));
  EXPECT_TRUE(HealthyAfter(1, false));
  EXPECT_EQ(book_.NextChange(), At(6));
  EXPECT_TRUE(HealthyAfter(5.9, false));
  EXPECT_FALSE(HealthyAfter(6, false));
  EXPECT_EQ(book_.NextChange(), std::nullopt);
  EXPECT_FALSE(HealthyAfter(7, true));
  EXPECT_EQ(book_.NextChange(), At(17));
  EXPECT_FALSE(HealthyAfter(16.9, true));
  EXPECT_TRUE(HealthyAfter(17, true));
}

// What a reading saw may have begun at its end, and have ended at the beginning of the next.
TEST_F(HealthBookTest, ATimeIsWhatLiesBetweenReadings) {
  NodeInventory down;
  down.hcas = {Device("rxe0", false)};
  const auto healthy = [&](double begin, double end) {
    return book_.Update(down, {}, {At(begin), At(end)}).at(0).healthy;
  };
  EXPECT_TRUE(HealthyAfter(0, true));
  EXPECT_TRUE(healthy(1, 1.5));
  EXPECT_EQ(book_.NextChange(), At(6.5));
  EXPECT_TRUE(healthy(6.4, 6.9)) << "down for 4.9 seconds is all that is known";
  EXPECT_FALSE(healthy(6.5, 7));
}

TEST_F(HealthBookTest, WithoutDebounceAReadingIsBelievedAtOnce) {
  book_.Configure({.down_after = Seconds(0), .up_after = Seconds(0)});
  NodeInventory down;
  down.hcas = {Device("rxe0", false)};
  EXPECT_TRUE(HealthyAfter(0, true));
  EXPECT_FALSE(book_.Update(down, {}, {At(1), At(1.5)}).at(0).healthy);
  EXPECT_TRUE(HealthyAfter(2, true));
}

TEST_F(HealthBookTest, AFlapShorterThanTheDebounceChangesNothing) {
  EXPECT_TRUE(HealthyAfter(0, true));
  for (int flap = 0; flap < 20; ++flap) {
    EXPECT_TRUE(HealthyAfter(10 * flap + 1, false));
    EXPECT_TRUE(HealthyAfter(10 * flap + 5, false));
    EXPECT_TRUE(HealthyAfter(10 * flap + 5.5, true));
  }
}

TEST_F(HealthBookTest, AnAilmentIsToldWhileTheDebounceStillRuns) {
  See(0, true);
  const auto told = See(1, false);
  EXPECT_TRUE(told[0].healthy);
  EXPECT_EQ(told[0].reason, "link_down");
}

TEST_F(HealthBookTest, WhatCannotBeReadLeavesTheVerdictAsItWas) {
  Hca unread = Device("rxe0", true);
  unread.ports[0].state = PortState::kNop;
  const auto see_nothing = [&](double at) {
    NodeInventory inventory;
    inventory.hcas = {unread};
    return book_.Update(inventory, {}, {At(at), At(at)}).at(0);
  };
  const WatchedHca first = see_nothing(0);
  EXPECT_TRUE(first.healthy) << "nothing speaks against it";
  EXPECT_FALSE(first.known);
  EXPECT_EQ(first.reason, "unreadable");
  EXPECT_TRUE(see_nothing(3600).healthy);
  EXPECT_EQ(book_.NextChange(), std::nullopt);

  EXPECT_TRUE(HealthyAfter(4000, false));
  EXPECT_TRUE(see_nothing(4004).healthy);
  EXPECT_TRUE(HealthyAfter(4006, false)) << "it may have been well for a moment";
  EXPECT_FALSE(HealthyAfter(4011, false));
  EXPECT_FALSE(see_nothing(5000).healthy);
  EXPECT_FALSE(HealthyAfter(5001, true));
  EXPECT_FALSE(see_nothing(5010).healthy);
  EXPECT_FALSE(HealthyAfter(5012, true));
  EXPECT_TRUE(HealthyAfter(5022, true));
}

TEST_F(HealthBookTest, AVanishedDeviceStaysListedUntilItsTime) {
  EXPECT_TRUE(HealthyAfter(0, true));
  EXPECT_TRUE(HealthyAfter(100, std::nullopt));  // a driver that is reloaded is soon back
  const auto gone = See(105, std::nullopt);
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_FALSE(gone[0].healthy);
  EXPECT_FALSE(gone[0].present);
  EXPECT_EQ(gone[0].reason, "removed");
  EXPECT_EQ(gone[0].since, At(105));
  EXPECT_EQ(book_.NextChange(), At(700));
  EXPECT_EQ(See(699, std::nullopt).size(), 1U);
  EXPECT_EQ(See(700, std::nullopt).size(), 0U);
  EXPECT_EQ(book_.NextChange(), std::nullopt);
}

TEST_F(HealthBookTest, AReturnedDeviceIsTheOldOne) {
  EXPECT_TRUE(HealthyAfter(0, true));
  EXPECT_TRUE(HealthyAfter(1, std::nullopt));
  EXPECT_FALSE(HealthyAfter(6, std::nullopt));
  EXPECT_FALSE(HealthyAfter(7, true));
  EXPECT_TRUE(HealthyAfter(17, true));
}

// Whatever is seen, the verdict changes only after what was seen last has stood for its time.
TEST_F(HealthBookTest, NeverChangesBeforeItsTime) {
  std::mt19937 random(7);
  double now = 0;
  bool up = true;
  double stands_since = 0;
  bool told = HealthyAfter(0, true);
  for (int i = 0; i < 5000; ++i) {
    now += static_cast<double>(random() % 3000) / 1000;
    const bool seen = random() % 4 != 0 ? up : !up;
    if (seen != up) stands_since = now;
    up = seen;
    const bool healthy = HealthyAfter(now, up);
    if (healthy != told) {
      EXPECT_EQ(healthy, up);
      EXPECT_GE(now - stands_since + 0.002, healthy ? 10 : 5);
    }
    told = healthy;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
