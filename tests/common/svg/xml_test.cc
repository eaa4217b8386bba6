#include "common/svg/xml.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(XmlEscapedTest, LeavesNoMarkupAndNothingForbidden) {
  EXPECT_EQ(XmlEscaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(XmlEscaped("\xC3\xA4 \xE2\x86\x92 \xF0\x9F\x9A\xA2"),
            "\xC3\xA4 \xE2\x86\x92 \xF0\x9F\x9A\xA2");
  EXPECT_EQ(XmlEscaped(std::string("\0\x01\t", 3)), "\xEF\xBF\xBD\xEF\xBF\xBD\t");
  for (const char* bad : {"\xFF", "\x80", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xC3", "\xEF\xBF\xBF", "\xE2\x86"}) {
    const std::string escaped = XmlEscaped(bad);
    EXPECT_EQ(escaped.substr(0, 3), "\xEF\xBF\xBD") << escaped;
    EXPECT_EQ(escaped.size() % 3, 0U);
  }
}

}  // namespace
}  // namespace fairlead
