// The files of a host, as far as discovery needs them.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace fairlead::deviceplugin {

// Why a file could not be had: an errno and the path that was asked for. The number matters,
// because the kernel says "this table entry is empty" by EINVAL.
struct FileError {
  int error_number = 0;
  std::string path;

  bool operator==(const FileError&) const = default;
};

// 'Cannot read "/sys/...": permission denied (errno 13).'
std::string Describe(const FileError& error);

template <class T>
using FileResult = tl::expected<T, FileError>;

enum class FileKind { kRegular, kDirectory, kCharacterDevice, kOther };

// Paths are absolute and as on the host ("/sys/class/infiniband"), whatever folder the host's root
// is mounted at. Symbolic links are followed. Thread-safe.
class HostFiles {
 public:
  virtual ~HostFiles() = default;
  // The whole content. EFBIG beyond 64 KiB; EISDIR for a directory and ENXIO for whatever else
  // is not a regular file, so that it never waits.
  virtual FileResult<std::string> Read(const std::string& path) const = 0;
  // Read of each name in the directory, in their order. For the many entries of a table, whose
  // directory need be looked up only once.
  virtual std::vector<FileResult<std::string>> ReadEach(
      const std::string& directory, const std::vector<std::string>& names) const;
  // The names in a directory, sorted, without "." and "..".
  virtual FileResult<std::vector<std::string>> List(const std::string& path) const = 0;
  // The path with every symbolic link replaced, seen from the host's root.
  virtual FileResult<std::string> Resolve(const std::string& path) const = 0;
  virtual FileResult<FileKind> Kind(const std::string& path) const = 0;
};

}  // namespace fairlead::deviceplugin
