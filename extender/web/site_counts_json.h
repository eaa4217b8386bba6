// Members by site, as JSON.
#pragma once

#include <string_view>

#include "extender/placement/placement_request.h"
#include "extender/web/json_writer.h"

namespace fairlead::extender {

// `"key":[{"site":"hk","members":2},...]`.
inline void WriteCounts(JsonWriter& json, std::string_view key, const SiteCounts& counts) {
  json.Key(key).Open('[');
  for (const auto& [site, count] : counts) {
    json.Open('{').Key("site").Text(site).Key("members").Integer(count).Close('}');
  }
  json.Close(']');
}

}  // namespace fairlead::extender
