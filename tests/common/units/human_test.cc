#include "common/units/human.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(HumanAge, IsAWholeNumberOfTheUnitThatSuits) {
  const struct {
    Nanoseconds age;
    std::string_view text;
  } kCases[] = {{Nanoseconds::min(), "<1 s"},
                {-Seconds(5), "<1 s"},
                {Nanoseconds(0), "<1 s"},
                {Milliseconds(999), "<1 s"},
                {Seconds(1), "1 s"},
                {Milliseconds(45'900), "45 s"},
                {Milliseconds(119'999), "119 s"},
                {Seconds(120), "2 min"},
                {Milliseconds(181'920), "3 min"},
                {Seconds(7199), "119 min"},
                {Seconds(7200), "2 h"},
                {Seconds(48 * 3600 - 1), "47 h"},
                {Seconds(48 * 3600), "2 days"},
                {Nanoseconds::max(), "106751 days"}};
  for (const auto& c : kCases) EXPECT_EQ(HumanAge(c.age), c.text);
}

TEST(HumanPercent, NeverCallsALittleNothing) {
  const struct {
    double ratio;
    std::string_view text;
  } kCases[] = {{0, "0 %"},         {1, "100.0 %"},           {0.05, "5.0 %"},
                {0.123, "12.3 %"},  {0.01, "1.0 %"},          {0.0012, "0.12 %"},
                {1e-5, "0.0010 %"}, {2.5e-9, "0.00000025 %"}, {-0.05, "-5.0 %"}};
  for (const auto& c : kCases) EXPECT_EQ(HumanPercent(c.ratio), c.text) << c.ratio;
}

TEST(HumanRate, HasFourDigits) {
  const struct {
    double rate;
    std::string_view text;
  } kCases[] = {{0, "0 bps"},          {1e9, "1 Gbps"},           {9'412'345'678, "9.412 Gbps"},
                {999.94, "999.9 bps"}, {999.96, "1 kbps"},        {400e9, "400 Gbps"},
                {1.2e12, "1.2 Tbps"},  {1.2345e17, "123450 Tbps"}};
  for (const auto& c : kCases) EXPECT_EQ(HumanRate(c.rate), c.text) << c.rate;
}

TEST(Counted, ChoosesTheWord) {
  EXPECT_EQ(Counted(0, "node", "nodes"), "0 nodes");
  EXPECT_EQ(Counted(1, "node is", "nodes are"), "1 node is");
  EXPECT_EQ(Counted(2, "node", "nodes"), "2 nodes");
}

}  // namespace
}  // namespace fairlead
