#include "linkprobe/record_file/json_fields.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace fairlead::linkprobe {
namespace {

using json = nlohmann::ordered_json;

// Beyond it a number is no time of ours: 73 years.
constexpr double kFarthestSeconds = 2.3e9;

double AsNumber(const json& value, const char* name) {
  if (!value.is_number()) throw Misread{std::string(name) + " is no number"};
  return value.get<double>();
}

Nanoseconds AsDuration(const json& value, const char* name) {
  const double seconds = AsNumber(value, name);
  if (!(std::abs(seconds) <= kFarthestSeconds)) {
    throw Misread{std::string(name) + " is out of range"};
  }
  return Nanoseconds(std::llround(seconds * 1e9));
}

}  // namespace

Fields::Fields(const json& from) : from_(from) {
  if (!from.is_object()) throw Misread{"is no JSON object"};
}

const json* Fields::Find(const char* name) const {
  const auto found = from_.find(name);
  return found == from_.end() || found->is_null() ? nullptr : &*found;
}

const json& Fields::Need(const char* name) const {
  const json* found = Find(name);
  if (found == nullptr) throw Misread{std::string("has no ") + name};
  return *found;
}

std::string Fields::Text(const char* name) const {
  const json& value = Need(name);
  if (!value.is_string()) throw Misread{std::string(name) + " is no text"};
  return value.get<std::string>();
}

double Fields::Number(const char* name) const { return AsNumber(Need(name), name); }

std::uint64_t Fields::Count(const char* name) const {
  const json& value = Need(name);
  if (!value.is_number_unsigned()) throw Misread{std::string(name) + " is no count"};
  return value.get<std::uint64_t>();
}

std::uint32_t Fields::SmallCount(const char* name) const {
  const std::uint64_t value = Count(name);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    throw Misread{std::string(name) + " is too large"};
  }
  return static_cast<std::uint32_t>(value);
}

Nanoseconds Fields::Duration(const char* name) const { return AsDuration(Need(name), name); }

std::optional<Nanoseconds> Fields::DurationIfAny(const char* name) const {
  const json* found = Find(name);
  if (found == nullptr) return std::nullopt;
  return AsDuration(*found, name);
}

bool Fields::Flag(const char* name) const {
  const json* found = Find(name);
  if (found == nullptr) return false;
  if (!found->is_boolean()) throw Misread{std::string(name) + " is neither true nor false"};
  return found->get<bool>();
}

}  // namespace fairlead::linkprobe
