// Everything wrong with one configuration file, collected so that one run shows it all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.h"

namespace fairlead {

class Problems {
 public:
  // `line` counts from 1; 0 is the file as a whole. `path` is the key path, "detector.window" or
  // "lines[2].between", empty for the file.
  void Add(int line, std::string_view path, std::string message);
  bool empty() const { return found_.empty(); }

  // One line a problem, "FILE:LINE: path: message", in the order of the file; beyond the first 50
  // only their number.
  Error ToError(std::string_view file_name) const;

 private:
  struct Problem {
    int line;
    std::string text;
  };
  std::vector<Problem> found_;
};

}  // namespace fairlead
