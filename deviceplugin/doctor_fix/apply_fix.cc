#include "deviceplugin/doctor_fix/apply_fix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "common/base/file_descriptor.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024;

// Into a file that is there, by one write, as sysfs and procfs want it.
Status WriteValue(const std::string& path, const std::string& value) {
  const std::string shown = "write " + Quoted(value) + " to " + Quoted(path, 256);
  const FileDescriptor fd(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!fd) return Fail(SystemError(errno, shown));
  const std::string line = value + "\n";
  ssize_t put = 0;
  do {
    put = write(fd.get(), line.data(), line.size());
  } while (put < 0 && errno == EINTR);
  if (put < 0) return Fail(SystemError(errno, shown));
  return {};
}

Status MakeDirectory(const std::string& path) {
  if (path.empty() || mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) return {};
  return Fail(SystemError(errno, "make " + Quoted(path, 256)));
}

Result<std::string> ReadValue(const std::string& path) {
  auto text = ReadFile(path, kMostBytes);
  if (!text) return text;
  return Blanked(*text);
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// The directory of the undo file, with the one above it.
Status MakeHome(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos || slash == 0) return {};
  const std::string home = file.substr(0, slash);
  const std::size_t above = home.rfind('/');
  if (above != std::string::npos && above != 0) {
    if (auto made = MakeDirectory(home.substr(0, above)); !made) return made;
  }
  return MakeDirectory(home);
}

Status Keep(const std::vector<OldValue>& values, const std::string& file) {
  if (auto made = MakeHome(file); !made) return made;
  return ReplaceFile(file, FormatUndo(values));
}

}  // namespace

Result<std::vector<OldValue>> ApplyFix(const FixPlan& plan, const FixPlaces& places) {
  if (Exists(places.undo_file)) {
    return Fail(ErrorCode::kUnavailable,
                "the old values of a fix are kept in " + Quoted(places.undo_file, 256) +
                    "; take it back by --undo first, or remove that file to keep what is now");
  }
  std::vector<OldValue> values;
  for (const FixStep& step : plan.steps) {
    if (!step.directory.empty()) {
      if (auto made = MakeDirectory(places.root + step.directory); !made) {
        return Fail(made.error());
      }
    }
    auto old = ReadValue(places.root + step.path);
    if (!old) return Fail(old.error());
    values.push_back({.path = step.path, .old_value = *std::move(old), .new_value = step.value});
  }
  if (auto kept = Keep(values, places.undo_file); !kept) {
    return Fail(kept.error().Within("nothing was changed, since old values cannot be kept"));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Status written = WriteValue(places.root + values[i].path, values[i].new_value);
    if (written) continue;
    for (std::size_t back = i; back-- > 0;) {
      (void)WriteValue(places.root + values[back].path, values[back].old_value);
    }
    unlink(places.undo_file.c_str());
    return Fail(written.error());
  }
  return values;
}

Result<Undone> UndoFix(const FixPlaces& places) {
  if (!Exists(places.undo_file)) {
    return Fail(ErrorCode::kNotFound,
                "there is nothing to undo: no " + Quoted(places.undo_file, 256));
  }
  const auto text = ReadFile(places.undo_file, kMostBytes);
  if (!text) return Fail(text.error());
  auto values = ParseUndo(*text);
  if (!values) return Fail(values.error().Within(Quoted(places.undo_file, 256)));
  Undone undone;
  while (!values->empty()) {
    OldValue value = values->back();
    const auto now = ReadValue(places.root + value.path);
    if (now && *now == value.new_value) {
      const Status written = WriteValue(places.root + value.path, value.old_value);
      if (!written) {
        (void)ReplaceFile(places.undo_file, FormatUndo(*values));
        return Fail(written.error());
      }
      undone.restored.push_back(std::move(value));
    } else if (!now || *now != value.old_value) {
      undone.left.push_back(std::move(value));
    }
    values->pop_back();
  }
  unlink(places.undo_file.c_str());
  return undone;
}

}  // namespace fairlead::deviceplugin
