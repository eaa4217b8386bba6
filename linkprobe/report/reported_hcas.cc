#include "linkprobe/report/reported_hcas.h"

#include "common/base/log.h"
#include "linkprobe/verbs/device_inventory.h"

namespace fairlead::linkprobe {

std::vector<ReportedHca> ReadReportedHcas() {
  std::vector<ReportedHca> reported;
  const auto devices = ReadRdmaDevices();
  if (!devices) {
    LogWarning("RDMA devices not read", {{"error", devices.error().message}});
    return reported;
  }
  for (const RdmaDevice& device : *devices) {
    for (const RdmaPort& port : device.ports) {
      ReportedHca hca{.device = device.name,
                      .port = port.number,
                      .gid = "",
                      .gid_index = 0,
                      .active_mtu_bytes = port.active_mtu_bytes,
                      .active = port.state == PortState::kActive};
      for (const RankedGid& ranked : port.ranked) {
        if (ranked.rank != 1) continue;
        hca.gid_index = ranked.index;
        for (const GidEntry& entry : port.gids) {
          if (entry.index == ranked.index) hca.gid = FormatGid(entry.gid);
        }
      }
      reported.push_back(std::move(hca));
    }
  }
  return reported;
}

}  // namespace fairlead::linkprobe
