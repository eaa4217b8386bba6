#include "linkprobe/record_file/recording_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "linkprobe/record_file/record_codec.h"

namespace fairlead::linkprobe {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;
constexpr std::size_t kLongestLine = std::size_t{1} << 16;

// The next line of `text`, taken off; `whole` tells whether a line break ended it.
std::string_view TakeLine(std::string_view& text, bool& whole) {
  const std::size_t end = text.find('\n');
  whole = end != std::string_view::npos;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(whole ? end + 1 : text.size());
  return line;
}

void AddLine(const RecordLine& line, RecordingBuilder& builder) {
  if (const auto* window = std::get_if<LineWindow>(&line)) {
    builder.Add(*window);
  } else if (const auto* end = std::get_if<RecordEnd>(&line)) {
    if (end->reason == kCompleteEnd) builder.NoteEnd();
  } else if (std::holds_alternative<RecordingFacts>(line)) {
    builder.NoteUnreadable();  // a second header: two files run together
  }
}

}  // namespace

Result<Recording> ParseRecording(const std::string& name, std::string_view text) {
  if (text.empty()) return Fail(ErrorCode::kInvalidArgument, name + " is empty, not a recording");
  bool whole = true;
  const auto header = DecodeRecordLine(TakeLine(text, whole).substr(0, kLongestLine));
  if (!header) {
    return Fail(header.error().code,
                name + " is not a recording that can be read: line 1 " + header.error().message);
  }
  const auto* facts = std::get_if<RecordingFacts>(&*header);
  if (facts == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                name + " is not a recording: line 1 is no header; was its beginning cut off?");
  }
  RecordingBuilder builder(*facts);
  while (!text.empty()) {
    const std::string_view line = TakeLine(text, whole);
    if (line.empty() && whole) continue;
    if (line.size() > kLongestLine) {
      builder.NoteUnreadable();
      continue;
    }
    const auto decoded = DecodeRecordLine(line);
    if (decoded) {
      AddLine(*decoded, builder);
    } else if (!whole) {
      builder.NoteCutOff();
    } else {
      builder.NoteUnreadable();
    }
  }
  return builder.Take();
}

Result<Recording> ReadRecording(const std::string& path) {
  const auto text = ReadFile(path, kLargestFile);
  if (!text) return Fail(text.error());
  return ParseRecording(path, *text);
}

Result<RecordingFile> RecordingFile::Create(const std::string& path, const RecordingFacts& facts) {
  FileDescriptor descriptor(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (descriptor.get() < 0 && errno == EEXIST) {
    return Fail(ErrorCode::kInvalidArgument,
                path + " exists; name another file, or remove it first");
  }
  if (descriptor.get() < 0) {
    return Fail(ErrorCode::kUnavailable, "cannot create " + path + ": " + ErrnoText(errno));
  }
  RecordingFile file(path, std::move(descriptor));
  if (const Status written = file.AppendLine(EncodeHeader(facts)); !written) {
    return Fail(written.error());
  }
  return file;
}

Status RecordingFile::Append(const LineWindow& window) { return AppendLine(EncodeWindow(window)); }

Status RecordingFile::Finish(bool complete) {
  return AppendLine(EncodeEnd({.reason = complete ? kCompleteEnd : kInterruptedEnd}));
}

Status RecordingFile::AppendLine(std::string line) {
  line += '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return Fail(ErrorCode::kUnavailable, "cannot write " + path_ + ": " + ErrnoText(errno) +
                                               "; what was recorded so far is in it");
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace fairlead::linkprobe
