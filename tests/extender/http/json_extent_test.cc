#include "extender/http/json_extent.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead::extender {
namespace {

using Kind = JsonExtent::Kind;

TEST(JsonExtent, IsToldByBracketsAndQuotes) {
  const struct {
    std::string text;
    Kind kind;
    std::size_t at;
  } kCases[] = {
      {"{}", Kind::kWhole, 2},
      {" {\"a\":[{},{}]}\n ", Kind::kWhole, 14},
      {"{}x", Kind::kFollowed, 2},
      {"[] \t\r\n{", Kind::kFollowed, 6},
      {R"({"}":"\"}"} x)", Kind::kFollowed, 12},
      {R"({"\\":1}})", Kind::kFollowed, 8},
      {"", Kind::kTruncated, 0},
      {"{", Kind::kTruncated, 1},
      {"{\"a", Kind::kTruncated, 3},
      {"{\"a\\", Kind::kTruncated, 4},
      {"{\"a\\\"}", Kind::kTruncated, 6},
      {"[[]", Kind::kTruncated, 3},
      {"}", Kind::kMismatched, 0},
      {"{]", Kind::kMismatched, 1},
      {"[{]}", Kind::kMismatched, 2},
  };
  for (const auto& c : kCases) {
    const JsonExtent extent = ExtentOf(c.text);
    EXPECT_EQ(extent.kind, c.kind) << c.text;
    EXPECT_EQ(extent.at, c.at) << c.text;
  }
}

}  // namespace
}  // namespace fairlead::extender
