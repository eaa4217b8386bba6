// Lenient reading of schedulers' bodies.
#pragma once

#include "common/json/json_cursor.h"

namespace fairlead::extender::json {

using namespace fairlead::json;

}  // namespace fairlead::extender::json
