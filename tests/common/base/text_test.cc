#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "common/base/quote.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead {
namespace {

using namespace std::string_literals;

TEST(Quoted, ShowsAnyBytesAsPrintableText) {
  EXPECT_EQ(Quoted("hk-1"), "\"hk-1\"");
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("\n\x00\x7f\xff"s), R"("\x0a\x00\x7f\xff")");
  EXPECT_EQ(Quoted("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(Quoted(""), "\"\"");
}

TEST(SystemError, NamesTheThingAndTheCause) {
  const Error error = SystemError(ENOENT, "open x");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.message, "open x: no such file or directory (errno 2)");
  EXPECT_EQ(SystemError(EADDRINUSE, "").code, ErrorCode::kUnavailable);
  EXPECT_EQ(SystemError(EACCES, "").code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(SystemError(EMFILE, "").code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(SystemError(99999, "").code, ErrorCode::kInternal);
}

class ReadFileTest : public testing::Test {
 protected:
  std::string Write(const std::string& text) const { return temp_.Write("file", text); }

  const TempDirectory temp_;
  const std::string directory_ = temp_.path().string();
};

TEST_F(ReadFileTest, GivesEveryByte) {
  const std::string text = "a\0b\xff\n"s + std::string(40'000, 'x');
  EXPECT_EQ(ReadFile(Write(text), 1 << 20).value(), text);
  EXPECT_EQ(ReadFile(Write(""), 1 << 20).value(), "");
}

TEST_F(ReadFileTest, RefusesWhatIsLongerThanAllowed) {
  EXPECT_TRUE(ReadFile(Write("12345"), 5));
  EXPECT_EQ(ReadFile(Write("123456"), 5).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(ReadFileTest, RefusesWhatIsNoRegularFileWithoutWaiting) {
  EXPECT_EQ(ReadFile(directory_ + "/missing", 10).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(ReadFile(directory_, 10));
  const std::string pipe = directory_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(ReadFile(pipe, 10));
}

}  // namespace
}  // namespace fairlead
