// Recordings on disk.
#pragma once

#include <string>
#include <string_view>

#include "common/base/file_descriptor.h"
#include "common/base/result.h"
#include "linkprobe/record/line_window.h"
#include "linkprobe/record/recording.h"

namespace fairlead::linkprobe {

// What a file says, whatever its lines hold: those that cannot be used are counted. The error names
// the file where it is no recording at all, or one of another version.
Result<Recording> ParseRecording(const std::string& name, std::string_view text);

// The same of a file of at most 1 GiB.
Result<Recording> ReadRecording(const std::string& path);

// A recording under way. Every window is in the file once Append has returned, so that whatever
// ends the program leaves a recording that can be read.
class RecordingFile {
 public:
  // A new file; one that exists is refused, since it may be a recording that nobody can make again.
  static Result<RecordingFile> Create(const std::string& path, const RecordingFacts& facts);

  Status Append(const LineWindow& window);
  // The last line, which says whether it was recorded for as long as was planned.
  Status Finish(bool complete);

 private:
  RecordingFile(std::string path, FileDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}
  Status AppendLine(std::string line);

  std::string path_;
  FileDescriptor descriptor_;
};

}  // namespace fairlead::linkprobe
