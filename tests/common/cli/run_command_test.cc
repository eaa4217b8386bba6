#include "common/cli/run_command.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace fairlead {
namespace {

// What the process does on SIGHUP and what it blocks are put back.
class BlockTerminationTest : public testing::Test {
 protected:
  BlockTerminationTest() {
    pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    hangup_ = std::signal(SIGHUP, SIG_DFL);
    pipe_ = std::signal(SIGPIPE, SIG_DFL);
  }
  ~BlockTerminationTest() override {
    std::signal(SIGPIPE, pipe_);
    std::signal(SIGHUP, hangup_);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

  static bool IsBlocked(int signal) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    return sigismember(&blocked, signal) == 1;
  }

 private:
  sigset_t mask_;
  sighandler_t hangup_;
  sighandler_t pipe_;
};

TEST_F(BlockTerminationTest, WaitsForAllThatAskForAnEnd) {
  const sigset_t signals = BlockTermination();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    EXPECT_EQ(sigismember(&signals, signal), 1) << signal;
    EXPECT_TRUE(IsBlocked(signal)) << signal;
  }
  EXPECT_EQ(std::signal(SIGPIPE, SIG_DFL), SIG_IGN);
}

TEST_F(BlockTerminationTest, AHangUpThatIsIgnoredStaysSo) {
  std::signal(SIGHUP, SIG_IGN);
  const sigset_t signals = BlockTermination();
  EXPECT_EQ(sigismember(&signals, SIGHUP), 0);
  EXPECT_FALSE(IsBlocked(SIGHUP));
}

}  // namespace
}  // namespace fairlead
