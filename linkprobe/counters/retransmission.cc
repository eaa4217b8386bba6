#include "linkprobe/counters/retransmission.h"

#include <array>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::linkprobe {
namespace {

struct Part {
  std::string_view name;
  std::uint64_t Retransmissions::*to;
};

constexpr std::array kParts{
    Part{"roce_adp_retrans", &Retransmissions::adaptive},
    Part{"packet_seq_err", &Retransmissions::refused},
    Part{"duplicate_request", &Retransmissions::duplicates},
    Part{"out_of_sequence", &Retransmissions::gaps},
    Part{"out_of_seq_request", &Retransmissions::gaps},
};

// In a count of so few a timer may have been right.
constexpr std::uint64_t kFewest = 10;

bool Outweighs(std::uint64_t resent, std::uint64_t lost) {
  return resent >= kFewest && resent / 2 > lost;
}

}  // namespace

Retransmissions& Retransmissions::operator+=(const Retransmissions& more) {
  adaptive += more.adaptive;
  refused += more.refused;
  duplicates += more.duplicates;
  gaps += more.gaps;
  return *this;
}

std::optional<Retransmissions> RetransmissionsOf(const TrackedPort& port) {
  Retransmissions counts;
  bool any = false;
  for (const Part& part : kParts) {
    const TrackedCounter* counter = port.Find(CounterSource::kHardware, part.name);
    if (counter == nullptr) continue;
    if (!counter->counted) return std::nullopt;
    counts.*part.to += *counter->counted;
    any = true;
  }
  if (!any) return std::nullopt;
  return counts;
}

std::string_view RetransmissionVerdictName(RetransmissionVerdict verdict) {
  switch (verdict) {
    case RetransmissionVerdict::kNone:
      return "none";
    case RetransmissionVerdict::kAdaptiveTimer:
      return "adaptive_timer";
    case RetransmissionVerdict::kPeers:
      return "peers";
  }
  return "";
}

RetransmissionFinding JudgeRetransmissions(const Retransmissions& counts, Nanoseconds window,
                                           std::optional<Nanoseconds> rtt,
                                           std::string_view device) {
  if (!rtt || *rtt <= kAdaptiveBase) return {};
  const std::string name(device);
  const std::string within = " within " + HumanDuration(window);
  const std::string late = "acknowledgements take " + HumanDuration(*rtt) +
                           " and the adaptive timer begins at " + HumanDuration(kAdaptiveBase);
  constexpr char kSwitchOff[] =
      " --reg_name ROCE_ACCL --set roce_adp_retrans_en=0 (until the next reset of the firmware), "
      "and then a QP timeout of twice the round trip or more, NCCL_IB_TIMEOUT for NCCL";
  if (Outweighs(counts.adaptive, counts.refused)) {
    return {.verdict = RetransmissionVerdict::kAdaptiveTimer,
            .sentence = name + " resent " + Counted(counts.adaptive, "time", "times") + within +
                        " by its adaptive timer, and peers missed something " +
                        Counted(counts.refused, "time", "times") + ": " + late,
            .remedy = "switch it off on this node: mlxreg -d " + name + kSwitchOff};
  }
  if (Outweighs(counts.duplicates, counts.gaps)) {
    return {.verdict = RetransmissionVerdict::kPeers,
            .sentence = name + " received " + Counted(counts.duplicates, "request", "requests") +
                        within + " that had arrived before, and saw " +
                        Counted(counts.gaps, "gap", "gaps") + ": " + late,
            .remedy =
                "switch adaptive retransmission off on the nodes that send: mlxreg -d "
                "DEVICE" +
                std::string(kSwitchOff)};
  }
  return {};
}

}  // namespace fairlead::linkprobe
