#include "extender/cluster/quantity.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::extender {
namespace {

struct Case {
  const char* text;
  std::int64_t scale;
  std::int64_t amount;
};

TEST(Quantity, ReadsWhatKubernetesWrites) {
  for (const Case& c : {Case{"0", 1, 0},
                        {"8", 1, 8},
                        {"+8", 1, 8},
                        {"8", 1000, 8000},
                        {"500m", 1000, 500},
                        {"500m", 1, 1},
                        {"1.5", 1000, 1500},
                        {".5", 1000, 500},
                        {"5.", 1, 5},
                        {"1500u", 1000, 2},
                        {"1n", 1, 1},
                        {"16Ki", 1, 16384},
                        {"1.5Gi", 1, 1610612736},
                        {"0.1Ki", 1, 103},
                        {"1.0001Ki", 1, 1025},
                        {"2e3", 1, 2000},
                        {"2E3", 1, 2000},
                        {"2e+3", 1, 2000},
                        {"25e-1", 1, 3},
                        {"2E", 1, kMostAmount},
                        {"1k", 1, 1000},
                        {"250M", 1, 250000000},
                        {"1T", 1, 1000000000000},
                        {"1Pi", 1, kMostAmount},
                        {"0.5Pi", 1, kMostAmount / 2},
                        {"0.000001Ei", 1, 1152921504607},
                        {"0.000000000000000001Ei", 1, 2},
                        {"0.000000000000000000000001Ei", 1, 1},
                        {"00000000000000000000000000000000000000000000000000007", 1, 7},
                        {"99999999999999999999999999999999999999999999Ei", 1000, kMostAmount},
                        {"7000000000000000000000000000000e-30", 1, 7},
                        {"1.00000000000000000000000000000000000000000000000000000001", 1, 2},
                        {"1e-999999", 1, 1},
                        {"0e999999999", 1, 0},
                        {"1e999999999", 1, kMostAmount},
                        {"1234567890123456789012e2147483647", 1, kMostAmount},
                        {"0.5e-2147483648", 1, 1}}) {
    EXPECT_EQ(ParseAmount(c.text, c.scale), c.amount) << c.text;
  }
}

TEST(Quantity, RefusesAnythingElse) {
  for (const char* text :
       {"",      "m",     "-1",    "1 ",   " 1",  "1x",  "1KI",
        "1mi",   "1..2",  "1.2.3", ".",    "e3",  "1e",  "1e+",
        "1e+-3", "1e++3", "1e3m",  "0x10", "1,5", "NaN", "1e99999999999999999999"}) {
    EXPECT_EQ(ParseAmount(text), std::nullopt) << text;
  }
}

TEST(Quantity, WholeNumbersRoundTrip) {
  for (std::int64_t n = 1; n < kMostAmount / 3; n = n * 3 + 1) {
    EXPECT_EQ(ParseAmount(std::to_string(n)), n);
    EXPECT_EQ(ParseAmount(std::to_string(n) + "m", 1000), n);
    if (n < kMostAmount >> 10) {
      EXPECT_EQ(ParseAmount(std::to_string(n) + "Ki"), n << 10);
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
