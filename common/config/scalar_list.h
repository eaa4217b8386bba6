// Lists of single values in the configuration.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/config/section_reader.h"

namespace fairlead {

// Reads each item by `parse`: Result<T>(std::string_view). Whatever is wrong with one is a problem
// of the key; so is a list without items. Leaves `out` alone if the key is not there.
template <class T, class Parse>
void ReadScalars(SectionReader& reader, std::string_view key, std::vector<T>& out, Parse parse) {
  const std::vector<DocumentNode>& items = reader.List(key);
  const DocumentNode* node = reader.Child(key);
  if (node == nullptr) return;
  if (items.empty() &&
      (node->kind == DocumentNode::Kind::kSequence || node->kind == DocumentNode::Kind::kNull)) {
    return reader.Complain(key, "is empty; list values or remove the key");
  }
  std::vector<T> values;
  for (const DocumentNode& item : items) {
    if (item.kind != DocumentNode::Kind::kScalar) {
      return reader.Complain(key, "holds something other than single values");
    }
    auto value = parse(std::string_view(item.text));
    if (!value) return reader.Complain(key, value.error().message);
    values.push_back(*std::move(value));
  }
  out = std::move(values);
}

}  // namespace fairlead
