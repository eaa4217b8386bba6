#include <algorithm>
#include <bit>
#include <string>

#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/traffic_priority.h"

namespace fairlead::deviceplugin {
namespace {

std::string Priorities(std::uint8_t mask) {
  std::string text;
  for (unsigned i = 0; i < kPriorities; ++i) {
    if (mask >> i & 1) text += (text.empty() ? "" : ",") + std::to_string(i);
  }
  return text.empty() ? "none" : text;
}

// Nothing, and a gap, where it is not known.
std::optional<std::uint8_t> PfcOf(const PortView& view, Findings& out) {
  const auto& dcb = view.facts->dcb;
  if (!dcb) {
    out.NotKnown(view.Subject(), "DCB: " + dcb.why_not());
  } else if (!dcb->pfc) {
    out.NotKnown(view.Subject(), "the driver tells no PFC state");
  } else {
    return dcb->pfc;
  }
  return std::nullopt;
}

}  // namespace

void CheckPfc(const NodeFacts& facts, Findings& out) {
  const auto uses = TrafficClasses(facts);
  for (const PortView& view : RocePorts(facts)) {
    const auto pfc = PfcOf(view, out);
    if (!pfc) continue;
    out.Fine();
    const std::string evidence = "PFC is on for priority " + Priorities(*pfc) + ".";
    if (std::popcount(*pfc) > 2) {
      out.Add({.severity = CheckStatus::kWarning,
               .subject = view.Subject(),
               .what = "PFC is on for " + std::to_string(std::popcount(*pfc)) + " priorities.",
               .evidence = evidence,
               .why = "Each needs buffer space of its own to be lossless, which NICs and switches "
                      "have for one or two; and traffic that needs no such care can stop the port.",
               .remedy = "Only RDMA's priority: `mlnx_qos -i " + view.Interface() +
                         " --pfc 0,0,0,1,0,0,0,0` or `dcb pfc set dev " + view.Interface() +
                         " prio-pfc all:off 3:on` for priority 3, the same in the switches."});
    }
    for (const ClassUse& use : uses) {
      const auto priority = PriorityFor(view, use.traffic_class);
      if (*pfc == 0 || !priority || (*pfc >> *priority & 1) != 0) continue;
      out.Add({.severity = CheckStatus::kWarning,
               .subject = view.Subject(),
               .what = "PFC is on, but not for the priority of a pool's packets.",
               .evidence = evidence + " The " + ClassText(use) + " goes to priority " +
                           std::to_string(*priority) + ".",
               .why = "Inside the site these packets are dropped where others wait.",
               .remedy = "Map the DSCP: `dcb app add dev " + view.Interface() + " dscp-prio " +
                         std::to_string(use.traffic_class >> 2) +
                         ":P` with P of the priorities above (`mlnx_qos -i " + view.Interface() +
                         " --dscp2prio set," + std::to_string(use.traffic_class >> 2) +
                         ",P`), or move PFC to priority " + std::to_string(*priority) + "."});
    }
  }
}

void CheckPfcOverWan(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    const auto pfc = PfcOf(view, out);
    if (!pfc) continue;
    if (*pfc == 0) {
      out.Fine();
      continue;
    }
    if (!facts.lines) {
      out.NotKnown(view.Subject(), facts.lines.why_not());
      continue;
    }
    const auto load = HeaviestLine(facts, view.port->rate_bits_per_second);
    if (!load) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = view.Subject(),
             .what = "PFC does not make the lines between sites lossless.",
             .evidence = "PFC is on for priority " + Priorities(*pfc) + "; the longest way is " +
                         LineText(*load) + ".",
             .why = "A pause frame reaches the next switch and no further. To span the line a "
                    "port would have to buffer what is under way, " +
                    BytesText(load->bytes_in_flight) +
                    " for each priority, and switches have some tens of MB for all their ports. "
                    "Inside the site PFC works as it is.",
             .remedy = "Nothing on this host. Count on loss between sites: shape before the line's "
                       "entry to " +
                       HumanRate(load->bits_per_second) +
                       " or less, and watch loss by linkprobe."});
  }
}

void CheckPause(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    const auto& pause = view.facts->pause;
    if (!pause) {
      out.NotKnown(view.Subject(), "pause parameters: " + pause.why_not());
      continue;
    }
    if (!pause->receive && !pause->transmit) {
      out.Fine();
      continue;
    }
    const auto& dcb = view.facts->dcb;
    const bool pfc = dcb && dcb->pfc && *dcb->pfc != 0;
    out.Add({.severity = pfc ? CheckStatus::kWarning : CheckStatus::kNote,
             .subject = view.Subject(),
             .what = pfc ? "Global pause and PFC are on at once."
                         : "Global pause is on, which stops all priorities together.",
             .evidence = std::string("Pause: receive ") + (pause->receive ? "on" : "off") +
                         ", transmit " + (pause->transmit ? "on" : "off") + ".",
             .why = pfc ? "A port can do one of the two; which one the driver keeps is not what "
                          "the other end expects."
                        : "One slow receiver stops everything behind the same switch port, also "
                          "traffic to other sites.",
             .remedy = "`ethtool -A " + view.Interface() +
                       " rx off tx off`, and PFC for RDMA's priority where the site is to be "
                       "lossless."});
  }
}

void CheckEts(const NodeFacts& facts, Findings& out) {
  constexpr std::uint8_t kEtsAlgorithm = 2;
  for (const PortView& view : RocePorts(facts)) {
    for (const ClassUse& use : TrafficClasses(facts)) {
      const auto& dcb = view.facts->dcb;
      if (!dcb || !dcb->ets) {
        out.NotKnown(view.Subject(),
                     dcb ? "the driver tells no ETS state" : "DCB: " + dcb.why_not());
        continue;
      }
      const auto priority = PriorityFor(view, use.traffic_class);
      if (!priority) {
        out.NotKnown(view.Subject(), priority.why_not());
        continue;
      }
      const EtsFacts& ets = *dcb->ets;
      const std::size_t queue = ets.class_of[*priority % kPriorities] % kPriorities;
      const auto load = HeaviestLine(facts, view.port->rate_bits_per_second);
      const double share =
          static_cast<double>(view.port->rate_bits_per_second) * ets.share_percent[queue] / 100;
      if (ets.algorithm[queue] != kEtsAlgorithm || !load || share >= load->bits_per_second) {
        out.Fine();
        continue;
      }
      out.Add({.severity = CheckStatus::kNote,
               .subject = view.Subject(),
               .what = "RDMA's share of the port is less than the line carries.",
               .evidence = "ETS gives queue " + std::to_string(queue) + " (priority " +
                           std::to_string(*priority) + ", " + ClassText(use) + ") " +
                           std::to_string(ets.share_percent[queue]) + " % of " +
                           HumanRate(static_cast<double>(view.port->rate_bits_per_second)) + ".",
               .why = "While other queues are busy RDMA sends at " + HumanRate(share) + " to " +
                      LineText(*load) + ".",
               .remedy = "Where RDMA is to have the line before others: `dcb ets set dev " +
                         view.Interface() + " tc-bw " + std::to_string(queue) +
                         ":N`, the others less."});
    }
  }
}

}  // namespace fairlead::deviceplugin
