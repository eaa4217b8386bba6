#include <charconv>
#include <string>

#include "common/units/duration.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/doctor/traffic_priority.h"

namespace fairlead::deviceplugin {
namespace {

std::optional<std::uint32_t> NumberIn(const std::string& text) {
  std::uint32_t value = 0;
  const bool hex = text.starts_with("0x");
  const char* const begin = text.data() + (hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || begin == end) return std::nullopt;
  return value;
}

struct Enabled {
  bool notification = false;
  bool reaction = false;
  std::string place;
};

// Of one priority, by whichever place tells it; each of them is the same switch of the firmware.
Known<Enabled> CongestionControl(const PortView& view, std::uint8_t priority) {
  const auto& ecn = view.facts->ecn;
  const std::string place = "/sys/class/net/" + view.Interface() + "/ecn";
  if (ecn) {
    return Enabled{.notification = ecn->notification[priority],
                   .reaction = ecn->reaction[priority],
                   .place = place + "/roce_{np,rp}/enable/" + std::to_string(priority)};
  }
  const auto& firmware = view.hca_facts->firmware;
  if (firmware) {
    const std::string name = "ROCE_CC_PRIO_MASK_P" + std::to_string(view.port->number);
    const auto setting = firmware->find(name);
    const auto mask = setting == firmware->end() ? std::nullopt : NumberIn(setting->second.current);
    if (mask) {
      const bool on = (*mask >> priority & 1) != 0;
      return Enabled{.notification = on,
                     .reaction = on,
                     .place = "firmware setting " + name + " = " + setting->second.current};
    }
  }
  return Known<Enabled>::Not("neither " + place +
                             " (MLNX_OFED) nor mlxconfig tells it; firmware: " +
                             (firmware ? "no such setting" : firmware.why_not()));
}

std::uint8_t PriorityInUse(const NodeFacts& facts, const PortView& view) {
  const auto uses = TrafficClasses(facts);
  if (uses.empty()) return 0;
  const auto priority = PriorityFor(view, uses.front().traffic_class);
  return priority ? *priority : 0;
}

bool HasCongestionControl(const PortView& view) { return view.hca->driver == "mlx5_core"; }

}  // namespace

void CheckEcn(const NodeFacts& facts, Findings& out) {
  for (const PortView& view : RocePorts(facts)) {
    if (!HasCongestionControl(view)) continue;
    const std::uint8_t priority = PriorityInUse(facts, view);
    const auto enabled = CongestionControl(view, priority);
    if (!enabled) {
      out.NotKnown(view.Subject(), enabled.why_not());
      continue;
    }
    const auto uses = TrafficClasses(facts);
    if (!enabled->notification || !enabled->reaction) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = view.Subject(),
               .what = "Congestion control by ECN is off for RDMA's priority.",
               .evidence = "Priority " + std::to_string(priority) + ": notification " +
                           (enabled->notification ? "on" : "off") + ", reaction " +
                           (enabled->reaction ? "on" : "off") + " (" + enabled->place + ").",
               .why = "Inside the site senders then slow down only by loss or by PFC.",
               .remedy = "With MLNX_OFED `echo 1 > /sys/class/net/" + view.Interface() +
                         "/ecn/roce_np/enable/" + std::to_string(priority) +
                         "`, roce_rp the same; else `mlxconfig -d " +
                         (view.hca->pci ? FormatPci(*view.hca->pci) : "DEVICE") +
                         " set ROCE_CC_PRIO_MASK_P" + std::to_string(view.port->number) +
                         "=255` and a firmware reset. The switches must mark, too."});
    } else if (!uses.empty() && (uses.front().traffic_class & 3) == 0) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = view.Subject(),
               .what = "The pool's traffic class says that its packets are not ECN capable.",
               .evidence = "Its last two bits are 00: " + ClassText(uses.front()) +
                           "; congestion control is on (" + enabled->place + ").",
               .why = "Switches drop such packets where they would mark others, unless the NIC "
                      "sets the bits itself.",
               .remedy = "`trafficClass: " + std::to_string(uses.front().traffic_class + 2) +
                         "` in the pool."});
    } else {
      out.Fine();
    }
  }
}

void CheckDcqcnOverWan(const NodeFacts& facts, Findings& out) {
  constexpr Nanoseconds kLong = Milliseconds(1);
  constexpr double kOverload = 0.1;
  for (const PortView& view : RocePorts(facts)) {
    if (!HasCongestionControl(view)) continue;
    const auto enabled = CongestionControl(view, PriorityInUse(facts, view));
    if (!enabled) {
      out.NotKnown(view.Subject(), enabled.why_not());
      continue;
    }
    const auto load = HeaviestLine(facts, view.port->rate_bits_per_second);
    if (!enabled->reaction || !load || load->rtt < kLong) {
      out.Fine();
      continue;
    }
    std::string timer;
    if (const auto& congestion = view.hca_facts->congestion) {
      const auto reset = congestion->find("rp_time_reset");
      if (reset != congestion->end()) {
        timer = " Its rate grows again every rp_time_reset = " + reset->second + " us, " +
                "many times before the answer to the last step is back.";
      }
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = view.Subject(),
             .what = "Congestion control reacts too late for the long lines.",
             .evidence = "Reaction to congestion notifications is on (" + enabled->place +
                         "); the longest way is " + LineText(*load) + ".",
             .why = "A notification needs at least one RTT: at 10 % overload " +
                    BytesText(load->bytes_in_flight * kOverload) +
                    " queue up before the sender slows down." + timer +
                    " Rates swing, and the line is not full.",
             .remedy = "Keep it for the site. Towards other sites limit what enters the line: "
                       "`mlnx_qos -i " +
                       view.Interface() +
                       " -r` sets a rate for each queue, or shape in the border switch."});
  }
}

}  // namespace fairlead::deviceplugin
