#include "tests/deviceplugin/discovery/manifest_gpus.h"

#include "deviceplugin/discovery/pci_directory.h"

namespace fairlead::deviceplugin {

std::vector<Gpu> GpusOf(const HostFiles& files) {
  std::vector<Gpu> gpus;
  for (const std::string& name :
       files.List("/sys/bus/pci/devices").value_or(std::vector<std::string>())) {
    if (files.Read("/sys/bus/pci/devices/" + name + "/vendor").value_or("") != "0x10de\n") continue;
    Gpu gpu;
    gpu.index = static_cast<std::uint32_t>(gpus.size());
    gpu.pci = ParsePci(name).value();
    const PciPlace place = FindPciPlace(files, *gpu.pci);
    gpu.pci_path = place.path;
    gpu.numa_node = place.numa_node;
    gpus.push_back(gpu);
  }
  return gpus;
}

}  // namespace fairlead::deviceplugin
