// A file that other programs read, kept as it should be.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "common/base/result.h"

namespace fairlead::deviceplugin {

// Keep and Remove by one thread, Intact by any. The file outlives the object: containers that are
// restarted while the plugin is upgraded still need it.
class KeptFile {
 public:
  explicit KeptFile(std::string path) : path_(std::move(path)) {}

  // Writes where the text differs from what was written last, or where somebody has changed or
  // removed the file since. An error names the path.
  Status Keep(std::string text);
  // Also right where there is no file.
  Status Remove();

  // False once somebody else has changed or removed what was written. One stat.
  bool Intact() const;

  const std::string& path() const { return path_; }

 private:
  // What tells a file from another one at the same path, and from itself after a change.
  struct Mark {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;  // st_mtim

    bool operator==(const Mark&) const = default;
  };
  std::optional<Mark> Look() const;

  const std::string path_;
  std::string text_;  // as written
  mutable std::mutex mutex_;
  std::optional<Mark> written_;  // nothing where there is nothing of ours
};

}  // namespace fairlead::deviceplugin
