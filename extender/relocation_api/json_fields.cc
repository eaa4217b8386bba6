#include "extender/relocation_api/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace fairlead::extender {

const Json& At(const Json& from, std::initializer_list<std::string_view> keys) {
  static const Json kNull;
  const Json* at = &from;
  for (const std::string_view key : keys) {
    if (!at->is_object()) return kNull;
    const auto found = at->find(key);
    if (found == at->end()) return kNull;
    at = &*found;
  }
  return *at;
}

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string TextAt(const Json& from, std::initializer_list<std::string_view> keys) {
  return Text(At(from, keys));
}

bool True(const Json& value) { return value.is_boolean() && value.get<bool>(); }

std::uint32_t Count(const Json& value, std::uint32_t otherwise) {
  if (!value.is_number_integer()) return otherwise;
  if (!value.is_number_unsigned()) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value.get<std::uint64_t>(), UINT32_MAX));
}

StringMap Strings(const Json& value) {
  StringMap strings;
  if (!value.is_object()) return strings;
  for (const auto& [key, text] : value.items()) strings.emplace(key, Text(text));
  return strings;
}

bool HasCondition(const Json& object, std::string_view type) {
  const Json& conditions = At(object, {"status", "conditions"});
  return conditions.is_array() && std::ranges::any_of(conditions, [&](const Json& condition) {
           return TextAt(condition, {"type"}) == type && TextAt(condition, {"status"}) == "True";
         });
}

OwnerFacts ControllerOf(const Json& object) {
  const Json& owners = At(object, {"metadata", "ownerReferences"});
  if (!owners.is_array()) return {};
  for (const Json& owner : owners) {
    if (!True(At(owner, {"controller"}))) continue;
    return {.kind = TextAt(owner, {"kind"}),
            .name = TextAt(owner, {"name"}),
            .uid = TextAt(owner, {"uid"}),
            .controller = true,
            .api_version = TextAt(owner, {"apiVersion"})};
  }
  return {};
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fairlead::extender
