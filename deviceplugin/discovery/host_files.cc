#include "deviceplugin/discovery/host_files.h"

#include "common/base/errno_text.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {

std::string Describe(const FileError& error) {
  return "Cannot read " + Quoted(error.path, 256) + ": " + ErrnoText(error.error_number) + ".";
}

}  // namespace fairlead::deviceplugin
