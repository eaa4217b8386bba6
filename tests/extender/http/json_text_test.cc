#include "extender/http/json_text.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <limits>
#include <string>

namespace fairlead::extender {
namespace {

std::string Utf8(std::string_view text) {
  std::string out;
  AppendJsonUtf8(out, text);
  return out;
}

TEST(JsonText, EscapesWhatJsonRequires) {
  std::string out;
  AppendJsonString(out, std::string_view("a\"\\\n\r\t\x01\0z", 9));
  EXPECT_EQ(out, R"("a\"\\\n\r\t\u0001\u0000z")");
}

TEST(JsonText, AsciiEscapesEveryOtherByte) {
  std::string out;
  AppendJsonAscii(out, "\xc3\xa9\x7f");
  EXPECT_EQ(out, R"("\u00c3\u00a9\u007f")");
}

TEST(JsonText, Utf8KeepsWellFormedAndReplacesTheRest) {
  EXPECT_EQ(Utf8("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  EXPECT_EQ(Utf8("a\xff"), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(Utf8("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // overlong
  EXPECT_EQ(Utf8("\xe2\x82"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // cut
  EXPECT_EQ(Utf8("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // surrogate
}

TEST(JsonText, EveryPairOfBytesGivesJsonThatParses) {
  simdjson::dom::parser parser;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(parser.parse(Utf8(text)).error(), simdjson::SUCCESS) << first << " " << second;
    }
  }
}

TEST(JsonText, NumbersReadBackAndNonNumbersAreNull) {
  std::string out;
  AppendJsonNumber(out, 0.1);
  out += ' ';
  AppendJsonNumber(out, std::numeric_limits<double>::quiet_NaN());
  out += ' ';
  AppendJsonNumber(out, std::numeric_limits<double>::infinity());
  out += ' ';
  AppendJsonInteger(out, -17);
  EXPECT_EQ(out, "0.1 null null -17");
}

}  // namespace
}  // namespace fairlead::extender
