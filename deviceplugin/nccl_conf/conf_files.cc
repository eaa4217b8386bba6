#include "deviceplugin/nccl_conf/conf_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "common/base/file.h"
#include "common/base/log.h"
#include "common/base/quote.h"
#include "common/config/resource_name.h"
#include "deviceplugin/doctor/nccl_conf.h"
#include "deviceplugin/inventory/device_id.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".conf";
constexpr Nanoseconds kNew = Seconds(120);
constexpr Nanoseconds kHoldingsLife = Seconds(60);
// The name has to leave room for what ReplaceFile puts around it.
constexpr std::size_t kLongestPart = 100;
constexpr std::size_t kLongestFile = 1024 * 1024;

// ReplaceFile's, of a run that was killed: ".NAME.new".
bool IsLeftover(std::string_view name) {
  return name.starts_with('.') && name.ends_with(std::string(kEnding) + ".new");
}

// By its name and by how it begins, since the directory may be one that others keep files in, too.
bool IsOurs(const std::string& path, std::string_view name) {
  const bool leftover = IsLeftover(name);
  if (!leftover && (!name.ends_with(kEnding) || name.starts_with('.'))) return false;
  const auto text = ReadFile(path, kLongestFile);
  if (!text) return false;
  // A leftover may have ended at any byte.
  return text->starts_with(kNcclConfBegin.substr(0, leftover ? text->size() : std::string::npos));
}

bool IsFile(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::string ConfFileName(std::string_view resource, std::span<const std::string> ids) {
  std::vector<std::string> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  std::string name = VariableWord(resource).substr(0, kLongestPart) + ".";
  if (!sorted.empty()) name += sorted.front().substr(0, kLongestPart);
  if (sorted.size() > 1) {
    std::string all;
    for (const std::string& id : sorted) all += id + ",";
    name += "+" + std::to_string(sorted.size() - 1) + "." + TextHash(all);
  }
  std::replace(name.begin(), name.end(), '/', '_');
  return name + std::string(kEnding);
}

Status ConfFiles::WriteFile(const std::string& path, std::string_view text) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) {
    return Fail(ErrorCode::kUnavailable,
                "make " + Quoted(directory_, 256) + ": " + error.message());
  }
  // Runtimes make a directory where the file that they are to mount is missing.
  rmdir(path.c_str());
  return ReplaceFile(path, text);
}

Status ConfFiles::Write(const std::string& name, std::string_view text) {
  const std::lock_guard lock(mutex_);
  const std::string path = PathOf(name);
  const Status written = WriteFile(path, text);
  if (written) {
    ++counts_.written;
    last_error_.clear();
    return written;
  }
  const bool kept = IsFile(path);
  ++(kept ? counts_.kept : counts_.without);
  if (written.error().message != last_error_) {
    LogWarning("NCCL settings of a container cannot be written",
               {{"file", path},
                {"error", written.error().message},
                {"instead", kept ? "those of its last start" : "none"},
                {"remedy",
                 "make the directory writable, make room, or set "
                 "deviceplugin.ncclConfDirectory"}});
  }
  last_error_ = written.error().message;
  return written;
}

void ConfFiles::Tidy(const PodHoldings& holdings, MonotonicTime now, WallTime wall_now) {
  if (!holdings.known() || now - holdings.read_at > kHoldingsLife) return;
  std::set<std::string> in_use;
  for (const Holding& holding : holdings.holdings) {
    in_use.insert(ConfFileName(holding.resource, holding.device_ids));
  }
  const std::lock_guard lock(mutex_);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename();
    if (in_use.contains(name)) continue;
    struct stat status {};
    if (lstat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const WallTime written{Seconds(status.st_mtim.tv_sec) + Nanoseconds(status.st_mtim.tv_nsec)};
    if (wall_now - written > kNew && IsOurs(entry.path(), name)) unlink(entry.path().c_str());
  }
}

ConfCounts ConfFiles::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace fairlead::deviceplugin
