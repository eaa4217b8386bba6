#include "extender/scheduler_config/go_duration.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(GoDuration, IsReadAsGoReadsIt) {
  const std::pair<const char*, Nanoseconds> cases[] = {
      {"200ms", Milliseconds(200)},  {"1.5s", Milliseconds(1500)},
      {"1m30s", Seconds(90)},        {"0", Nanoseconds(0)},
      {"0s", Nanoseconds(0)},        {"-1s", Seconds(-1)},
      {"+1.5s", Milliseconds(1500)}, {"2h", Seconds(7200)},
      {"9000h", Seconds(32400000)},  {"10us", Nanoseconds(10000)},
      {".5s", Milliseconds(500)},    {"10\xc2\xb5s", Nanoseconds(10000)}};
  for (const auto& [text, value] : cases) EXPECT_EQ(ParseGoDuration(text), value) << text;
}

TEST(GoDuration, NothingElseIsOne) {
  for (const char* text : {"", "5", "ms", "--1s", "+-1s", "-", "+", "1 s", "1x", "1s2", "1e3s",
                           "infs", "nans", "2562048h", "99999999999h", "1s "}) {
    EXPECT_FALSE(ParseGoDuration(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::extender
