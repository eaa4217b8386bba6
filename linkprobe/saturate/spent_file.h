// The daily ledger on disk, and the right to test from this node.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "common/base/clock.h"
#include "common/base/file_descriptor.h"
#include "common/base/result.h"
#include "linkprobe/bandwidth/daily_ledger.h"

namespace fairlead::linkprobe {

// What sets them, for remedies: an option or a key.
struct SpentFileNames {
  std::string file;
  std::string limit;
};

// While one exists, no other process of this host that uses the same file tests. What is reserved
// is on disk before it can be sent. Not thread-safe.
class SpentFile {
 public:
  // Makes the file and its folder where they are missing. kResourceExhausted while another process
  // holds it; kInvalidArgument for a file that cannot be read as a ledger.
  static Result<SpentFile> Open(const std::string& path, SpentFileNames names);

  // Up to `wanted` bytes of what `limit` leaves for the line today; kResourceExhausted where
  // nothing is left, and only there.
  Result<std::uint64_t> Reserve(const std::string& line, std::uint64_t wanted, std::uint64_t limit,
                                WallTime now);
  Result<DailyLedger> Ledger() const;

  // Gives back what of that reservation was not sent.
  Status Return(const std::string& line, std::uint64_t unused, WallTime reserved_at);

 private:
  SpentFile(std::string path, SpentFileNames names, FileDescriptor lock)
      : path_(std::move(path)), names_(std::move(names)), lock_(std::move(lock)) {}

  std::string path_;
  SpentFileNames names_;
  FileDescriptor lock_;
};

// Where the ledger is unless somebody says otherwise: $XDG_STATE_HOME/fairlead/bandwidth-spent, or
// the same below ~/.local/state. Empty where neither variable is set.
std::string DefaultSpentFile();

}  // namespace fairlead::linkprobe
