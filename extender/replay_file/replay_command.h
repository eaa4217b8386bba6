// What `replay` does.
#pragma once

#include <string>

#include "common/base/result.h"

namespace fairlead::extender {

struct ReplayWish {
  std::string links_file;
  std::string jobs_file;
  std::string config_file;
  std::string svg_file;  // empty: no picture
  bool json = false;
};

// Reads the three files, replays, writes the picture, and returns what is to be printed. The error
// names the file, line, value and remedy; then nothing was written.
Result<std::string> RunReplay(const ReplayWish& wish);

}  // namespace fairlead::extender
