#include "common/config/config_watcher.h"

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <utility>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/config/settling.h"
#include "common/watch/directory_watcher.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 16U << 20;  // the parser has its own, lower limit and says so
constexpr Nanoseconds kQuiet = Milliseconds(200);

std::string DirectoryOf(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

}  // namespace

std::string ConfigFileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Result<LocatedConfig> ReadLocatedConfigFile(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error().Within("configuration"));
  return ParseLocatedConfig(*text, ConfigFileName(path));
}

Result<Config> ReadConfigFile(const std::string& path) {
  return ReadLocatedConfigFile(path).map(
      [](LocatedConfig&& located) { return std::move(located.config); });
}

struct ConfigWatcher::Impl {
  Impl(std::string p, const Clock& c, Config first, std::string first_text, Options options)
      : path(std::move(p)),
        clock(c),
        program(options.program),
        started_with(options.started_with ? *std::move(options.started_with) : first),
        config(std::move(first)),
        on_reload(std::move(options.on_reload)),
        judge(std::move(options.judge)),
        contents(std::move(first_text), kQuiet) {
    stats.last_success = clock.WallNow();
    CompareWithStart();
  }

  // On the watcher's thread. When to look again, if nothing changes before.
  std::optional<Nanoseconds> Look() {
    const Result<std::string> text = ReadFile(path, kMostBytes);
    // A file that cannot be read is as much a state as its contents: counted once.
    const auto verdict =
        contents.See(text ? *text : "unreadable: " + text.error().message, clock.Now());
    if (!verdict.judge) return verdict.look_after;
    Result<Config> parsed = text ? ParseConfig(*text, ConfigFileName(path))
                                 : Fail(text.error().Within("configuration"));
    if (parsed && judge) {
      if (const Status judged = judge(*parsed); !judged) {
        parsed = Fail(judged.error().Within(ConfigFileName(path)));
      }
    }
    Record(std::move(parsed));
    if (on_reload) on_reload();
    return std::nullopt;
  }

  // Tells what of the configuration in force waits for a restart. Under the mutex, or before there
  // are other threads.
  void CompareWithStart() {
    auto keys = CompareRestartKeys(program, started_with, *config.Get());
    const std::string pending = PendingKeys(keys);
    const std::string before = PendingKeys(stats.restart_keys);
    if (pending != before && !pending.empty()) {
      LogWarning("changed configuration keys take effect at the next start only",
                 {{"file", path}, {"keys", pending}});
    } else if (pending != before) {
      LogInfo("no configuration key waits for a restart any more", {{"file", path}});
    }
    stats.restart_keys = std::move(keys);
  }

  void Record(Result<Config> parsed) {
    if (parsed) {
      LogInfo("configuration reloaded", {{"file", path}});
      config.Publish(*std::move(parsed));
      std::lock_guard lock(mutex);
      ++stats.successes;
      stats.last_success = clock.WallNow();
      stats.last_error.clear();
      CompareWithStart();
      return;
    }
    LogError("configuration not reloaded, the last good one stays in force",
             {{"file", path}, {"error", parsed.error().message}});
    std::lock_guard lock(mutex);
    ++stats.failures;
    stats.last_error = parsed.error().message;
  }

  const std::string path;
  const Clock& clock;
  const Program program;
  const Config started_with;
  Snapshot<Config> config;
  const std::function<void()> on_reload;
  const std::function<Status(const Config&)> judge;
  SettlingContents contents;  // used by the watcher's thread only
  mutable std::mutex mutex;
  ReloadStats stats;                          // guarded by mutex
  std::unique_ptr<DirectoryWatcher> watcher;  // last: its thread uses the rest
};

ConfigWatcher::ConfigWatcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ConfigWatcher::~ConfigWatcher() = default;

Result<std::unique_ptr<ConfigWatcher>> ConfigWatcher::Create(const std::string& path,
                                                             const Clock& clock, Options options) {
  Result<std::string> text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error().Within("configuration"));
  Result<Config> first = ParseConfig(*text, ConfigFileName(path));
  if (!first) return Fail(first.error());
  auto impl =
      std::make_unique<Impl>(path, clock, *std::move(first), *std::move(text), std::move(options));
  // The watcher looks once when it starts, so an edit between the read above and now is not lost.
  auto watcher =
      DirectoryWatcher::Create(DirectoryOf(path), [self = impl.get()] { return self->Look(); });
  if (!watcher) return Fail(watcher.error());
  impl->watcher = *std::move(watcher);
  return std::unique_ptr<ConfigWatcher>(new ConfigWatcher(std::move(impl)));
}

const Snapshot<Config>& ConfigWatcher::config() const { return impl_->config; }

ReloadStats ConfigWatcher::stats() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->stats;
}

}  // namespace fairlead
