// The one specification file of this program.
#pragma once

#include <string>
#include <vector>

#include "common/base/result.h"
#include "deviceplugin/cdi/cdi_spec.h"

namespace fairlead::deviceplugin {

// Keeps <directory>/fairlead.dev-hca.json equal to the devices there are. Not thread-safe. The file
// goes with the object only when Remove is called: containers that are restarted while the plugin
// is upgraded still need it.
class CdiFile {
 public:
  explicit CdiFile(const std::string& directory) : path_(directory + "/fairlead.dev-hca.json") {}

  static constexpr std::string_view kKind = "fairlead.dev/hca";

  // Writes where the text differs from what this object wrote last. Without devices there is no
  // file, since a specification must name one. An error names the path.
  Status Publish(const std::vector<CdiDevice>& devices);
  // Also right where there is no file.
  Status Remove();

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
  std::string written_;
};

}  // namespace fairlead::deviceplugin
