// Where the first JSON object or array of a text ends, told by its brackets alone.
#pragma once

#include <cstddef>
#include <string_view>

namespace fairlead::extender {

struct JsonExtent {
  enum class Kind {
    kWhole,       // only white space follows it
    kFollowed,    // other bytes follow it, the first of them at `at`
    kTruncated,   // the text ends before it does
    kMismatched,  // a bracket at `at` closes none, or one of the other kind
  };
  Kind kind = Kind::kTruncated;
  std::size_t at = 0;  // counted from 0
};

// For error messages about a text that a parser has refused: it judges nothing but brackets and
// quotes. Linear; one bit of memory for each level of nesting. Pure.
JsonExtent ExtentOf(std::string_view text);

}  // namespace fairlead::extender
