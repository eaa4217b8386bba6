#include <map>
#include <set>
#include <string>
#include <utility>

#include "deviceplugin/doctor/check_functions.h"

namespace fairlead::deviceplugin {
namespace {

std::string DeviceText(const Hca& hca) { return hca.pci ? FormatPci(*hca.pci) : "DEVICE"; }

}  // namespace

void CheckFirmwareVersions(const NodeFacts& facts, Findings& out) {
  std::map<std::string, std::map<std::string, std::string>> boards;  // by board: version, devices
  for (const Hca& hca : facts.inventory.hcas) {
    if (!hca.pci || hca.function != PciFunction::kPhysical) continue;
    if (hca.board.empty() || hca.firmware.empty()) {
      out.NotKnown(hca.name, "it tells no board or no firmware version");
      continue;
    }
    std::string& names = boards[hca.board][hca.firmware];
    names += (names.empty() ? "" : ", ") + hca.name;
  }
  for (const auto& [board, versions] : boards) {
    if (versions.size() == 1) {
      out.Fine();
      continue;
    }
    std::string evidence;
    for (const auto& [version, names] : versions) {
      evidence += (evidence.empty() ? "" : "; ") + version + " on " + names;
    }
    out.Add({.severity = CheckStatus::kWarning,
             .subject = "board " + board,
             .what = "Cards of the same kind run different firmware.",
             .evidence = evidence + ".",
             .why = "They differ in defaults and in what they can do, so one card of a job may be "
                    "slower or fail for itself.",
             .remedy = "`mstflint -d DEVICE -i IMAGE burn` with the same image for all, then a "
                       "firmware reset (`mstfwreset -d DEVICE reset`) on a drained node."});
  }
}

void CheckFirmwareSettings(const NodeFacts& facts, Findings& out) {
  for (std::size_t i = 0; i < facts.hcas.size(); ++i) {
    const Hca& hca = facts.inventory.hcas[i];
    if (hca.driver != "mlx5_core" || hca.function != PciFunction::kPhysical) continue;
    const auto& firmware = facts.hcas[i].firmware;
    if (!firmware) {
      out.NotKnown(hca.name, "mlxconfig: " + firmware.why_not());
      continue;
    }
    std::string pending;
    for (const auto& [name, setting] : *firmware) {
      if (setting.current.empty() || setting.current == setting.next_boot) continue;
      pending += (pending.empty() ? "" : "; ") + name + " is " + setting.current + ", will be " +
                 setting.next_boot;
    }
    if (pending.empty()) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kWarning,
             .subject = hca.name,
             .what = "Firmware settings were changed and are not in force.",
             .evidence = pending + ".",
             .why = "The card works as before, and some day's reboot will change it.",
             .remedy = "`mlxfwreset -d " + DeviceText(hca) +
                       " reset` (mstfwreset) on a drained node, or a reboot."});
  }
}

}  // namespace fairlead::deviceplugin
