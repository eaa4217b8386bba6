// What went wrong where nothing could be reserved: only bytes that are spent are said to be spent.
#include "linkprobe/saturate/spent_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "linkprobe/saturate/line_test.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::linkprobe {
namespace {

using testing::HasSubstr;

const SpentFileNames kNames{.file = "--ledger", .limit = "--quota"};
constexpr WallTime kNow{Seconds(1'800'000'000)};

// No file can be opened while one exists.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(lowest);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(lowest);
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

class SpentFileRefusal : public testing::Test {
 protected:
  const TempDirectory temp_;
  const std::string path_ = temp_.path() / "state" / "spent";
};

TEST_F(SpentFileRefusal, BytesAreReservedUntilTheDaysAreSpent) {
  auto file = SpentFile::Open(path_, kNames);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->Reserve("hk-sg", 60, 100, kNow), 60U);
  EXPECT_EQ(file->Reserve("hk-sg", 60, 100, kNow), 40U);
  const auto none = file->Reserve("hk-sg", 60, 100, kNow);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(none.error().message, HasSubstr("raise --quota"));
}

TEST(WantedBytes, OfTrainsAreNoMoreThanTheyCanSend) {
  EXPECT_EQ(WantedBytes(true, 2'000'000'000), 30'000'000U);
  EXPECT_EQ(WantedBytes(true, 5'000'000), 5'000'000U);
  EXPECT_EQ(WantedBytes(false, 2'000'000'000), 2'000'000'000U);
}

TEST_F(SpentFileRefusal, AHostWithoutRoomHasNoQuotaSpent) {
  auto file = SpentFile::Open(path_, kNames);
  ASSERT_TRUE(file) << file.error().message;
  Result<std::uint64_t> reserved = 0;
  {
    const NoDescriptors full;
    reserved = file->Reserve("hk-sg", 60, 100, kNow);
  }
  ASSERT_FALSE(reserved);
  EXPECT_EQ(reserved.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(reserved.error().message, HasSubstr("too many open files"));
  EXPECT_EQ(file->Reserve("hk-sg", 60, 100, kNow), 60U) << "nothing was reserved before";
}

TEST_F(SpentFileRefusal, AFolderOrGarbageInThePlaceOfTheLedgerIsNotAnEmptyOne) {
  std::filesystem::create_directories(path_);
  const auto folder = SpentFile::Open(path_, kNames);
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("not a regular file"));
  std::filesystem::remove(path_);
  temp_.Write("state/spent", "\x7f\x45LF\n");
  const auto garbage = SpentFile::Open(path_, kNames);
  ASSERT_FALSE(garbage);
  EXPECT_THAT(garbage.error().message, HasSubstr("remove the file"));
}

}  // namespace
}  // namespace fairlead::linkprobe
