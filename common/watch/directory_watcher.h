// Noticing that something in a directory has changed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"

namespace fairlead {

// Calls `on_change` from its own thread: once at the beginning, then after every burst of changes
// to the directory's entries has settled (files written and closed, renamed, made, removed,
// symbolic links swapped as for a ConfigMap), and when the directory itself is replaced, also by
// one that is made only later. Changes behind a symbolic link that leads elsewhere are not seen.
class DirectoryWatcher {
 public:
  // What it returns, if anything, is when to call again at the latest, changed or not.
  using OnChange = std::function<std::optional<Nanoseconds>()>;

  // Fails where the directory is not there now or the kernel's inotify limits are reached.
  static Result<std::unique_ptr<DirectoryWatcher>> Create(std::string directory,
                                                          OnChange on_change);
  // Returns once no call of `on_change` runs any more.
  ~DirectoryWatcher();

 private:
  class Loop;
  explicit DirectoryWatcher(std::unique_ptr<Loop> loop);

  std::unique_ptr<Loop> loop_;
};

}  // namespace fairlead
