#include "deviceplugin/discovery/hca_identity.h"

#include <cerrno>
#include <optional>

#include "common/base/quote.h"
#include "deviceplugin/discovery/attribute_text.h"
#include "deviceplugin/discovery/pci_directory.h"

namespace fairlead::deviceplugin {
namespace {

std::string LastPart(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The software driver behind a device; empty for hardware. rxe alone names the network device that
// it stands on in an attribute. siw calls itself by this description, which an administrator may
// have changed; but iWARP hardware is always a PCI function.
std::string SoftwareDriver(const std::string& base, const std::string& node_type, bool on_pci,
                           AttributeReader& reader) {
  if (reader.TextIfAny(base + "/parent")) return "rxe";
  if (!node_type.starts_with("4:")) return {};
  const auto description = reader.TextIfAny(base + "/node_desc");
  const bool says_so = description && description->starts_with("Software iWARP stack");
  return says_so || !on_pci ? "siw" : "";
}

std::string DriverOf(const std::string& directory, AttributeReader& reader) {
  const auto driver = reader.files().Resolve(directory + "/driver");
  if (driver && AttributeReader::IsText(LastPart(*driver))) return LastPart(*driver);
  if (driver) {
    reader.Report("The driver of " + directory + " is called " + Quoted(LastPart(*driver)) +
                  ", which means nothing here.");
    return {};
  }
  if (driver.error().error_number != ENOENT) reader.Report(Describe(driver.error()));
  return {};
}

int NumaNode(const std::string& directory, AttributeReader& reader) {
  return reader.ValueIfAny(directory + "/numa_node", ParseNumaNode).value_or(-1);
}

void ReadPciFunction(Hca& hca, const std::string& device, const std::string& function,
                     AttributeReader& reader) {
  hca.pci_path = EnclosingPciPath(function);
  if (const auto address = ParsePci(LastPart(function))) hca.pci = *address;
  hca.driver = DriverOf(function, reader);
  hca.vendor = reader.Value(function + "/vendor", ParsePciId).value_or("");
  hca.device_id = reader.Value(function + "/device", ParsePciId).value_or("");
  hca.numa_node = NumaNode(function, reader);
  hca.function = PciFunction::kPhysical;
  const auto physical = reader.files().Resolve(function + "/physfn");
  if (physical) {
    hca.function = PciFunction::kVirtual;
    if (const auto address = ParsePci(LastPart(*physical))) hca.parent = *address;
    if (hca.numa_node < 0) hca.numa_node = NumaNode(*physical, reader);
  }
  if (device == function) return;
  const auto number = reader.ValueIfAny(device + "/sfnum", ParseNumber);
  if (!number) return;
  hca.function = PciFunction::kSubfunction;
  hca.subfunction = *number;
  hca.parent = hca.pci;
}

// The device below which the kernel made the RDMA device. When that goes, its link does so first,
// but a PCI function is in the path of the entry as well.
FileResult<std::string> DeviceOf(const std::string& base, const HostFiles& files) {
  auto device = files.Resolve(base + "/device");
  if (device || device.error().error_number != ENOENT) return device;
  const auto entry = files.Resolve(base);
  const std::string below = "/infiniband/" + LastPart(base);
  if (!entry || !entry->ends_with(below)) return device;
  std::string parent = entry->substr(0, entry->size() - below.size());
  if (!EnclosingPciDirectory(parent)) return device;
  return parent;
}

}  // namespace

std::string ReadIdentity(Hca& hca, AttributeReader& reader) {
  const std::string base = "/sys/class/infiniband/" + hca.name;
  const std::string node_type = reader.Value(base + "/node_type", ParseNodeType).value_or("");
  hca.firmware = reader.TextIfAny(base + "/fw_ver").value_or("");
  hca.node_guid = reader.ValueIfAny(base + "/node_guid", ParseNodeGuid).value_or("");
  const auto board = reader.TextIfAny(base + "/board_id");
  hca.board = board ? *board : reader.TextIfAny(base + "/hca_type").value_or("");

  const auto device = DeviceOf(base, reader.files());
  if (!device && device.error().error_number != ENOENT) reader.Report(Describe(device.error()));
  const auto function = device ? EnclosingPciDirectory(*device) : std::nullopt;
  hca.driver = SoftwareDriver(base, node_type, function && *function == *device, reader);
  if (!hca.driver.empty()) return node_type;
  if (function) {
    ReadPciFunction(hca, *device, *function, reader);
  } else if (device) {
    hca.driver = DriverOf(*device, reader);
    hca.numa_node = NumaNode(*device, reader);
  }
  return node_type;
}

}  // namespace fairlead::deviceplugin
