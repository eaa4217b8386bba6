#include "common/config/config_watcher.h"

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <utility>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/config/parse.h"
#include "common/watch/directory_watcher.h"

namespace fairlead {
namespace {

constexpr std::size_t kMostBytes = 16U << 20;  // the parser has its own, lower limit and says so

std::string DirectoryOf(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

std::string NameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

Result<Config> ReadConfigFile(const std::string& path) {
  const Result<std::string> text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error().Within("configuration"));
  return ParseConfig(*text, NameOf(path));
}

struct ConfigWatcher::Impl {
  Impl(std::string p, const Clock& c, Config first, std::string first_text,
       std::function<void()> reload)
      : path(std::move(p)),
        clock(c),
        config(std::move(first)),
        on_reload(std::move(reload)),
        seen(std::move(first_text)) {
    stats.last_success = clock.WallNow();
  }

  // On the watcher's thread.
  void Look() {
    const Result<std::string> text = ReadFile(path, kMostBytes);
    // A file that cannot be read is as much a state as its contents: counted once.
    std::string now = text ? *text : "unreadable: " + text.error().message;
    if (now == seen) return;
    seen = std::move(now);
    Result<Config> parsed =
        text ? ParseConfig(*text, NameOf(path)) : Fail(text.error().Within("configuration"));
    Record(std::move(parsed));
    if (on_reload) on_reload();
  }

  void Record(Result<Config> parsed) {
    if (parsed) {
      LogInfo("configuration reloaded", {{"file", path}});
      config.Publish(*std::move(parsed));
      std::lock_guard lock(mutex);
      ++stats.successes;
      stats.last_success = clock.WallNow();
      stats.last_error.clear();
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
  Snapshot<Config> config;
  std::function<void()> on_reload;
  std::string seen;  // used by the watcher's thread only
  mutable std::mutex mutex;
  ReloadStats stats;                          // guarded by mutex
  std::unique_ptr<DirectoryWatcher> watcher;  // last: its thread uses the rest
};

ConfigWatcher::ConfigWatcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ConfigWatcher::~ConfigWatcher() = default;

Result<std::unique_ptr<ConfigWatcher>> ConfigWatcher::Create(const std::string& path,
                                                             const Clock& clock,
                                                             std::function<void()> on_reload) {
  Result<std::string> text = ReadFile(path, kMostBytes);
  if (!text) return Fail(text.error().Within("configuration"));
  Result<Config> first = ParseConfig(*text, NameOf(path));
  if (!first) return Fail(first.error());
  auto impl = std::make_unique<Impl>(path, clock, *std::move(first), *std::move(text),
                                     std::move(on_reload));
  // The watcher looks once when it starts, so an edit between the read above and now is not lost.
  auto watcher = DirectoryWatcher::Create(DirectoryOf(path), [self = impl.get()] { self->Look(); });
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
