// A Node's metadata in JSON: its name and its site.
#pragma once

#include <cstddef>
#include <string_view>

#include "extender/decision/offered_node.h"
#include "extender/http/json_cursor.h"

namespace fairlead::extender::json {

// Far above the largest cluster; bounds the work of one request.
inline constexpr std::size_t kMaxNodes = 100'000;
// Kubernetes allows 253; an answer may be remembered by its node.
inline constexpr std::size_t kMostNodeNameBytes = 512;

// Reads name and the label `site_label` from a Node's metadata. `limit` is the document's length.
inline error_code ReadNodeMetadata(od::value& metadata, std::size_t limit,
                                   std::string_view site_label, OfferedNode& node) {
  return ForEachField(metadata, limit, [&](auto key, od::value value) {
    if (SameKey(key, "name")) return ReadText(value, node.name);
    if (!SameKey(key, "labels")) return simdjson::SUCCESS;
    return ForEachField(value, limit, [&](auto label, od::value text) {
      return label == site_label ? ReadText(text, node.site) : simdjson::SUCCESS;
    });
  });
}

}  // namespace fairlead::extender::json
