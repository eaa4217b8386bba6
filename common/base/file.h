// Reading and writing a whole small file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead {

// The file's bytes. The message names the path; a file longer than `most` bytes is
// kInvalidArgument. Regular files only: a directory or pipe is refused, never waited for.
Result<std::string> ReadFile(const std::string& path, std::size_t most);

// Replaces the file at one stroke: a reader sees the old bytes or the new ones, never a part. The
// new ones are written beside it first, under a name that begins with a dot, which those who watch
// a directory pass over. The file's mode is 0644. A device, pipe or socket that lies there is left
// as it is: kInvalidArgument. A link is replaced, not followed.
Status ReplaceFile(const std::string& path, std::string_view bytes);

// As ReplaceFile, for a path that a person names: a link is left as it is, too, for /dev/stdout is
// one.
Status ReplaceNamedFile(const std::string& path, std::string_view bytes);

}  // namespace fairlead
