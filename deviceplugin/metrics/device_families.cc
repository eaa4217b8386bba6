#include "deviceplugin/metrics/device_families.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "deviceplugin/pool/rejection.h"

namespace fairlead::deviceplugin {
namespace {

// Where a name goes to another device, the one that had it and is still listed has no series beside
// device_info, which tells the two apart.
std::vector<bool> HavingTheirNames(const std::vector<WatchedHca>& all) {
  std::map<std::string, std::size_t> owner;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [known, first] = owner.emplace(all[i].hca.name, i);
    if (!first && all[i].present && !all[known->second].present) known->second = i;
  }
  std::vector<bool> having(all.size());
  for (const auto& [name, position] : owner) having[position] = true;
  return having;
}

void AddInfo(const WatchedHca& watched, FamilySet& out) {
  const Hca& hca = watched.hca;
  out.Gauge("device_info", "1 for each HCA that is listed.",
            {{"device", hca.name},
             {"id", watched.id},
             {"driver", hca.driver},
             {"protocol", std::string(ProtocolName(hca.protocol))},
             {"pci", hca.pci ? FormatPci(*hca.pci) : ""},
             {"numa_node", hca.numa_node < 0 ? "" : std::to_string(hca.numa_node)},
             {"firmware", hca.firmware}},
            1);
}

void AddDevice(const WatchedHca& watched, FamilySet& out) {
  const Hca& hca = watched.hca;
  const Labels device{{"device", hca.name}};
  out.Gauge("device_healthy", "1 while kubelet is told that the HCA is healthy.", device,
            watched.healthy ? 1 : 0);
  if (!watched.reason.empty()) {
    out.Gauge("device_ailment",
              "1 for what keeps an HCA from carrying traffic now, also before the debounce has "
              "passed.",
              With(device, "reason", watched.reason), 1);
  }
  for (const HcaPort& port : hca.ports) {
    const Labels labels = With(device, "port", std::to_string(port.number));
    const std::optional<bool> carries =
        watched.present ? CarriesTraffic(port, hca.protocol) : std::optional(false);
    if (carries) {
      out.Gauge("port_up", "1 while the port can carry traffic; absent where it cannot be told.",
                labels, *carries ? 1 : 0);
    }
    if (port.rate_bits_per_second > 0) {
      out.Gauge("port_rate_bits_per_second", "The port's own rate; a line's is another matter.",
                labels, static_cast<double>(port.rate_bits_per_second));
    }
  }
}

void AddMatch(const NodeState& state, const std::vector<bool>& having, FamilySet& out) {
  for (const LeftOut& left_out : state.match.left_out) {
    if (!having[left_out.hca]) continue;
    const std::string& device = state.inventory.hcas[left_out.hca].name;
    for (const Rejection& rejection : left_out.rejections) {
      out.Gauge("device_left_out", "1 for each pool that does not take an HCA that no pool has.",
                {{"device", device},
                 {"pool", rejection.pool},
                 {"reason", std::string(RejectReasonName(rejection.reason))}},
                1);
    }
  }
  for (const Overlap& overlap : state.match.overlaps) {
    if (!having[overlap.hca]) continue;
    for (const std::string& pool : overlap.wanted_by) {
      out.Gauge("pool_overlap", "1 for a pool that selects an HCA which an earlier pool has.",
                {{"device", state.inventory.hcas[overlap.hca].name},
                 {"kept_by", overlap.kept_by},
                 {"wanted_by", pool}},
                1);
    }
  }
}

}  // namespace

void AddDeviceFamilies(const NodeState& state, FamilySet& out) {
  std::size_t problems = state.inventory.problems.size();
  const std::vector<bool> having = HavingTheirNames(state.watched);
  for (std::size_t i = 0; i < state.watched.size(); ++i) {
    AddInfo(state.watched[i], out);
    if (having[i]) AddDevice(state.watched[i], out);
    problems += state.watched[i].hca.problems.size();
  }
  AddMatch(state, having, out);
  for (const Gpu& gpu : state.inventory.gpus) {
    out.Gauge("gpu_healthy", "1 while kubelet is told that the GPU is healthy.",
              {{"gpu", gpu.uuid}, {"index", std::to_string(gpu.index)}}, gpu.healthy ? 1 : 0);
  }
  out.Gauge("read_problems", "Things on this node that could not be read the last time.", {},
            static_cast<double>(problems));
  out.Counter("node_reads_total", "Times the node was read.", {}, static_cast<double>(state.reads));
  out.Gauge("node_read_seconds", "How long the last reading took.", {},
            std::chrono::duration<double>(state.read_took).count());
}

void AddOfferFamilies(const Offer& offer, FamilySet& out) {
  constexpr char kHelp[] = "Devices offered to kubelet, by resource and health.";
  for (const auto& resource : offer) {
    const auto& devices = resource->devices();
    const auto healthy = std::count_if(devices.begin(), devices.end(),
                                       [](const OfferedDevice& device) { return device.healthy; });
    const Labels labels{{"resource", resource->name()}};
    out.Gauge("devices", kHelp, With(labels, "health", "healthy"), static_cast<double>(healthy));
    out.Gauge("devices", kHelp, With(labels, "health", "unhealthy"),
              static_cast<double>(devices.size()) - static_cast<double>(healthy));
  }
}

}  // namespace fairlead::deviceplugin
