#include "deviceplugin/discovery/host_files.h"

#include "common/base/errno_text.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {

std::string Describe(const FileError& error) {
  return "Cannot read " + Quoted(error.path, 256) + ": " + ErrnoText(error.error_number) + ".";
}

std::vector<FileResult<std::string>> HostFiles::ReadEach(
    const std::string& directory, const std::vector<std::string>& names) const {
  std::vector<FileResult<std::string>> texts;
  for (const std::string& name : names) texts.push_back(Read(directory + '/' + name));
  return texts;
}

}  // namespace fairlead::deviceplugin
