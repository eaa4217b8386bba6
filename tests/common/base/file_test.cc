#include "common/base/file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/common/support/temp_directory.h"

namespace fairlead {
namespace {

using testing::HasSubstr;

class ReplaceFileTest : public testing::Test {
 protected:
  std::size_t Files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory_), {}));
  }

  const TempDirectory temp_;
  const std::filesystem::path directory_ = temp_.path();
};

TEST_F(ReplaceFileTest, WritesAndOverwrites) {
  const std::string path = directory_ / "features";
  const std::string long_text(100'000, 'x');
  for (const std::string& text : {std::string("a=1\n"), long_text, std::string()}) {
    ASSERT_TRUE(ReplaceFile(path, text));
    EXPECT_EQ(ReadFile(path, 1 << 20), text);
  }
  EXPECT_EQ(Files(), 1U);
}

TEST_F(ReplaceFileTest, LeavesTheOldBytesAndNoLitterWhereItFails) {
  const Status missing = ReplaceFile(directory_ / "no" / "file", "x");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("/no/file"));
  std::filesystem::create_directories(directory_ / "taken" / "below");
  ASSERT_FALSE(ReplaceFile(directory_ / "taken", "x"));
  EXPECT_TRUE(std::filesystem::is_directory(directory_ / "taken" / "below"));
  EXPECT_EQ(Files(), 1U);
}

TEST_F(ReplaceFileTest, WritesThroughNothingThatLiesWhereTheNewBytesGoFirst) {
  const std::string other = temp_.Write("other", "theirs");
  const std::filesystem::path beside = directory_ / ".file.new";
  std::filesystem::create_symlink(other, beside);
  EXPECT_TRUE(ReplaceFile(directory_ / "file", "1"));
  std::filesystem::create_hard_link(other, beside);
  EXPECT_TRUE(ReplaceFile(directory_ / "file", "2"));
  EXPECT_EQ(ReadFile(other, 16), "theirs");
  // Nobody reads it, so that opening it to write would wait for ever.
  ASSERT_EQ(mkfifo(beside.c_str(), 0600), 0);
  EXPECT_TRUE(ReplaceFile(directory_ / "file", "3"));
  EXPECT_EQ(ReadFile(directory_ / "file", 16), "3");
  EXPECT_EQ(Files(), 2U);
}

TEST_F(ReplaceFileTest, PutsNoFileInThePlaceOfADeviceOrPipe) {
  const std::string pipe = directory_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const auto replace : {ReplaceFile, ReplaceNamedFile}) {
    const Status refused = replace(pipe, "x");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "write \"" + pipe + "\": is no regular file; name a file of its own");
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  }
  EXPECT_EQ(Files(), 1U);
}

TEST_F(ReplaceFileTest, ALinkThatAPersonNamesIsLeftAlone) {
  const std::string link = directory_ / "link";
  std::filesystem::create_symlink("/dev/null", link);
  const Status refused = ReplaceNamedFile(link, "x");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is a link; name a file of its own"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  ASSERT_TRUE(ReplaceFile(link, "x"));
  EXPECT_EQ(ReadFile(link, 16), "x");
  ASSERT_TRUE(ReplaceNamedFile(link, "y"));
  EXPECT_EQ(ReadFile(link, 16), "y");
}

TEST_F(ReplaceFileTest, WritesToTheWorkingDirectoryToo) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_);
  EXPECT_TRUE(ReplaceFile("plain", "x"));
  std::filesystem::current_path(before);
  EXPECT_EQ(ReadFile(directory_ / "plain", 16), "x");
}

}  // namespace
}  // namespace fairlead
