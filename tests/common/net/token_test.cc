#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/net/bearer_token.h"
#include "common/net/token_source.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead {
namespace {

namespace fs = std::filesystem;

TEST(ParseToken, TrimsAndTakesVisibleAsciiOnly) {
  EXPECT_EQ(ParseToken(" \tabc.DEF-_~+/=\r\n"), "abc.DEF-_~+/=");
  EXPECT_EQ(ParseToken(std::string(16 << 10, 'a')).value().size(), std::size_t{16} << 10);
  for (const std::string& text : {std::string(), std::string(" \n"), std::string("a b"),
                                  std::string("a\nb"), std::string("a\0b", 3), std::string("a\x7f"),
                                  std::string("\xc3\xa9"), std::string((16 << 10) + 1, 'a')}) {
    EXPECT_FALSE(ParseToken(text));
  }
}

TEST(ParseBearer, IsTheInverseOfFormat) {
  EXPECT_EQ(ParseBearer(FormatBearer("abc")), "abc");
  EXPECT_EQ(ParseBearer("bearer abc"), "abc");
  for (const std::string_view header :
       {"", "abc", "Bearer", "Bearer ", "Basic abc", "Bearer a b"}) {
    ASSERT_FALSE(ParseBearer(header)) << header;
    EXPECT_EQ(ParseBearer(header).error().code, ErrorCode::kUnauthenticated);
    EXPECT_EQ(ParseBearer(header).error().message.find("abc"), std::string::npos);
  }
}

TEST(SameToken, ComparesWholeTokens) {
  EXPECT_TRUE(SameToken("abc", "abc"));
  EXPECT_FALSE(SameToken("abc", "abd"));
  EXPECT_FALSE(SameToken("abc", "ab"));
  EXPECT_TRUE(SameToken("", ""));
}

TEST(TokenSource, ReadsTheFileAnew) {
  const TempDirectory temp;
  const TokenSource source(temp.Write("token", "first\n"));
  fs::permissions(source.path(), fs::perms(0644));
  EXPECT_EQ(source.Read(), "first");
  temp.Write("token", "second\n");
  EXPECT_EQ(source.Read(), "second");
}

TEST(TokenSource, SaysWhatIsWrongWithTheFile) {
  const TempDirectory temp;
  EXPECT_EQ(TokenSource((temp.path() / "none").string()).Read().error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(TokenSource(temp.path().string()).Read());
  EXPECT_NE(TokenSource("").Read().error().message.find("no token file is set"), std::string::npos);
  const TokenSource source(temp.Write("token", "\n"));
  fs::permissions(source.path(), fs::perms(0600));
  EXPECT_NE(source.Read().error().message.find("is empty"), std::string::npos);
  temp.Write("token", "abc");
  for (const int mode : {0620, 0602, 0666}) {
    fs::permissions(source.path(), fs::perms(mode));
    EXPECT_EQ(source.Read().error().code, ErrorCode::kPermissionDenied) << mode;
    EXPECT_NE(source.Read().error().message.find("chmod go-w"), std::string::npos);
  }
  EXPECT_EQ(source.Read().error().message.find("abc"), std::string::npos);
}

}  // namespace
}  // namespace fairlead
