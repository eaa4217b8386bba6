// The configuration file, live.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/base/result.h"
#include "common/base/snapshot.h"
#include "common/config/config.h"
#include "common/config/parse.h"
#include "common/config/restart_keys.h"

namespace fairlead {

// Reads and parses the file; the message of a failure names the file, the lines and the remedies.
Result<Config> ReadConfigFile(const std::string& path);
Result<LocatedConfig> ReadLocatedConfigFile(const std::string& path);

// What such messages call the file: its name without directories.
std::string ConfigFileName(const std::string& path);

// How reloading has gone since the start.
struct ReloadStats {
  std::uint64_t successes = 0;  // contents that came into force after the first
  std::uint64_t failures = 0;   // contents that were refused
  WallTime last_success{};      // when the configuration in force was read
  std::string last_error = {};  // why the newest contents are not in force; empty when they are
  std::vector<RestartKey> restart_keys = {};  // of the configuration in force
};

// Keeps the newest valid contents of the file in force. An edit that is wrong, or a file that is
// gone, leaves the last good configuration in force, is logged with its reasons and counted once.
// Contents are judged once they have stood unchanged for 200 ms, so that a file caught while it is
// rewritten in place is no failure. Unchanged contents count as nothing. Changed keys that need a
// restart are logged. Thread-safe.
class ConfigWatcher {
 public:
  struct Options {
    Program program = Program::kExtender;  // whose keys may need a restart
    // Called on the watcher's thread after each success or failure was recorded, if given.
    std::function<void()> on_reload;
    // What the program started with, if that was read before; else the first contents.
    std::optional<Config> started_with;
    // Whether the program can go on with `next`, which is valid in itself; a failure makes it a bad
    // edit. Called on the watcher's thread, if given.
    std::function<Status(const Config& next)> judge = {};
  };

  // The first contents must be valid. `clock` must outlive the watcher.
  static Result<std::unique_ptr<ConfigWatcher>> Create(const std::string& path, const Clock& clock,
                                                       Options options);
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
