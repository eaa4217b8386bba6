// Reading a whole small file.
#pragma once

#include <cstddef>
#include <string>

#include "common/base/result.h"

namespace fairlead {

// The file's bytes. The message names the path; a file longer than `most` bytes is
// kInvalidArgument. Regular files only: a directory or pipe is refused, never waited for.
Result<std::string> ReadFile(const std::string& path, std::size_t most);

}  // namespace fairlead
