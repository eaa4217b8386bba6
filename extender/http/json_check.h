// Whether a piece of a body may be echoed as it came.
#pragma once

#include <cstddef>
#include <string_view>

#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// etcd takes no object of more than 1.5 MiB, which is larger as JSON.
inline constexpr std::size_t kMostEchoedBytes = 8U << 20;

// Reads a piece whole, because what a cursor skips it does not check. Keeps its memory, which is
// some ten times the longest piece, between pieces. Not thread-safe.
class JsonCheck {
 public:
  // Why `piece`, behind which there are kBodyPadding readable bytes, is not one JSON value that any
  // reader takes; SUCCESS where it is one. Besides what JSON refuses: more than kMostEchoedBytes
  // bytes or 1024 levels, half of a surrogate pair, a number that fits neither 64 bits nor a
  // double.
  error_code Check(std::string_view piece);
  std::size_t memory_bytes() const { return parser_.capacity() * 10; }

 private:
  simdjson::dom::parser parser_;
};

}  // namespace fairlead::extender::json
