#include "common/ops/orderly_end.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/common/support/eventually.h"

namespace fairlead {
namespace {

// Signals of the tests' own, blocked in this thread and so in those that it starts.
class OrderlyEndTest : public testing::Test {
 protected:
  OrderlyEndTest() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGUSR1);
    sigaddset(&signals_, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~OrderlyEndTest() override { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  sigset_t signals_;
  sigset_t before_;
};

TEST_F(OrderlyEndTest, TellsTheSignal) {
  OrderlyEnd end(signals_, Seconds(60), [] { ADD_FAILURE() << "gave up"; });
  kill(getpid(), SIGUSR2);
  EXPECT_EQ(end.WaitForSignal(), SIGUSR2);
}

TEST_F(OrderlyEndTest, EndsWithoutASignal) {
  const OrderlyEnd end(signals_, Seconds(0), [] { ADD_FAILURE() << "gave up"; });
}

TEST_F(OrderlyEndTest, GivesUpWhereTheRestIsNotDestroyed) {
  Signal given_up;
  OrderlyEnd end(signals_, Milliseconds(1), [&] { given_up.Notify(); });
  kill(getpid(), SIGUSR1);
  EXPECT_EQ(end.WaitForSignal(), SIGUSR1);
  EXPECT_TRUE(given_up.WaitUntil([&] { return given_up.count() == 1; }));
}

TEST_F(OrderlyEndTest, GivesUpThoughNobodyWaitsForTheSignal) {
  Signal given_up;
  const OrderlyEnd end(signals_, Milliseconds(1), [&] { given_up.Notify(); });
  kill(getpid(), SIGUSR1);
  EXPECT_TRUE(given_up.WaitUntil([&] { return given_up.count() == 1; }));
}

using OrderlyEndDeathTest = OrderlyEndTest;

TEST_F(OrderlyEndDeathTest, TheProcessEndsWithAnError) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const OrderlyEnd end(signals_, Milliseconds(1));
        kill(getpid(), SIGUSR1);
        while (true) pause();
      },
      testing::ExitedWithCode(1), "ended all the same");
}

}  // namespace
}  // namespace fairlead
