// The members of a JSON object that comes from outside.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "common/base/clock.h"

namespace fairlead::linkprobe {

// What is wrong with a member, "rtt_seconds is no number"; thrown, and caught by the codec that
// made the Fields.
struct Misread {
  std::string what;
};

// `from` outlives it. Null counts as absent. Every reader throws Misread where the member is there
// and is of another type, and those without "IfAny" where it is absent.
class Fields {
 public:
  explicit Fields(const nlohmann::ordered_json& from);

  const nlohmann::ordered_json* Find(const char* name) const;
  const nlohmann::ordered_json& Need(const char* name) const;
  std::string Text(const char* name) const;
  double Number(const char* name) const;
  std::uint64_t Count(const char* name) const;
  std::uint32_t SmallCount(const char* name) const;
  // Of seconds; a number beyond 73 years is refused.
  Nanoseconds Duration(const char* name) const;
  std::optional<Nanoseconds> DurationIfAny(const char* name) const;
  WallTime Wall(const char* name) const { return WallTime(Duration(name)); }
  // False where it is absent.
  bool Flag(const char* name) const;

 private:
  const nlohmann::ordered_json& from_;
};

}  // namespace fairlead::linkprobe
