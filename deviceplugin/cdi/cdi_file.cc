#include "deviceplugin/cdi/cdi_file.h"

#include <unistd.h>

#include <cerrno>

#include "common/base/errno_text.h"
#include "common/base/file.h"
#include "common/base/quote.h"

namespace fairlead::deviceplugin {

Status CdiFile::Publish(const std::vector<CdiDevice>& devices) {
  if (devices.empty()) return Remove();
  std::string text = CdiSpec(kKind, devices);
  if (text == written_) return {};
  if (const Status status = ReplaceFile(path_, text); !status) return status;
  written_ = std::move(text);
  return {};
}

Status CdiFile::Remove() {
  written_.clear();
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) {
    return Fail(SystemError(errno, "remove " + Quoted(path_, 256)));
  }
  return {};
}

}  // namespace fairlead::deviceplugin
