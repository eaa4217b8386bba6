// A file without a file system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"

namespace fairlead {

// Bytes that this process alone can open under a path, for a library that wants one. They are never
// on a disk and need no directory that can be written. Used by one thread; others may open the
// path.
class MemoryFile {
 public:
  static Result<MemoryFile> Create(std::string_view bytes);

  // Whoever opens the path gets the old bytes or the new ones, never a part. The time of the last
  // change, in seconds, is a count of the replacements, so that any two differ.
  Status Replace(std::string_view bytes);

  // Good while the object lives; afterwards another file may lie there.
  std::string path() const;

 private:
  MemoryFile() = default;

  FileDescriptor fd_;
  std::int64_t changes_ = 0;
};

}  // namespace fairlead
