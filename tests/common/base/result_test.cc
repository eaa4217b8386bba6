#include "common/base/result.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fairlead {
namespace {

TEST(Error, NamesEveryCodeWithAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const ErrorCode code :
       {ErrorCode::kInvalidArgument, ErrorCode::kNotFound, ErrorCode::kUnavailable,
        ErrorCode::kPermissionDenied, ErrorCode::kUnauthenticated, ErrorCode::kResourceExhausted,
        ErrorCode::kUnsupported, ErrorCode::kInternal}) {
    words.insert(ErrorCodeName(code));
  }
  EXPECT_EQ(words.size(), 8U);
  EXPECT_FALSE(words.contains("unknown"));
}

TEST(Error, KeepsTheCodeWhenContextIsAdded) {
  const Error inner{ErrorCode::kNotFound, "no device mlx5_0"};
  const Error outer = inner.Within("open").Within("start");
  EXPECT_EQ(outer.code, ErrorCode::kNotFound);
  EXPECT_EQ(outer.message, "start: open: no device mlx5_0");
}

TEST(Result, CarriesAValueOrAnError) {
  const auto half = [](int n) -> Result<int> {
    if (n % 2 != 0) return Fail(ErrorCode::kInvalidArgument, std::to_string(n) + " is odd");
    return n / 2;
  };
  EXPECT_EQ(half(8).value(), 4);
  EXPECT_EQ(half(7).error().message, "7 is odd");
}

}  // namespace
}  // namespace fairlead
