// Instant vectors as Prometheus' HTTP API writes them.
#pragma once

#include <string_view>

#include "common/base/result.h"
#include "extender/promql/instant_vector.h"

namespace fairlead::extender {

// Reads the body of GET /api/v1/query. kInvalidArgument says what is wrong: no JSON, not the API of
// a Prometheus, an error that it reports, or another type of result than a vector or scalar.
Result<InstantVector> DecodeInstantVector(std::string_view body);

}  // namespace fairlead::extender
