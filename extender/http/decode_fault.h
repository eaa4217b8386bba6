// Why a scheduler's body could not be read.
#pragma once

#include <string>
#include <string_view>

namespace fairlead::extender {

// `reason` is one word for the metric's label: empty_body, not_utf8, not_json, truncated,
// wrong_type, trailing_bytes, too_long, too_many_nodes.
struct DecodeFault {
  std::string_view reason;
  std::string message;
};

}  // namespace fairlead::extender
