// YAML as Kubernetes and Volcano read it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::extender {

enum class YamlType { kNull, kFlag, kWhole, kFraction, kText, kList, kMap };

// A value as it is written, and its line counted from 1.
struct Scalar {
  std::string text = {};
  int line = 0;
  YamlType type = YamlType::kText;
};
using Scalars = std::map<std::string, Scalar, std::less<>>;

struct YamlValue {
  Scalar scalar;  // of a list or mapping its line and type alone
  std::vector<YamlValue> items;
  std::vector<std::pair<Scalar, YamlValue>> members;  // in order

  // The later of two members with that key; null where there is none or this is no mapping.
  const YamlValue* Find(std::string_view key) const;
  // The members that are no null; those that are no scalars have no text. Their lines are the
  // keys'.
  Scalars ScalarsInside() const;
};

// What a text without quotes and tag is in YAML 1.1 as go.yaml.in/yaml/v2 resolves it: yes, on and
// y are flags, 0x5, 0b1, 1_000 and 010 whole numbers. Points in time count as text.
YamlType ResolvePlain(std::string_view text);

// Nothing for what is no flag, one in quotes too.
std::optional<bool> ReadFlag(const Scalar& value);
// A fraction that is whole counts, 5.0 or 1e2, as JSON writes it without its point. Nothing for
// another type, and beyond 64 bits.
std::optional<std::int64_t> ReadInteger(const Scalar& value);

}  // namespace fairlead::extender
