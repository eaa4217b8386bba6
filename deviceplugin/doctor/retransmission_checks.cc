#include <string>

#include "common/units/duration.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/port_view.h"

namespace fairlead::deviceplugin {
namespace {

// The first of the adaptive timeouts; they double up to 16 ms, whatever timeout was asked for.
constexpr Nanoseconds kFirstAdaptive = Milliseconds(2);

std::uint64_t Count(const PortView& view, const char* name) {
  const auto& counters = view.facts->counters;
  if (!counters) return 0;
  const auto found = counters->find(name);
  return found == counters->end() ? 0 : found->second;
}

// As linkprobe sees it: by this port's own timer.
bool ResendsNow(const PortView& view) { return view.facts->resending == "adaptive_timer"; }

// What peers do to this port.
void CheckPeersResending(const PortView& view, Findings& out) {
  if (view.facts->resending != "peers") return;
  out.Add(
      {.severity = CheckStatus::kWarning,
       .subject = view.Subject(),
       .what = "Peers resend what has arrived here.",
       .evidence = "linkprobe: spurious_retransmission, cause \"peers\", within the last minute; "
                   "duplicate_request counts " +
                   std::to_string(Count(view, "duplicate_request")) + ".",
       .why = "Their NICs' adaptive timer begins at 2 ms, and no answer over a line is back by "
              "then: what they send again takes its place on the line.",
       .remedy = "On the nodes that send: `doctor` there, and `mlxreg -d DEVICE --reg_name "
                 "ROCE_ACCL --set "
                 "\"roce_adp_retrans_field_select=1,roce_adp_retrans_en=0\" -y`."});
}

// Whether adaptive retransmission is on: by the register, else by its having acted.
Known<bool> AdaptiveRetransmission(const PortView& view) {
  const auto& acceleration = view.hca_facts->acceleration;
  if (acceleration) {
    const auto field = acceleration->find("roce_adp_retrans_en");
    if (field != acceleration->end()) return field->second != 0;
    return Known<bool>::Not("register ROCE_ACCL has no roce_adp_retrans_en");
  }
  if (Count(view, "roce_adp_retrans") > 0 || ResendsNow(view)) return true;
  return Known<bool>::Not("register ROCE_ACCL: " + acceleration.why_not());
}

}  // namespace

void CheckAdaptiveRetransmission(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    CheckPeersResending(view, out);
    if (view.hca->driver != "mlx5_core" || view.hca->function == PciFunction::kVirtual) continue;
    const auto on = AdaptiveRetransmission(view);
    if (!on) {
      out.NotKnown(view.Subject(), on.why_not());
      continue;
    }
    if (!*on) {
      out.Fine();
      continue;
    }
    if (!facts.lines) {
      out.NotKnown(view.Subject(),
                   "it is on, and whether it harms depends on the lines: " + facts.lines.why_not());
      continue;
    }
    const auto load = HeaviestLine(facts, view.port->rate_bits_per_second);
    if (!load || load->rtt < kFirstAdaptive) {
      out.Fine();
      continue;
    }
    const std::string device = view.hca->pci ? FormatPci(*view.hca->pci) : "DEVICE";
    out.Add(
        {.severity = CheckStatus::kWarning,
         .subject = view.Subject(),
         .what = "Adaptive retransmission resends what is not lost.",
         .evidence = std::string(view.hca_facts->acceleration ? "ROCE_ACCL roce_adp_retrans_en = 1"
                                                              : "It has acted") +
                     (ResendsNow(view) ? ", and linkprobe sees it resend now" : "") +
                     "; roce_adp_retrans counts " +
                     std::to_string(Count(view, "roce_adp_retrans")) + ", duplicate_request " +
                     std::to_string(Count(view, "duplicate_request")) + ".",
         .why =
             "The NIC then waits 2 to 16 ms for an answer, whatever NCCL_IB_TIMEOUT says, and on " +
             LineText(*load) + " none can be back by then: each transfer is sent again from " +
             "there, up to " + BytesText(load->bytes_in_flight) + " at a time.",
         .remedy = "`mlxreg -d " + device +
                   " --reg_name ROCE_ACCL --set "
                   "\"roce_adp_retrans_field_select=1,roce_adp_retrans_en=0\" -y` (mstreg where "
                   "mstflint is used). It lasts until the next reset, so set it at boot."});
  }
}

void CheckTransportErrors(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : AllPorts(facts)) {
    if (view.port->state != PortState::kActive) continue;
    if (!view.facts->counters) {
      out.NotKnown(view.Subject(), "hw_counters: " + view.facts->counters.why_not());
      continue;
    }
    const std::uint64_t gave_up = Count(view, "req_transport_retries_exceeded") +
                                  Count(view, "retry_exceeded_err") +
                                  Count(view, "max_retry_exceeded");
    const std::uint64_t no_buffer = Count(view, "out_of_buffer");
    if (gave_up == 0 && no_buffer == 0) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = view.Subject(),
             .what = gave_up > 0 ? "Connections have been given up for want of an answer."
                                 : "Packets came for which no receive buffer was posted.",
             .evidence = "Since the driver was loaded: " + std::to_string(gave_up) +
                         " times all retries used up, " + std::to_string(no_buffer) +
                         " packets out of buffer.",
             .why = gave_up > 0 ? "Each is a job that ended with \"completion with error 12\", "
                                  "unless a peer had ended before."
                                : "The sender waits and repeats.",
             .remedy = "Look when they grow, not at the sum: "
                       "`rdma statistic show link " +
                       view.hca->name + "/" + std::to_string(view.port->number) +
                       "`, or linkprobe's counters beside the line's loss."});
  }
}

}  // namespace fairlead::deviceplugin
