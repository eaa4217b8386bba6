// Fields of what the API server tells. What is not there, or of another type, is null.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "extender/gang/pod_facts.h"

namespace fairlead::extender {

using Json = nlohmann::json;

// The value at the end of these keys; null where there is none.
const Json& At(const Json& from, std::initializer_list<std::string_view> keys);

// Empty where it is no string.
std::string Text(const Json& value);
std::string TextAt(const Json& from, std::initializer_list<std::string_view> keys);
bool True(const Json& value);
// A number below 0 is 0, one beyond 32 bits the greatest; `otherwise` where it is none.
std::uint32_t Count(const Json& value, std::uint32_t otherwise);
// A map of strings, like labels.
StringMap Strings(const Json& value);

// Whether one of status.conditions has this type and is true.
bool HasCondition(const Json& object, std::string_view type);
// The one of metadata.ownerReferences that controls it; without a uid: none does.
OwnerFacts ControllerOf(const Json& object);

// What others wrote may not be UTF-8.
std::string Dump(const Json& json);

}  // namespace fairlead::extender
