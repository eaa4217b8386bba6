#include "extender/http/json_check.h"

namespace fairlead::extender::json {

error_code JsonCheck::Check(std::string_view piece) {
  if (piece.size() > kMostEchoedBytes) return simdjson::CAPACITY;
  return parser_.parse(piece.data(), piece.size(), /*realloc_if_needed=*/false).error();
}

}  // namespace fairlead::extender::json
