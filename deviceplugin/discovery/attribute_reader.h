// Reading the kernel's one-line files, with what is wrong with them set down beside.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/discovery/host_files.h"

namespace fairlead::deviceplugin {

// Used by one thread. What cannot be read gives nothing and adds a sentence to `problems`, which
// must outlive the reader.
class AttributeReader {
 public:
  AttributeReader(const HostFiles& files, std::vector<std::string>& problems)
      : files_(files), problems_(problems) {}

  // The line, without white space at its ends. One that is empty or no text is a problem.
  std::optional<std::string> Text(const std::string& path);
  // The same for a file that need not be there or may be empty.
  std::optional<std::string> TextIfAny(const std::string& path);
  // As Text, but failing with an errno for which `expected` holds is no problem.
  std::optional<std::string> TextUnless(const std::string& path, bool (*expected)(int));
  // The same of what has been read there.
  std::optional<std::string> TextUnless(const std::string& path,
                                        const FileResult<std::string>& text, bool (*expected)(int));

  // What `parse` makes of the line; nothing and a problem where it makes nothing.
  template <class T>
  std::optional<T> Value(const std::string& path, std::optional<T> (*parse)(std::string_view)) {
    return Parsed(path, Text(path), parse);
  }
  template <class T>
  std::optional<T> ValueIfAny(const std::string& path,
                              std::optional<T> (*parse)(std::string_view)) {
    return Parsed(path, TextIfAny(path), parse);
  }

  // Printable ASCII only.
  static bool IsText(std::string_view text);

  void Report(std::string problem) { problems_.push_back(std::move(problem)); }
  const HostFiles& files() const { return files_; }

 private:
  template <class T>
  std::optional<T> Parsed(const std::string& path, const std::optional<std::string>& text,
                          std::optional<T> (*parse)(std::string_view)) {
    if (!text) return std::nullopt;
    std::optional<T> value = parse(*text);
    if (!value) ReportOdd(path, *text);
    return value;
  }
  void ReportOdd(const std::string& path, const std::string& text);
  // An empty line where the file is empty.
  std::optional<std::string> Line(const std::string& path, const FileResult<std::string>& text,
                                  bool (*expected)(int));

  const HostFiles& files_;
  std::vector<std::string>& problems_;
};

}  // namespace fairlead::deviceplugin
