#include "common/config/config_watcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead {
namespace {

namespace fs = std::filesystem;

std::string WithWindow(const std::string& window) {
  return "detector:\n  window: " + window + "\n";
}

class ConfigWatcherTest : public testing::Test {
 protected:
  void Watch(const std::string& path, std::optional<Config> started_with = std::nullopt) {
    Watch(path, clock_, std::move(started_with));
  }
  void Watch(const std::string& path, const Clock& clock,
             std::optional<Config> started_with = std::nullopt) {
    auto watcher = ConfigWatcher::Create(path, clock,
                                         {.program = Program::kExtender,
                                          .on_reload = [this] { signal_.Notify(); },
                                          .started_with = std::move(started_with),
                                          .judge = judge_});
    ASSERT_TRUE(watcher) << watcher.error().message;
    watcher_ = *std::move(watcher);
  }
  // At one stroke, as a good editor does.
  void Replace(const std::string& text) const {
    fs::rename(temp_.Write(".new", text), temp_.path() / "fairlead.yaml");
  }
  Nanoseconds Window() const { return watcher_->config().Get()->detector.window; }
  bool WindowBecomes(Nanoseconds window) {
    return signal_.WaitUntil([&] { return Window() == window; });
  }
  bool FailuresBecome(std::uint64_t n) {
    return signal_.WaitUntil([&] { return watcher_->stats().failures == n; });
  }

  TempDirectory temp_;
  SystemClock clock_;
  Signal signal_;
  std::function<Status(const Config&)> judge_;
  std::unique_ptr<ConfigWatcher> watcher_;
};

TEST_F(ConfigWatcherTest, RefusesToStartWithoutAValidFile) {
  EXPECT_FALSE(ConfigWatcher::Create((temp_.path() / "none").string(), clock_, {}));
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("5"));
  const auto watcher = ConfigWatcher::Create(path, clock_, {});
  ASSERT_FALSE(watcher);
  EXPECT_NE(watcher.error().message.find("fairlead.yaml:2: detector.window"), std::string::npos);
}

TEST_F(ConfigWatcherTest, TakesAnEditInPlace) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path);
  EXPECT_EQ(Window(), Seconds(2));
  temp_.Write("fairlead.yaml", WithWindow("3s"));
  EXPECT_TRUE(WindowBecomes(Seconds(3)));
  EXPECT_TRUE(signal_.WaitUntil([this] { return watcher_->stats().last_error.empty(); }));
}

TEST_F(ConfigWatcherTest, TakesAnEditorsRename) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path);
  fs::rename(temp_.Write(".fairlead.yaml.swp", WithWindow("3s")), path);
  EXPECT_TRUE(WindowBecomes(Seconds(3)));
}

// kubelet: fairlead.yaml -> ..data/fairlead.yaml, ..data -> a directory of that moment; an update
// renames a new ..data over the old one and removes the old directory.
TEST_F(ConfigWatcherTest, TakesAConfigMapUpdateAfterAnother) {
  const auto make_version = [&](const std::string& name, const std::string& text) {
    fs::create_directory(temp_.path() / name);
    temp_.Write(name + "/fairlead.yaml", text);
    fs::create_directory_symlink(name, temp_.path() / "..data_tmp");
    fs::rename(temp_.path() / "..data_tmp", temp_.path() / "..data");
  };
  make_version("..2026_01", WithWindow("2s"));
  fs::create_symlink("..data/fairlead.yaml", temp_.path() / "fairlead.yaml");
  Watch((temp_.path() / "fairlead.yaml").string());
  make_version("..2026_02", WithWindow("3s"));
  fs::remove_all(temp_.path() / "..2026_01");
  EXPECT_TRUE(WindowBecomes(Seconds(3)));
  make_version("..2026_03", WithWindow("4s"));
  fs::remove_all(temp_.path() / "..2026_02");
  EXPECT_TRUE(WindowBecomes(Seconds(4)));
}

TEST_F(ConfigWatcherTest, KeepsTheLastGoodConfigurationAndSaysWhy) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path);
  Replace(WithWindow("3 parsecs"));
  ASSERT_TRUE(FailuresBecome(1));
  EXPECT_EQ(Window(), Seconds(2));
  EXPECT_NE(watcher_->stats().last_error.find("parsecs"), std::string::npos);
  const WallTime before = watcher_->stats().last_success;
  Replace(WithWindow("5s"));
  ASSERT_TRUE(WindowBecomes(Seconds(5)));
  ASSERT_TRUE(signal_.WaitUntil([&] { return watcher_->stats().successes == 1; }));
  EXPECT_EQ(watcher_->stats().last_error, "");
  EXPECT_GE(watcher_->stats().last_success, before);
}

TEST_F(ConfigWatcherTest, WhatTheProgramCannotGoOnWithIsABadEdit) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  judge_ = [](const Config& next) -> Status {
    if (next.detector.window < Seconds(10)) return {};
    return Fail(ErrorCode::kInvalidArgument, "detector.window: too long for this program");
  };
  Watch(path);
  Replace(WithWindow("30s"));
  ASSERT_TRUE(FailuresBecome(1));
  EXPECT_EQ(Window(), Seconds(2));
  EXPECT_EQ(watcher_->stats().last_error,
            "fairlead.yaml: detector.window: too long for this program");
  Replace(WithWindow("5s"));
  EXPECT_TRUE(WindowBecomes(Seconds(5)));
}

TEST_F(ConfigWatcherTest, CountsAMissingFileOnceAndRecovers) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path);
  fs::remove(path);
  ASSERT_TRUE(FailuresBecome(1));
  EXPECT_EQ(Window(), Seconds(2));
  // A bad edit afterwards is one more failure, so the changes before it were none.
  temp_.Write("other", "1");
  temp_.Write("other", "2");
  Replace("nonsense");
  ASSERT_TRUE(FailuresBecome(2));
  Replace(WithWindow("2s"));
  ASSERT_TRUE(signal_.WaitUntil([&] { return watcher_->stats().successes == 1; }));
  EXPECT_EQ(watcher_->stats().failures, 2U);
}

TEST_F(ConfigWatcherTest, FollowsADirectoryThatIsMadeAgain) {
  const fs::path directory = temp_.path() / "conf";
  fs::create_directory(directory);
  Watch(temp_.Write("conf/fairlead.yaml", WithWindow("2s")));
  fs::remove_all(directory);
  fs::create_directory(directory);
  temp_.Write("conf/fairlead.yaml", WithWindow("3s"));
  EXPECT_TRUE(WindowBecomes(Seconds(3)));
  temp_.Write("conf/fairlead.yaml", WithWindow("4s"));
  EXPECT_TRUE(WindowBecomes(Seconds(4)));
}

// A clock that stands still but for what a test says, so that no stall of the machine can make a
// moment look like a long time.
class HandClock final : public Clock {
 public:
  MonotonicTime Now() const override { return MonotonicTime(Nanoseconds(now_.load())); }
  WallTime WallNow() const override { return WallTime(Nanoseconds(now_.load())); }
  void Advance(Nanoseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_ = 1;
};

TEST_F(ConfigWatcherTest, AFileCaughtHalfWrittenIsNoFailure) {
  HandClock clock;
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path, clock);
  // Each part is closed, so that the watcher is woken by it.
  temp_.Write("fairlead.yaml", "");
  temp_.Write("fairlead.yaml", "detector:\n  wind");
  temp_.Write("fairlead.yaml", "detector:\n  dwell: 7s\n");  // valid, but not all of it
  clock.Advance(Milliseconds(199));
  temp_.Write("fairlead.yaml", "detector:\n  dwell: 7s\n  window: 3s\n");
  EXPECT_EQ(watcher_->stats().successes + watcher_->stats().failures, 0U);
  std::jthread time([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      clock.Advance(Milliseconds(1));
      std::this_thread::yield();
    }
  });
  EXPECT_TRUE(WindowBecomes(Seconds(3)));
  EXPECT_EQ(watcher_->config().Get()->detector.dwell, Seconds(7));
  EXPECT_TRUE(signal_.WaitUntil([this] { return watcher_->stats().successes == 1; }));
  EXPECT_EQ(watcher_->stats().failures, 0U);
}

TEST_F(ConfigWatcherTest, SaysWhichChangedKeysNeedARestartAndTakesTheOthers) {
  const std::string path = temp_.Write("fairlead.yaml", WithWindow("2s"));
  Watch(path);
  EXPECT_EQ(PendingKeys(watcher_->stats().restart_keys), "");
  Replace(WithWindow("3s") + "extender: {opsListen: \"127.0.0.1:1\"}\n");
  ASSERT_TRUE(WindowBecomes(Seconds(3)));
  const auto pending = [this] { return PendingKeys(watcher_->stats().restart_keys); };
  EXPECT_TRUE(signal_.WaitUntil([&] { return pending() == "extender.opsListen"; })) << pending();
  Replace(WithWindow("4s"));
  ASSERT_TRUE(WindowBecomes(Seconds(4)));
  EXPECT_TRUE(signal_.WaitUntil([&] { return pending().empty(); })) << pending();
}

TEST_F(ConfigWatcherTest, ComparesWithWhatTheProgramStartedWith) {
  Config started;
  started.extender.token_directory = "/elsewhere";
  Watch(temp_.Write("fairlead.yaml", WithWindow("2s")), started);
  EXPECT_EQ(PendingKeys(watcher_->stats().restart_keys), "extender.tokenDirectory");
}

}  // namespace
}  // namespace fairlead
