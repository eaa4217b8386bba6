// A decimal number with a unit, read exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// One accepted unit: its exact spelling and how many base units it is.
struct Unit {
  std::string_view name;
  std::uint64_t scale;
};

// How one kind of quantity is written. `units` go from small to large.
struct QuantityKind {
  std::string_view what;     // "duration", for messages
  std::string_view example;  // "250ms", for the remedy
  std::span<const Unit> units;
};

// The number of base units in `text`: digits, an optional fraction, and one of the units with
// nothing between or after. Exact, without floating point; at most INT64_MAX. Every other text is
// kInvalidArgument with the value and the remedy.
Result<std::uint64_t> ParseQuantity(const QuantityKind& kind, std::string_view text);

// The shortest exact spelling, which ParseQuantity reads back as the same value.
std::string FormatQuantity(const QuantityKind& kind, std::uint64_t value);

}  // namespace fairlead
