#include "extender/migrator/migration_loop.h"

#include <gtest/gtest.h>

#include <semaphore>

namespace fairlead::extender {
namespace {

// Says when a round asks for the time.
class TellingClock final : public Clock {
 public:
  MonotonicTime Now() const override { return MonotonicTime(Seconds(1000)); }
  WallTime WallNow() const override {
    asked.release();
    return WallTime(Seconds(1000));
  }
  mutable std::counting_semaphore<> asked{0};
};

class MigrationLoopTest : public testing::Test {
 protected:
  void SetInterval(Nanoseconds interval) {
    Config config;
    config.migration.interval = interval;
    config_.Publish(std::move(config));
  }
  MigrationSources Sources() {
    return {.config = config_,
            .setup = setup_,
            .cluster = cluster_,
            .links = links_,
            .leadership = leadership_,
            .clock = clock_,
            .room_of = [](const GangView&, const std::shared_ptr<const ClusterView>&) {
              return WholeRoom();
            }};
  }

  TellingClock clock_;
  Snapshot<Config> config_;
  Snapshot<extender::Setup> setup_;
  Snapshot<ClusterView> cluster_;
  Snapshot<LinkSnapshot> links_;
  Snapshot<Leadership> leadership_{Leadership::Standalone()};
  NoEvents events_;
};

TEST_F(MigrationLoopTest, BeginsAtOnceAndDoesNotWaitForTheIntervalToStop) {
  SetInterval(Seconds(24 * 3600));
  MigrationLoop loop(Sources(), events_);
  clock_.asked.acquire();
  loop.Stop();
  EXPECT_EQ(loop.report().Get()->rounds, 1U);
  EXPECT_TRUE(loop.report().Get()->decided);
  EXPECT_FALSE(clock_.asked.try_acquire());
}

TEST_F(MigrationLoopTest, GoesOnRoundAfterRoundAndEndsWithTheObject) {
  SetInterval(Milliseconds(1));
  {
    MigrationLoop loop(Sources(), events_);
    for (int round = 0; round < 5; ++round) clock_.asked.acquire();
    EXPECT_GE(loop.report().Get()->rounds, 4U);
  }
  while (clock_.asked.try_acquire()) {
  }
  EXPECT_FALSE(clock_.asked.try_acquire());
}

}  // namespace
}  // namespace fairlead::extender
