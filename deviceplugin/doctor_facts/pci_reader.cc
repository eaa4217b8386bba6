#include "deviceplugin/doctor_facts/pci_reader.h"

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>

#include "deviceplugin/doctor_facts/fact_text.h"
#include "deviceplugin/doctor_facts/pci_config_space.h"

namespace fairlead::deviceplugin {
namespace {

// "16.0 GT/s PCIe", "8 GT/s"; "Unknown" where there is no link.
std::optional<double> ParseSpeed(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value <= 0) return std::nullopt;
  if (!std::string_view(end, text.data() + text.size()).starts_with(" GT/s")) return std::nullopt;
  return value;
}

Known<double> ReadSpeed(const HostFiles& files, const std::string& path) {
  const auto line = ReadLine(files, path);
  if (!line) return Known<double>::Not(line.why_not());
  if (const auto speed = ParseSpeed(*line)) return *speed;
  return Known<double>::Not(path + " tells no speed");
}

Known<PciLinkFacts> ReadLink(const HostFiles& files, const std::string& device) {
  const auto speed = ReadSpeed(files, device + "/current_link_speed");
  const auto width = ReadCount(files, device + "/current_link_width");
  const auto most_speed = ReadSpeed(files, device + "/max_link_speed");
  const auto most_width = ReadCount(files, device + "/max_link_width");
  if (!speed) return Known<PciLinkFacts>::Not(speed.why_not());
  if (!width) return Known<PciLinkFacts>::Not(width.why_not());
  if (*width == 0 || *width > 32) return Known<PciLinkFacts>::Not("the link tells no width");
  // A virtual machine often shows the link and not what the card could do.
  return PciLinkFacts{.gigatransfers_per_second = *speed,
                      .width = static_cast<std::uint32_t>(*width),
                      .most_gigatransfers_per_second = most_speed ? *most_speed : *speed,
                      .most_width = most_width && *most_width <= 32
                                        ? static_cast<std::uint32_t>(*most_width)
                                        : static_cast<std::uint32_t>(*width)};
}

Known<std::string> ReadIommu(const HostFiles& files, const std::string& device) {
  const auto group = files.Kind(device + "/iommu_group");
  if (!group && group.error().error_number == ENOENT) return std::string("none");
  return ReadLine(files, device + "/iommu_group/type");
}

// From the function upwards, without the root port, which is the first hop.
Known<std::vector<std::string>> ReadBridges(const HostFiles& files, std::string device,
                                            const PciPath& path) {
  std::vector<std::string> redirecting;
  for (std::size_t i = 2; i < path.hops.size(); ++i) {
    device.erase(device.rfind('/'));
    const auto config = files.Read(device + "/config");
    if (!config) return Known<std::vector<std::string>>::Not(WhyNot(config.error()));
    const auto redirects = RedirectsRequests(*config);
    if (!redirects) return Known<std::vector<std::string>>::Not(redirects.why_not());
    if (*redirects) redirecting.push_back(device.substr(device.rfind('/') + 1));
  }
  return redirecting;
}

}  // namespace

PciFacts ReadPci(const HostFiles& files, const Hca& hca) {
  PciFacts facts;
  if (!hca.pci) return facts;
  const auto device = files.Resolve("/sys/class/infiniband/" + hca.name + "/device");
  if (!device) return facts;
  facts.link = ReadLink(files, *device);
  facts.iommu = ReadIommu(files, *device);
  const auto config = files.Read(*device + "/config");
  facts.control =
      config ? DeviceControl(*config) : Known<PciControlFacts>::Not(WhyNot(config.error()));
  if (hca.pci_path) facts.redirecting_bridges = ReadBridges(files, *device, *hca.pci_path);
  return facts;
}

}  // namespace fairlead::deviceplugin
