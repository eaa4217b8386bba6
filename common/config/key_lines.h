// Where in the file each key stands.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/config/document.h"

namespace fairlead {

// The lines of sections and of the keys in them, counted from 1, by path: "tls", "tls.keyFile".
class KeyLines {
 public:
  KeyLines() = default;
  explicit KeyLines(const DocumentNode& root);

  // The key's line; where it is left to its default, its section's line; else 0.
  int Of(std::string_view path) const;

 private:
  std::map<std::string, int, std::less<>> lines_;
};

}  // namespace fairlead
