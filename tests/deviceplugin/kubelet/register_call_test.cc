#include "deviceplugin/kubelet/register_call.h"

#include <gmock/gmock.h>

#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"
#include "tests/deviceplugin/kubelet/fake_kubelet.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

class RegisterCallTest : public testing::Test {
 protected:
  void Ask(RegisterCall& call, Nanoseconds deadline) {
    call.Start({.kubelet_socket = directory_.path() / "kubelet.sock",
                .endpoint = "plugin.sock",
                .resource = "rdma/hca"},
               deadline, [this](RegisterOutcome outcome, std::string why) {
                 {
                   std::lock_guard lock(mutex_);
                   outcome_ = outcome;
                   why_ = std::move(why);
                 }
                 answered_.Notify();
               });
  }
  RegisterOutcome Outcome(Nanoseconds deadline) {
    const int before = answered_.count();
    RegisterCall call;
    Ask(call, deadline);
    EXPECT_TRUE(answered_.WaitUntil([&] { return answered_.count() > before; }));
    std::lock_guard lock(mutex_);
    return outcome_;
  }

  TempDirectory directory_;
  Signal answered_;
  std::mutex mutex_;
  RegisterOutcome outcome_{};
  std::string why_;
};

TEST_F(RegisterCallTest, TellsHowTheCallEnded) {
  EXPECT_EQ(Outcome(Seconds(30)), RegisterOutcome::kNotReached);
  FakeKubelet kubelet(directory_.path());
  kubelet.Start(Manners::kRefuse);
  EXPECT_EQ(Outcome(Seconds(30)), RegisterOutcome::kRefused);
  EXPECT_THAT(why_, HasSubstr("no such thing"));
  kubelet.SetManners(Manners::kHang);
  EXPECT_EQ(Outcome(Milliseconds(50)), RegisterOutcome::kUnanswered);
}

TEST_F(RegisterCallTest, TheEndCancelsTheCall) {
  FakeKubelet kubelet(directory_.path());
  kubelet.Start(Manners::kHang);
  {
    RegisterCall call;
    Ask(call, Seconds(3600));
    ASSERT_TRUE(kubelet.signal().WaitUntil([&] { return kubelet.calls() == 1; }));
  }
  EXPECT_EQ(answered_.count(), 1);
  EXPECT_EQ(outcome_, RegisterOutcome::kUnanswered);
}

// Each is the only user of gRPC in the process, whose threads end with it.
TEST_F(RegisterCallTest, ACallThatIsTheLastUserOfGrpcEndsInPeace) {
  for (int i = 0; i < 200; ++i) {
    RegisterCall call;
    Ask(call, Seconds(30));
  }
  EXPECT_EQ(answered_.count(), 200);
}

}  // namespace
}  // namespace fairlead::deviceplugin
