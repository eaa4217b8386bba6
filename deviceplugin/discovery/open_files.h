// Files that are read again and again, and stay open in between.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/file_descriptor.h"
#include "deviceplugin/discovery/rooted_files.h"

namespace fairlead::deviceplugin {

// Read keeps what it has opened: reading again takes one system call in place of a walk through
// seven folders of sysfs, and is as fresh, since sysfs makes the text for each reading. Only that
// another file may lie at the path by now, because a directory was renamed, is seen late: after 20
// readings, or CloseAll. At most kMostOpen stay open, others are read as ever; none do while this
// process lacks descriptors. The rest is as `files` has it, which outlives this. Thread-safe.
class OpenFiles final : public HostFiles {
 public:
  static constexpr std::size_t kMostOpen = 64;

  explicit OpenFiles(const RootedFiles& files) : files_(files) {}

  FileResult<std::string> Read(const std::string& path) const override;
  FileResult<std::vector<std::string>> List(const std::string& path) const override;
  FileResult<std::string> Resolve(const std::string& path) const override;
  FileResult<FileKind> Kind(const std::string& path) const override;

  // Closes what has not been read since the last call, so that no file stays open for a device that
  // is gone. Returns how many remain.
  std::size_t CloseUnread();
  // For when anything may have another name than before.
  void CloseAll();

 private:
  struct OpenFile {
    FileDescriptor fd;
    bool read = true;  // since the last CloseUnread
    int readings = 1;
  };

  const RootedFiles& files_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, OpenFile> open_;
};

}  // namespace fairlead::deviceplugin
