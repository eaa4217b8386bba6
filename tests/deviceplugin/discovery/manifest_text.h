// The text form of a host's files, line by line.
#pragma once

#include <string>
#include <vector>

namespace fairlead::deviceplugin {

struct ManifestLine {
  enum class What { kFile, kLink, kError, kCharacterDevice, kDirectory };

  std::string path;
  What what = What::kDirectory;
  std::string value;  // a file's content, a link's target
  int error = 0;
};

// With sections, ranges and `each` resolved; manifest_files.h tells the form. Throws
// std::runtime_error with the line that it cannot read.
std::vector<ManifestLine> ParseManifest(const std::string& text);

}  // namespace fairlead::deviceplugin
