#include "common/watch/directory_watcher.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/common/support/eventually.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead {
namespace {

namespace fs = std::filesystem;

std::string Contents(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// Each test changes the directory and waits until the callback has run after the change.
class DirectoryWatcherTest : public testing::Test {
 protected:
  void Watch(const fs::path& directory) {
    auto watcher = DirectoryWatcher::Create(directory.string(), [this] {
      signal_.Notify();
      return std::nullopt;
    });
    ASSERT_TRUE(watcher) << watcher.error().message;
    watcher_ = *std::move(watcher);
    ASSERT_TRUE(signal_.WaitUntil([this] { return signal_.count() >= 1; }));
  }
  bool CalledAfter(int calls) {
    return signal_.WaitUntil([&] { return signal_.count() > calls; });
  }

  TempDirectory temp_;
  Signal signal_;
  std::unique_ptr<DirectoryWatcher> watcher_;
};

TEST_F(DirectoryWatcherTest, FailsForADirectoryThatIsNotThere) {
  const auto watcher =
      DirectoryWatcher::Create((temp_.path() / "none").string(), [] { return std::nullopt; });
  ASSERT_FALSE(watcher);
  EXPECT_EQ(watcher.error().code, ErrorCode::kNotFound);
  EXPECT_NE(watcher.error().message.find("none"), std::string::npos);
}

TEST_F(DirectoryWatcherTest, FailsForAFile) {
  EXPECT_FALSE(DirectoryWatcher::Create(temp_.Write("file", ""), [] { return std::nullopt; }));
}

TEST_F(DirectoryWatcherTest, SeesAFileWrittenInPlace) {
  temp_.Write("a", "1");
  Watch(temp_.path());
  const int calls = signal_.count();
  temp_.Write("a", "2");
  EXPECT_TRUE(CalledAfter(calls));
}

TEST_F(DirectoryWatcherTest, SeesRenamesRemovalsAndLinks) {
  temp_.Write("a", "1");
  Watch(temp_.path());
  int calls = signal_.count();
  fs::rename(temp_.path() / "a", temp_.path() / "b");
  EXPECT_TRUE(CalledAfter(calls));
  calls = signal_.count();
  fs::create_symlink("b", temp_.path() / "link");
  EXPECT_TRUE(CalledAfter(calls));
  calls = signal_.count();
  fs::remove(temp_.path() / "b");
  EXPECT_TRUE(CalledAfter(calls));
}

TEST_F(DirectoryWatcherTest, FollowsADirectoryThatIsRemovedAndMadeAgain) {
  const fs::path directory = temp_.path() / "conf";
  fs::create_directory(directory);
  Watch(directory);
  fs::remove_all(directory);
  fs::create_directory(directory);
  std::ofstream(directory / "a") << "first";
  ASSERT_TRUE(signal_.WaitUntil([&] { return signal_.count() > 1; }));
  // The new directory is watched as well, not only noticed.
  const int calls = signal_.count();
  std::ofstream(directory / "a") << "second";
  EXPECT_TRUE(CalledAfter(calls));
}

TEST_F(DirectoryWatcherTest, FollowsADirectoryThatIsRenamedAway) {
  const fs::path directory = temp_.path() / "conf";
  fs::create_directory(directory);
  Watch(directory);
  int calls = signal_.count();
  fs::create_directory(temp_.path() / "next");
  fs::rename(directory, temp_.path() / "old");
  fs::rename(temp_.path() / "next", directory);
  ASSERT_TRUE(CalledAfter(calls));
  calls = signal_.count();
  std::ofstream(directory / "a") << "1";
  EXPECT_TRUE(CalledAfter(calls));
}

TEST_F(DirectoryWatcherTest, FollowsASymbolicLinkToAnotherDirectory) {
  fs::create_directory(temp_.path() / "v1");
  fs::create_directory(temp_.path() / "v2");
  fs::create_directory_symlink("v1", temp_.path() / "current");
  Watch(temp_.path() / "current");
  int calls = signal_.count();
  fs::create_directory_symlink("v2", temp_.path() / "new");
  fs::rename(temp_.path() / "new", temp_.path() / "current");
  ASSERT_TRUE(CalledAfter(calls));
  calls = signal_.count();
  std::ofstream(temp_.path() / "v2" / "a") << "1";
  EXPECT_TRUE(CalledAfter(calls));
}

TEST_F(DirectoryWatcherTest, TheCallbackSeesTheLastOfManyChanges) {
  std::mutex mutex;
  std::string seen;
  auto watcher = DirectoryWatcher::Create(temp_.path().string(), [&] {
    {
      std::lock_guard lock(mutex);
      seen = Contents(temp_.path() / "a");
    }
    signal_.Notify();
    return std::nullopt;
  });
  ASSERT_TRUE(watcher);
  for (int i = 0; i <= 200; ++i) temp_.Write("a", std::to_string(i));
  EXPECT_TRUE(signal_.WaitUntil([&] {
    std::lock_guard lock(mutex);
    return seen == "200";
  }));
}

TEST_F(DirectoryWatcherTest, CallsAgainWithoutAChangeWhenAsked) {
  int calls = 0;  // used by the watcher's thread, then after it has ended
  const auto watcher =
      DirectoryWatcher::Create(temp_.path().string(), [&]() -> std::optional<Nanoseconds> {
        signal_.Notify();
        if (++calls < 3) return Milliseconds(1);
        return std::nullopt;
      });
  ASSERT_TRUE(watcher) << watcher.error().message;
  EXPECT_TRUE(signal_.WaitUntil([this] { return signal_.count() == 3; }));
}

}  // namespace
}  // namespace fairlead
