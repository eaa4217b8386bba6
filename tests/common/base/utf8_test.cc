#include "common/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead {
namespace {

TEST(Utf8, ReadsTheFirstCharacterAtEachLength) {
  EXPECT_EQ(FirstUtf8(std::string_view("\0", 1)), (Utf8Character{0, 1}));
  EXPECT_EQ(FirstUtf8("a\xff"), (Utf8Character{'a', 1}));
  EXPECT_EQ(FirstUtf8("\x7f"), (Utf8Character{0x7f, 1}));
  EXPECT_EQ(FirstUtf8("\xc2\x80"), (Utf8Character{0x80, 2}));
  EXPECT_EQ(FirstUtf8("\xdf\xbf"), (Utf8Character{0x7ff, 2}));
  EXPECT_EQ(FirstUtf8("\xe0\xa0\x80"), (Utf8Character{0x800, 3}));
  EXPECT_EQ(FirstUtf8("\xed\x9f\xbf"), (Utf8Character{0xd7ff, 3}));
  EXPECT_EQ(FirstUtf8("\xee\x80\x80"), (Utf8Character{0xe000, 3}));
  EXPECT_EQ(FirstUtf8("\xf0\x90\x80\x80"), (Utf8Character{0x10000, 4}));
  EXPECT_EQ(FirstUtf8("\xf4\x8f\xbf\xbf"), (Utf8Character{0x10ffff, 4}));
}

TEST(Utf8, WhatIsNotWellFormedHasNoCharacter) {
  for (const char* text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xe0\xa0",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(FirstUtf8(text).bytes, 0U) << testing::PrintToString(std::string(text));
  }
}

TEST(Utf8, AnyTextBecomesOneThatIsWellFormedAndNotTooLong) {
  EXPECT_EQ(AsUtf8("", 4), "");
  EXPECT_EQ(AsUtf8("plain", 9), "plain");
  EXPECT_EQ(AsUtf8("plain", 3), "pla");
  EXPECT_EQ(AsUtf8("a\xff\xc3z\xe2\x82", 9), "a??z??");
  EXPECT_EQ(AsUtf8("\xe2\x82\xac\xe2\x82\xac", 5), "\xe2\x82\xac") << "no half character";
  EXPECT_EQ(AsUtf8("\xff", 0), "");
}

}  // namespace
}  // namespace fairlead
