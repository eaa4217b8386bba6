// One directory under inotify.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"

namespace fairlead {

// Watches whatever directory lies at a path, and notices when another one lies there. Used by one
// thread.
class InotifyDirectory {
 public:
  static Result<InotifyDirectory> Open(std::string path);

  int fd() const { return fd_.get(); }  // readable when there are events
  // Drops the events that wait; true if there were any.
  bool TakeEvents();
  // Watches the directory that lies at the path now. True if it is not the one watched before;
  // false if it is, or if there is none.
  bool FollowPath();
  // False while there was none at the last look, or it has gone since.
  bool watching() const { return watch_ >= 0; }

 private:
  InotifyDirectory(std::string path, FileDescriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  FileDescriptor fd_;
  int watch_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace fairlead
