#include <string>

#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/traffic_priority.h"

namespace fairlead::deviceplugin {
namespace {

constexpr std::uint32_t kCongested = 3;

void CheckForced(const PortView& view, const std::vector<ClassUse>& uses, Findings& out) {
  const auto& forced = view.facts->forced_traffic_class;
  if (!forced) return;
  for (const ClassUse& use : uses) {
    if (use.traffic_class == *forced) continue;
    out.Add({.severity = CheckStatus::kWarning,
             .subject = view.Subject(),
             .what = "The driver forces another traffic class on every connection.",
             .evidence = "Forced: " + std::to_string(*forced) + " (" + ClassParts(*forced) +
                         "); configured: " + ClassText(use) + ".",
             .why = "What the pool sets by NCCL_IB_TC has no effect, so its packets travel in "
                    "another queue than planned.",
             .remedy = "Set the same class in the pool's `trafficClass`, or take out what writes "
                       "`/sys/class/infiniband/" +
                       view.hca->name + "/tc/" + std::to_string(view.port->number) +
                       "/traffic_class` at boot."});
  }
}

}  // namespace

void CheckTrafficClass(const NodeFacts& facts, Findings& out) {
  const auto ports = RocePorts(facts);
  if (ports.empty()) return;
  const auto uses = TrafficClasses(facts);
  if (uses.empty()) {
    if (!facts.lines || facts.lines->lines.empty()) return;
    out.Add({.severity = CheckStatus::kNote,
             .subject = "",
             .what = "No pool sets a traffic class, so RDMA packets travel as best effort.",
             .evidence = "None of `deviceplugin.pools` has `trafficClass` or `dscp`.",
             .why = "On a line between sites nothing tells them from any other traffic, so nothing "
                    "can keep a queue, or a share of the line, for them.",
             .remedy = "Where the carrier honours DSCP: `priority: {dscp: N}` in the pool, and the "
                       "same N in the switches; where it does not, leave it."});
    return;
  }
  for (const ClassUse& use : uses) {
    if ((use.traffic_class & 3) != kCongested) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kFault,
             .subject = "",
             .what = "A pool marks each of its packets as congested.",
             .evidence = "The last two bits are 11: " + ClassText(use) + ".",
             .why =
                 "Each receiver answers with congestion notifications, and the senders slow down "
                 "to their lowest rate.",
             .remedy = "Use " + std::to_string(use.traffic_class & ~3u) +
                       " + 2 = " + std::to_string((use.traffic_class & ~3u) + 2) +
                       ", ECN capable, as the pool's `trafficClass`."});
  }
  for (const PortView& view : ports) CheckForced(view, uses, out);
}

void CheckDscpTrust(const NodeFacts& facts, Findings& out) {
  const auto uses = TrafficClasses(facts);
  if (uses.empty()) return;
  for (const PortView& view : RocePorts(facts)) {
    const auto trust = TrustOf(view);
    if (!trust) {
      out.NotKnown(view.Subject(), trust.why_not());
      continue;
    }
    if (*trust == "dscp") {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kWarning,
             .subject = view.Subject(),
             .what = "The port looks at VLAN tags, not at DSCP.",
             .evidence = "Trust: " + *trust + "; configured: " + ClassText(uses.front()) + ".",
             .why =
                 "Packets without a tag are all priority 0 in this NIC: the pool's traffic class "
                 "picks no queue, no PFC priority and no share of the port.",
             .remedy = "`mlnx_qos -i " + view.Interface() +
                       " --trust dscp`; with the kernel's own "
                       "driver `dcb app add dev " +
                       view.Interface() + " dscp-prio " +
                       std::to_string(uses.front().traffic_class >> 2) + ":P` for priority P."});
  }
}

void CheckCmaDefaults(const NodeFacts& facts, Findings& out) {
  const auto uses = TrafficClasses(facts);
  for (const PortView& view : RocePorts(facts)) {
    const auto& cma = view.facts->rdma_cm;
    if (!cma) {
      out.NotKnown(view.Subject(), cma.why_not());
      continue;
    }
    const std::string script = " -d " + view.hca->name + " -p " + std::to_string(view.port->number);
    if (!cma->roce_v2) {
      out.Add({.severity = CheckStatus::kWarning,
               .subject = view.Subject(),
               .what = "rdma_cm connects by RoCE v1.",
               .evidence = "default_roce_mode: IB/RoCE v1.",
               .why = "What connects through rdma_cm (storage, UCX, perftest -R) reaches no other "
                      "site. NCCL does not use rdma_cm.",
               .remedy = "`cma_roce_mode" + script +
                         " -m 2`, or `fairlead-deviceplugin doctor fix --check rdma_cm`."});
    } else if (uses.size() == 1 && uses.front().traffic_class != cma->tos) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = view.Subject(),
               .what = "rdma_cm marks its packets otherwise than the pool.",
               .evidence = "default_roce_tos: " + std::to_string(cma->tos) +
                           (cma->kernel_default ? ", the kernel's default" : "") +
                           "; configured: " + ClassText(uses.front()) + ".",
               .why =
                   "What connects through rdma_cm (storage, UCX, perftest -R) travels in another "
                   "queue than NCCL, whose class NCCL_IB_TC sets.",
               .remedy = "`cma_roce_tos" + script + " -t " +
                         std::to_string(uses.front().traffic_class) +
                         "`, or `fairlead-deviceplugin doctor fix --check rdma_cm`."});
    } else {
      out.Fine();
    }
  }
}

}  // namespace fairlead::deviceplugin
