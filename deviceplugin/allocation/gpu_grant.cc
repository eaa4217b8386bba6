#include "deviceplugin/allocation/gpu_grant.h"

namespace fairlead::deviceplugin {

void AddGpus(const std::vector<std::string>& uuids, bool cdi, Grant& grant) {
  std::string list;
  for (const std::string& uuid : uuids) {
    if (cdi) grant.cdi_devices.push_back("nvidia.com/gpu=" + uuid);
    list += (list.empty() ? "" : ",") + uuid;
  }
  if (!cdi) grant.env["NVIDIA_VISIBLE_DEVICES"] = list;
}

}  // namespace fairlead::deviceplugin
