// A YAML file as a plain tree with line numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/config/problems.h"

namespace fairlead {

// One value. Children of a mapping carry their key; `line` is the key's line there, else the
// value's own, counted from 1.
struct DocumentNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  std::string key;
  int line = 0;
  std::string text;     // of a scalar, as written
  bool quoted = false;  // the scalar was in quotes or a block: it is text, not a number
  std::vector<DocumentNode> children;
};

// The file's one document. Refused and added to `problems`: what is not UTF-8 or not YAML, a byte
// order mark, tabs in the indentation, more than 1 MiB, a second document, anchors, aliases, tags,
// doubled keys, keys that are not plain words, nesting deeper than 8, mappings of more than 200
// keys and lists of more than 10,000 items. What is returned besides problems is what could be
// read. An empty file is a null node.
DocumentNode ReadDocument(std::string_view text, Problems& problems);

}  // namespace fairlead
