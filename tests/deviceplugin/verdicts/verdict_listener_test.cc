// The listener on a real socket.
#include "deviceplugin/verdicts/verdict_listener.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <memory>

#include "fairlead/v1/node.pb.h"
#include "tests/deviceplugin/verdicts/socket_folder.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience(60);

// Time stands still until the test moves it.
class StillClock final : public Clock {
 public:
  MonotonicTime Now() const override { return MonotonicTime(Nanoseconds(now_.load())); }
  WallTime WallNow() const override { return WallTime(Nanoseconds(now_.load())); }
  void Advance(Nanoseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{Nanoseconds(Seconds(1000)).count()};
};

class VerdictListenerTest : public SocketFolder {
 protected:
  void TearDown() override {
    listener_.reset();
    SocketFolder::TearDown();
  }
  void Start(const Clock& clock) {
    listener_ = std::make_unique<VerdictListener>(
        VerdictListenerOptions{.socket = path_, .look_after_socket = Milliseconds(5)},
        [this](const ProbeWord& heard, bool changed) {
          const std::lock_guard lock(mutex_);
          ++calls_;
          if (changed) ++changes_;
          last_ = heard.verdicts;
          lines_ = heard.lines;
          called_.notify_all();
        },
        clock);
  }
  template <class Condition>
  bool WaitFor(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    std::unique_lock lock(mutex_);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      called_.wait_for(lock, std::chrono::milliseconds(5));
    }
    return true;
  }
  bool Listening() {
    return WaitFor([&] { return listener_->counts().listening; });
  }
  std::uint64_t Refused(VerdictRefusal why) const {
    return listener_->counts().refused[static_cast<std::size_t>(why)];
  }

  static std::string Message(bool bad, std::uint64_t age_ns = 0) {
    v1::NicVerdicts message;
    message.set_protocol_version(1);
    v1::NicVerdict& verdict = *message.add_verdicts();
    verdict.set_device("mlx5_0");
    verdict.set_port(1);
    verdict.set_bad(bad);
    verdict.set_sentence("numbers");
    verdict.set_age_ns(age_ns);
    return message.SerializeAsString();
  }

  std::mutex mutex_;
  std::condition_variable called_;
  int calls_ = 0;
  int changes_ = 0;
  std::vector<NicVerdict> last_;
  HeardLines lines_;
  const SystemClock system_;
  StillClock still_;
  std::unique_ptr<VerdictListener> listener_;
};

TEST_F(VerdictListenerTest, HandsOnWhatItHears) {
  Start(system_);
  ASSERT_TRUE(Listening());
  ASSERT_TRUE(Send(Message(true)));
  ASSERT_TRUE(WaitFor([&] { return calls_ == 1; }));
  EXPECT_EQ(changes_, 1);
  EXPECT_TRUE(last_.at(0).bad);
  EXPECT_EQ(last_.at(0).device, "mlx5_0");
  ASSERT_TRUE(Send(Message(true)));
  ASSERT_TRUE(WaitFor([&] { return calls_ == 2; }));
  EXPECT_EQ(changes_, 1);
  ASSERT_TRUE(Send(Message(false)));
  ASSERT_TRUE(WaitFor([&] { return calls_ == 3; }));
  EXPECT_EQ(changes_, 2);
  EXPECT_TRUE(WaitFor([&] { return listener_->counts().heard == 3; }));
}

TEST_F(VerdictListenerTest, HandsOnLinesAndKeepsThoseOfAProbeThatStartsAnew) {
  Start(still_);
  ASSERT_TRUE(Listening());
  v1::NicVerdicts message;
  message.set_protocol_version(1);
  message.set_site("hk");
  v1::LineFacts& line = *message.add_lines();
  line.set_peer_site("sg");
  line.set_rtt_ns(36'000'000);
  ASSERT_TRUE(Send(message.SerializeAsString()));
  ASSERT_TRUE(WaitFor([&] { return calls_ == 1; }));
  const HeardLines want{.site = "hk",
                        .lines = {{.peer = "sg", .rtt = Milliseconds(36), .at = still_.Now()}}};
  EXPECT_EQ(lines_, want);
  ASSERT_TRUE(Send(Message(false)));
  ASSERT_TRUE(WaitFor([&] { return calls_ == 2; }));
  EXPECT_EQ(lines_, want);
  EXPECT_TRUE(WaitFor([&] { return listener_->counts().lines == want; }));
}

TEST_F(VerdictListenerTest, CountsWhatItRefusesAndGoesOn) {
  Start(system_);
  ASSERT_TRUE(Listening());
  ASSERT_TRUE(Send("nonsense"));
  ASSERT_TRUE(Send(std::string(kLongestMessage + 1, 'x')));
  ASSERT_TRUE(Send(""));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Send("\xff"));
  ASSERT_TRUE(Send(Message(true)));
  ASSERT_TRUE(WaitFor([&] { return listener_->counts().heard == 1; }));
  EXPECT_EQ(Refused(VerdictRefusal::kMalformed), 1001U);
  EXPECT_EQ(Refused(VerdictRefusal::kTooLong), 1U);
  EXPECT_EQ(Refused(VerdictRefusal::kVersion), 1U);
  EXPECT_EQ(Refused(VerdictRefusal::kSender), 0U);
}

TEST_F(VerdictListenerTest, ForgetsAProbeThatHasFallenSilent) {
  Start(still_);
  ASSERT_TRUE(Listening());
  ASSERT_TRUE(Send(Message(true)));
  ASSERT_TRUE(WaitFor([&] { return changes_ == 1; }));
  still_.Advance(kNicVerdictLife + Seconds(1));
  ASSERT_TRUE(Send("wake up"));
  ASSERT_TRUE(WaitFor([&] { return changes_ == 2; }));
  EXPECT_TRUE(last_.empty());
  EXPECT_TRUE(WaitFor([&] { return listener_->counts().verdicts.empty(); }));
}

TEST_F(VerdictListenerTest, BindsAnewWhatWasRemoved) {
  Start(system_);
  ASSERT_TRUE(Listening());
  ASSERT_TRUE(fs::remove(path_));
  ASSERT_TRUE(WaitFor([&] { return fs::exists(path_); }));
  ASSERT_TRUE(WaitFor([&] { return Send(Message(true)); }));
  EXPECT_TRUE(WaitFor([&] { return calls_ >= 1; }));
}

TEST_F(VerdictListenerTest, WaitsUntilThePathIsFree) {
  fs::create_directory(folder_ / "run");
  std::ofstream(path_) << "in the way";
  Start(system_);
  ASSERT_TRUE(fs::remove(path_));
  ASSERT_TRUE(Listening());
  EXPECT_TRUE(Send(Message(false)));
}

TEST_F(VerdictListenerTest, RemovesItsSocketWhenItEnds) {
  Start(system_);
  ASSERT_TRUE(Listening());
  listener_.reset();
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(VerdictListenerTest, IsOffWithoutAPath) {
  path_.clear();
  Start(system_);
  EXPECT_FALSE(listener_->counts().listening);
}

}  // namespace
}  // namespace fairlead::deviceplugin
