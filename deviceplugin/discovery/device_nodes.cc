#include "deviceplugin/discovery/device_nodes.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>

#include "deviceplugin/discovery/attribute_reader.h"
#include "deviceplugin/discovery/attribute_text.h"

namespace fairlead::deviceplugin {
namespace {

// "uverbs0" has the stem "uverbs"; the class's own files ("abi_version") have none.
bool HasStem(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || name.size() == stem.size()) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(stem.size()), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Why /dev/infiniband/NAME is of no use; nothing where it is.
std::optional<std::string> Fault(const HostFiles& files, const std::string& name) {
  const std::string path = "/dev/infiniband/" + name;
  const auto kind = files.Kind(path);
  if (kind && *kind == FileKind::kCharacterDevice) return std::nullopt;
  if (kind) return path + " is not a character device.";
  if (kind.error().error_number == ENOENT) {
    return path + " is missing, though the kernel has the device; look whether udev runs.";
  }
  return Describe(kind.error());
}

// The names in a class directory; none where the class is not there, as without its module.
std::vector<std::string> ClassEntries(const HostFiles& files, const std::string& path,
                                      std::vector<std::string>& problems) {
  auto names = files.List(path);
  if (names) return *std::move(names);
  if (names.error().error_number != ENOENT) problems.push_back(Describe(names.error()));
  return {};
}

// The device that a class entry belongs to, as its file says or, where that cannot be read, as the
// folder of the device behind it does.
std::optional<std::string> OwnerOf(const HostFiles& files, const std::string& base,
                                   AttributeReader& reader) {
  if (auto hca = reader.Text(base + "/ibdev")) return hca;
  const auto names = files.List(base + "/device/infiniband");
  if (names && names->size() == 1 && AttributeReader::IsText(names->front())) return names->front();
  return std::nullopt;
}

void ReadVerbsNode(const HostFiles& files, const std::string& name, NodeTable& table) {
  const std::string base = "/sys/class/infiniband_verbs/" + name;
  AttributeReader reader(files, table.problems);
  const auto hca = OwnerOf(files, base, reader);
  if (!hca) return;
  DeviceNodes& nodes = table.by_hca[*hca];
  AttributeReader own(files, nodes.problems);
  nodes.uverbs_abi = own.Value(base + "/abi_version", ParseNumber).value_or(0);
  if (auto fault = Fault(files, name)) {
    nodes.problems.push_back(*std::move(fault));
  } else {
    nodes.uverbs = name;
  }
}

void ReadManagementNode(const HostFiles& files, const std::string& name,
                        std::vector<PortNode> DeviceNodes::*list, NodeTable& table) {
  const std::string base = "/sys/class/infiniband_mad/" + name;
  AttributeReader reader(files, table.problems);
  const auto hca = reader.Text(base + "/ibdev");
  if (!hca) return;
  DeviceNodes& nodes = table.by_hca[*hca];
  AttributeReader own(files, nodes.problems);
  const auto port = own.Value(base + "/port", ParseNumber);
  // These nodes are optional: without them an HCA carries data all the same.
  if (port && !Fault(files, name)) (nodes.*list).push_back({name, *port});
}

}  // namespace

NodeTable ReadDeviceNodes(const HostFiles& files) {
  NodeTable table;
  for (const std::string& name :
       ClassEntries(files, "/sys/class/infiniband_verbs", table.problems)) {
    if (HasStem(name, "uverbs")) ReadVerbsNode(files, name, table);
  }
  for (const std::string& name : ClassEntries(files, "/sys/class/infiniband_mad", table.problems)) {
    if (HasStem(name, "umad")) ReadManagementNode(files, name, &DeviceNodes::umad, table);
    if (HasStem(name, "issm")) ReadManagementNode(files, name, &DeviceNodes::issm, table);
  }
  const auto rdma_cm = files.Kind("/dev/infiniband/rdma_cm");
  table.rdma_cm = rdma_cm && *rdma_cm == FileKind::kCharacterDevice;
  return table;
}

}  // namespace fairlead::deviceplugin
