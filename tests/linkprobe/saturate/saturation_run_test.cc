// The loop around the ramp, against senders that fail in every way.
#include "linkprobe/saturate/saturation_run.h"

#include <gmock/gmock.h>
#include <sys/eventfd.h>

#include <deque>

#include "common/base/file_descriptor.h"
#include "common/units/duration.h"
#include "linkprobe/saturate/spent_file.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

// Goes on by `turn` whenever the loop looks for completions, so that no test waits.
class TurnClock final : public Clock {
 public:
  MonotonicTime Now() const override { return now_; }
  WallTime WallNow() const override { return WallTime(now_.time_since_epoch()); }
  void Turn() { now_ += turn; }

  Nanoseconds turn = Milliseconds(4);

 private:
  MonotonicTime now_{Seconds(1000)};
};

// Delivers each message a while after it was posted, no faster than a rate. Its descriptor is
// always ready.
class FakeSender final : public BulkSender {
 public:
  explicit FakeSender(TurnClock& clock) : clock_(clock) {}

  const BulkEnd& end() const override { return end_; }
  Status Connect(const BulkEnd&, std::uint32_t) override { return {}; }
  bool IsFull() const override { return posted_.size() >= 4096; }
  Status Post(std::uint32_t bytes) override {
    if (post_error) return Fail(*post_error);
    const MonotonicTime now = clock_.Now();
    free_at_ = std::max(free_at_, now) +
               Nanoseconds(static_cast<std::int64_t>(bytes / bytes_per_second * 1e9));
    posted_.push_back({free_at_ + Milliseconds(10), bytes});
    posted_bytes += bytes;
    return {};
  }
  Result<std::uint64_t> TakeDelivered() override {
    clock_.Turn();
    if (error && clock_.Now() >= fail_at) return Fail(*error);
    std::uint64_t bytes = 0;
    for (; !posted_.empty() && posted_.front().first <= clock_.Now(); posted_.pop_front()) {
      bytes += posted_.front().second;
    }
    return bytes;
  }
  int descriptor() const override { return fd_.get(); }

  double bytes_per_second = 5e6;
  std::uint64_t posted_bytes = 0;
  std::optional<Error> error;
  std::optional<Error> post_error;
  MonotonicTime fail_at{};

 private:
  TurnClock& clock_;
  const FileDescriptor fd_{::eventfd(1, 0)};
  BulkEnd end_;
  MonotonicTime free_at_{};
  std::deque<std::pair<MonotonicTime, std::uint32_t>> posted_;
};

class SaturationRunTest : public testing::Test {
 protected:
  // Steady answers of 10 ms, as many as a real probe brings.
  bool Answer() {
    (void)trips_.Push({.at = clock_.Now(), .rtt = Milliseconds(10)});
    return true;
  }
  Result<SaturationResult> Run(std::uint64_t quota, Nanoseconds limit = Seconds(60)) {
    ByteBudget budget(quota);
    for (int i = 0; i < 20; ++i) Answer();
    const auto result = RunSaturation({.sender = sender_,
                                       .budget = budget,
                                       .round_trips = trips_,
                                       .clock = clock_,
                                       .watch = [this](const RampProgress&) { return watch(); }},
                                      {.hold = Milliseconds(100)}, limit);
    EXPECT_EQ(budget.spent(), sender_.posted_bytes);
    return result;
  }

  std::function<bool()> watch = [this] { return Answer(); };
  TurnClock clock_;
  Mailbox<SeenRoundTrip> trips_{4096};
  FakeSender sender_{clock_};
};

TEST_F(SaturationRunTest, EndsByItselfAndHasSpentWhatItPosted) {
  const auto result = Run(1 << 30);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_TRUE(result->delivery);
  EXPECT_NEAR(result->delivery->bytes_per_second, 5e6, 0.25e6);
}

TEST_F(SaturationRunTest, AHostThatRunsItSeldomMeasuresWhatCameBetweenItsTurns) {
  for (const Nanoseconds turn : {Milliseconds(30), Milliseconds(150), Milliseconds(400)}) {
    SCOPED_TRACE(FormatDuration(turn));
    clock_.turn = turn;
    const auto result = Run(1 << 30);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(result->delivery);
    EXPECT_LE(result->delivery->bytes_per_second, 5.25e6);
    sender_.posted_bytes = 0;
  }
}

TEST_F(SaturationRunTest, PostsItsQuotaToTheByte) {
  const auto result = Run(123'457);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, SaturationEnd::kQuota);
  EXPECT_EQ(sender_.posted_bytes, 123'457U);
}

TEST_F(SaturationRunTest, APeerThatDiesIsAnError) {
  sender_.error = Error{ErrorCode::kUnavailable, "queue pair 0: retries exceeded"};
  sender_.fail_at = clock_.Now() + Milliseconds(100);
  const auto result = Run(1 << 30);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("retries exceeded"));
}

TEST_F(SaturationRunTest, AWatcherAndALimitEndIt) {
  watch = [] { return false; };
  EXPECT_THAT(Run(1 << 30).error().message, HasSubstr("interrupted"));
}

TEST_F(SaturationRunTest, ALimitEndsIt) {
  EXPECT_THAT(Run(1 << 30, Milliseconds(50)).error().message, HasSubstr("no end in 50ms"));
}

TEST_F(SaturationRunTest, ARefusedPostIsAnError) {
  sender_.post_error = Error{ErrorCode::kInternal, "post RDMA write: no"};
  EXPECT_FALSE(Run(1 << 30));
}

const SpentFileNames kNames{.file = "--ledger", .limit = "--quota"};

class SpentFileTest : public testing::Test {
 protected:
  const TempDirectory directory_;
  const std::string path_ = (directory_.path() / "state/spent").string();
  const WallTime now_{Seconds(20'000LL * 86'400)};
};

TEST_F(SpentFileTest, WhatWasReservedIsSpentUnlessItIsReturned) {
  {
    auto file = SpentFile::Open(path_, kNames);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->Reserve("hk-sg", 700, 1'000, now_), 700U);
    EXPECT_TRUE(file->Return("hk-sg", 100, now_));
  }
  {
    auto file = SpentFile::Open(path_, kNames);
    EXPECT_EQ(file->Reserve("hk-sg", 700, 1'000, now_), 400U);
    // Ends without a return, as a program that was killed does.
  }
  auto file = SpentFile::Open(path_, kNames);
  const auto none = file->Reserve("hk-sg", 700, 1'000, now_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(none.error().message, HasSubstr("hk-sg"));
  EXPECT_EQ(file->Reserve("hk-sg", 700, 1'000, now_ + Seconds(86'400)), 700U);
}

TEST_F(SpentFileTest, OnlyOneTestsAtATime) {
  const auto first = SpentFile::Open(path_, kNames);
  ASSERT_TRUE(first);
  const auto second = SpentFile::Open(path_, kNames);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another bandwidth test runs"));
}

TEST_F(SpentFileTest, WhatCannotBeReadOrMadeIsSaid) {
  directory_.Write("bad", "what is this\n");
  const auto bad = SpentFile::Open((directory_.path() / "bad").string(), kNames);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("remove the file"));
  directory_.Write("file", "");
  EXPECT_FALSE(SpentFile::Open((directory_.path() / "file/below").string(), kNames));
  EXPECT_THAT(SpentFile::Open("", kNames).error().message, HasSubstr("--ledger"));
}

}  // namespace
}  // namespace fairlead::linkprobe
