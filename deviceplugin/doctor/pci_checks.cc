#include <array>
#include <cstdio>
#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {
namespace {

// Of the raw bits: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, then fixed frames of 242 in 256
// bytes. About 5 % more goes to packet headers.
double UsableBits(double gigatransfers, std::uint32_t width) {
  const double coding = gigatransfers <= 5 ? 0.8 : gigatransfers <= 32 ? 128.0 / 130 : 242.0 / 256;
  return gigatransfers * 1e9 * width * coding * 0.95;
}

std::string LinkText(double gigatransfers, std::uint32_t width) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.1f GT/s x%u", gigatransfers, width);
  return text.data();
}

std::uint64_t RateOf(const Hca& hca) {
  std::uint64_t rate = 0;
  for (const HcaPort& port : hca.ports) {
    if (port.state == PortState::kActive) rate += port.rate_bits_per_second;
  }
  return rate;
}

}  // namespace

void CheckPciLink(const NodeFacts& facts, Findings& out) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (!hca.pci || hca.function != PciFunction::kPhysical) continue;
    const auto& link = facts.hcas[i].pci.link;
    if (!link) {
      out.NotKnown(hca.name, link.why_not());
      continue;
    }
    const double usable = UsableBits(link->gigatransfers_per_second, link->width);
    const auto rate = static_cast<double>(RateOf(hca));
    const std::string now = LinkText(link->gigatransfers_per_second, link->width);
    const std::string most = LinkText(link->most_gigatransfers_per_second, link->most_width);
    if (usable >= rate) {
      out.Fine();
      continue;
    }
    const bool slower = link->gigatransfers_per_second < link->most_gigatransfers_per_second ||
                        link->width < link->most_width;
    out.Add({.severity = CheckStatus::kWarning,
             .subject = hca.name,
             .what = "The PCIe link carries less than the port.",
             .evidence = "PCIe " + now + ", about " + HumanRate(usable) +
                         " of payload; the device can " + most + "; its active ports have " +
                         HumanRate(rate) + ".",
             .why = "At most " + HumanPercent(usable / rate) +
                    " of the port's rate reaches memory, and the rest backs up into the network.",
             .remedy = slower
                           ? "Look for the narrower part: `lspci -vv -s " + FormatPci(*hca.pci) +
                                 "` (LnkSta, and LnkCap of the slot above). Reseat the card, use "
                                 "a slot of full width, set the slot's speed in the firmware "
                                 "set-up."
                           : "The device itself can no more: count on that rate, or use another "
                             "card."});
  }
}

}  // namespace fairlead::deviceplugin
