// The configuration file, live.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"

namespace fairlead {

// Reads and parses the file; the message of a failure names the file, the lines and the remedies.
Result<Config> ReadConfigFile(const std::string& path);

// How reloading has gone since the start.
struct ReloadStats {
  std::uint64_t successes = 0;  // contents that came into force after the first
  std::uint64_t failures = 0;   // contents that were refused
  WallTime last_success{};      // when the configuration in force was read
  std::string last_error;       // why the newest contents are not in force; empty when they are
};

// Keeps the newest valid contents of the file in force. An edit that is wrong, or a file that is
// gone, leaves the last good configuration in force, is logged with its reasons and counted once.
// Unchanged contents count as nothing. Thread-safe.
class ConfigWatcher {
 public:
  // The first contents must be valid. `on_reload`, if given, is called on the watcher's thread
  // after each success or failure was recorded. `clock` must outlive the watcher.
  static Result<std::unique_ptr<ConfigWatcher>> Create(const std::string& path, const Clock& clock,
                                                       std::function<void()> on_reload = {});
  // Returns once no reload runs any more; the snapshot lives as long as the watcher.
  ~ConfigWatcher();

  const Snapshot<Config>& config() const;
  ReloadStats stats() const;

 private:
  struct Impl;
  explicit ConfigWatcher(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead
