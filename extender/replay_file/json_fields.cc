#include "extender/replay_file/json_fields.h"

#include <nlohmann/json.hpp>

#include "common/base/quote.h"
#include "extender/replay/link_points.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

// Whole objects may be huge, or nested deeper than can be written.
std::string Shown(const json& value) {
  if (value.is_string()) return Quoted(value.get_ref<const std::string&>());
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return value.dump();
}

}  // namespace

const json* JsonFields::Find(const char* name) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool JsonFields::Has(const char* name) const { return Find(name) != nullptr; }

void JsonFields::Complain(const char* name, const std::string& what) const {
  if (fault_.empty()) fault_ = path_ + name + " " + what;
}

std::optional<double> JsonFields::Number(const char* name) const {
  const json* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  Complain(name, "is " + Shown(*value) + ", not a number");
  return std::nullopt;
}

std::optional<Nanoseconds> JsonFields::Span(const char* name) const {
  const auto seconds = Number(name);
  if (!seconds) return std::nullopt;
  const auto span = SpanOf(*seconds);
  if (span) return *span;
  Complain(name, "cannot be: " + span.error().message);
  return std::nullopt;
}

std::optional<std::string> JsonFields::Text(const char* name) const {
  const json* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  Complain(name, "is " + Shown(*value) + ", not a text");
  return std::nullopt;
}

bool JsonFields::Flag(const char* name) const {
  const json* value = Find(name);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  Complain(name, "is " + Shown(*value) + ", neither true nor false");
  return false;
}

JsonFields JsonFields::Object(const char* name) const {
  static const json kNone = json::object();
  const json* value = Find(name);
  if (value != nullptr && !value->is_object()) {
    Complain(name, "is " + Shown(*value) + ", not an object");
    value = nullptr;
  }
  return {value == nullptr ? kNone : *value, path_ + name + ".", fault_};
}

const json* JsonFields::Array(const char* name) const {
  const json* value = Find(name);
  if (value == nullptr || value->is_array()) return value;
  Complain(name, "is " + Shown(*value) + ", not a list");
  return nullptr;
}

}  // namespace fairlead::extender
