#include "deviceplugin/metrics/node_metrics.h"

#include <chrono>
#include <cstddef>
#include <limits>
#include <utility>

#include "common/metrics/family_set.h"
#include "common/metrics/reload_families.h"
#include "deviceplugin/metrics/device_families.h"
#include "deviceplugin/metrics/verdict_families.h"

namespace fairlead::deviceplugin {
namespace {

double AsDouble(std::uint64_t count) { return static_cast<double>(count); }

prometheus::ClientMetric::Histogram ToHistogram(const CallCounts& counts) {
  prometheus::ClientMetric::Histogram out;
  out.sample_sum = AsDouble(counts.nanoseconds) / 1e9;
  for (std::size_t i = 0; i < counts.calls.size(); ++i) {
    out.sample_count += counts.calls[i];
    const bool last = i == kCallBounds.size();
    out.bucket.push_back(
        {.cumulative_count = out.sample_count,
         .upper_bound = last ? std::numeric_limits<double>::infinity()
                             : std::chrono::duration<double>(kCallBounds[i]).count()});
  }
  return out;
}

void AddResource(const ResourceStatus& status, FamilySet& out) {
  const Labels labels{{"resource", status.resource}};
  out.Gauge("registered", "1 while kubelet has taken the resource's socket.", labels,
            status.registered ? 1 : 0);
  out.Gauge("connected", "1 while kubelet reads the resource's devices.", labels,
            status.connected ? 1 : 0);
  constexpr char kRegistrations[] = "Registrations with kubelet, by result.";
  out.Counter("registrations_total", kRegistrations, With(labels, "result", "taken"),
              AsDouble(status.registrations));
  out.Counter("registrations_total", kRegistrations, With(labels, "result", "failed"),
              AsDouble(status.registration_failures));
  out.Counter("device_lists_total", "Device lists sent to kubelet.", labels,
              AsDouble(status.lists));
  constexpr char kAllocations[] = "Allocate calls of kubelet, by result.";
  out.Counter("allocations_total", kAllocations, With(labels, "result", "granted"),
              AsDouble(status.allocations - status.allocation_failures));
  out.Counter("allocations_total", kAllocations, With(labels, "result", "refused"),
              AsDouble(status.allocation_failures));
  constexpr char kStarts[] = "Calls of kubelet before a container starts, by result.";
  out.Counter("container_starts_total", kStarts, With(labels, "result", "taken"),
              AsDouble(status.starts - status.start_failures));
  out.Counter("container_starts_total", kStarts, With(labels, "result", "failed"),
              AsDouble(status.start_failures));
  out.Histogram("allocate_duration_seconds", "How long Allocate calls took, within the plugin.",
                labels, ToHistogram(status.allocation_durations));
}

void AddHoldings(const PodHoldings& holdings, FamilySet& out) {
  for (const Holding& holding : holdings.holdings) {
    for (const std::string& id : holding.device_ids) {
      out.Gauge("allocated", "1 for each device that a container holds.",
                {{"namespace", holding.pod_namespace},
                 {"pod", holding.pod},
                 {"container", holding.container},
                 {"resource", holding.resource},
                 {"id", id}},
                1);
    }
  }
}

}  // namespace

std::vector<prometheus::MetricFamily> NodeMetrics::Collect() const {
  FamilySet out("fairlead_deviceplugin_");
  out.Gauge("info", "1 for the running version.",
            {{"version", sources_.version}, {"node", sources_.node}}, 1);
  AddDeviceFamilies(*sources_.state(), out);
  AddOfferFamilies(*sources_.offer(), out);
  const KubeletStatus kubelet = sources_.kubelet();
  out.Gauge("kubelet_present", "1 while kubelet listens on its socket.", {},
            kubelet.kubelet_present ? 1 : 0);
  for (const ResourceStatus& status : kubelet.resources) AddResource(status, out);
  AddHoldings(*sources_.holdings(), out);
  const PodResourcesStatus pods = sources_.pod_resources();
  out.Counter("pod_resources_polls_total", "Questions to kubelet which pod holds what.", {},
              AsDouble(pods.polls));
  out.Counter("pod_resources_failures_total", "Of these, those that kubelet did not answer.", {},
              AsDouble(pods.failures));
  const NodeFileFailures files = sources_.files();
  constexpr char kFiles[] = "Times that a file for other programs could not be written.";
  out.Counter("file_failures_total", kFiles, {{"file", "cdi"}}, AsDouble(files.cdi));
  out.Counter("file_failures_total", kFiles, {{"file", "nfd"}}, AsDouble(files.nfd));
  const ConfCounts confs = sources_.nccl_confs();
  constexpr char kConfs[] = "Containers' files of NCCL settings that were to be written.";
  out.Counter("nccl_confs_total", kConfs, {{"result", "written"}}, AsDouble(confs.written));
  out.Counter("nccl_confs_total", kConfs, {{"result", "kept"}}, AsDouble(confs.kept));
  out.Counter("nccl_confs_total", kConfs, {{"result", "without"}}, AsDouble(confs.without));
  AddVerdictFamilies(sources_.verdicts(), out);
  AddReloadFamilies(sources_.config_reloads(), out);
  return out.Take();
}

}  // namespace fairlead::deviceplugin
