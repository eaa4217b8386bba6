#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kWantedMtu = 4096;
// A loss that no ping shows and that long lines feel.
constexpr double kSmallLoss = 1e-6;

std::string CountText(double count) {
  return std::to_string(static_cast<std::uint64_t>(count + 0.5));
}

std::string WhatItCosts(const NodeFacts& facts, const PortView& view, std::uint32_t mtu) {
  const std::uint64_t rate = view.port->rate_bits_per_second;
  const auto load = HeaviestLine(facts, rate);
  if (!load) {
    return rate == 0 ? "Each message takes " + std::to_string(kWantedMtu / mtu) +
                           " times as many packets."
                     : "At " + HumanRate(static_cast<double>(rate)) + " these are " +
                           CountText(static_cast<double>(rate) / 8 / mtu) +
                           " packets a second in place of " +
                           CountText(static_cast<double>(rate) / 8 / kWantedMtu) + ".";
  }
  const double small = load->bytes_in_flight / mtu;
  const double large = load->bytes_in_flight / kWantedMtu;
  return "On " + LineText(*load) + " " + CountText(small) + " packets are under way in place of " +
         CountText(large) + "; where one in a million is " + "lost, Go-Back-N keeps " +
         HumanPercent(GoBackNShare(kSmallLoss, small)) + " of the rate in place of " +
         HumanPercent(GoBackNShare(kSmallLoss, large)) + ".";
}

}  // namespace

void CheckRoceMtu(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    const std::uint32_t network = view.port->mtu_bytes;
    if (network == 0) {
      out.NotKnown(view.Subject(), "the MTU of its network device is not told");
      continue;
    }
    const auto mtu = LargestMtu(network, kRoceOverheadBytes);
    const std::string evidence = "MTU of " + view.Interface() + ": " + std::to_string(network) +
                                 "; RoCE takes up to " + std::to_string(kRoceOverheadBytes) +
                                 " of it for headers.";
    const std::string remedy =
        "Where switches and line carry it: `ip link set dev " + view.Interface() +
        " mtu 9000` (4192 is enough), lasting in the network configuration; try the path first "
        "with `ping -M do -s 4164 PEER`, and set every peer.";
    if (!mtu) {
      out.Add({.severity = CheckStatus::kFault,
               .subject = view.Subject(),
               .what = "The network MTU leaves no room for any RoCE packet.",
               .evidence = evidence,
               .why = "No RDMA traffic can pass.",
               .remedy = remedy});
      continue;
    }
    const auto bytes = static_cast<std::uint32_t>(*mtu);
    if (bytes >= kWantedMtu) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kWarning,
             .subject = view.Subject(),
             .what = "The RoCE path MTU can only be " + std::to_string(bytes) + " bytes.",
             .evidence = evidence,
             .why = WhatItCosts(facts, view, bytes),
             .remedy = remedy});
  }
}

}  // namespace fairlead::deviceplugin
