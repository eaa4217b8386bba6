#include <string>

#include "common/units/duration.h"
#include "common/units/human.h"
#include "deviceplugin/doctor/check_functions.h"
#include "deviceplugin/doctor/line_arithmetic.h"
#include "deviceplugin/profile/ack_timeout.h"

namespace fairlead::deviceplugin {

void CheckRttFloor(const NodeFacts& facts, Findings& out) {
  if (!facts.lines) {
    out.NotKnown("", facts.lines.why_not());
    return;
  }
  for (const LineFacts& line : facts.lines->lines) {
    if (!line.rtt || line.rtt_source == RttSource::kFloor) {
      out.NotKnown("line to " + line.peer, "no RTT is given or measured; give --rtt");
      continue;
    }
    if (!line.floor) {
      out.NotKnown("line to " + line.peer, "the sites have no coordinates in the configuration");
      continue;
    }
    if (*line.rtt >= *line.floor) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kFault,
             .subject = "line to " + line.peer,
             .what = "The RTT is shorter than light in fibre allows.",
             .evidence = HumanDuration(*line.rtt) +
                         (line.rtt_source == RttSource::kGiven ? " as given" : " as measured") +
                         "; along the great circle no fibre is below " +
                         HumanDuration(*line.floor) + ".",
             .why = "Half an RTT read as one (perftest prints half), wrong coordinates, or a clock "
                    "at fault: windows and timeouts computed from it are too small.",
             .remedy = "Measure with `fairlead-linkprobe ping`; check `sites` in the "
                       "configuration."});
  }
}

void CheckLineCapacity(const NodeFacts& facts, Findings& out) {
  if (!facts.lines) {
    out.NotKnown("", facts.lines.why_not());
    return;
  }
  const auto own = static_cast<double>(NodeRate(facts));
  for (const LineFacts& line : facts.lines->lines) {
    const std::string subject = "line to " + line.peer;
    if (!line.capacity_bits_per_second) {
      out.Add({.severity = CheckStatus::kNote,
               .subject = subject,
               .what = "The line's capacity is not declared.",
               .evidence = "`lines` in the configuration has no `capacity` for it.",
               .why = "A NIC's rate is not the line's: until it is measured, windows and scores "
                      "count on " +
                      (own > 0 ? HumanRate(own) : std::string("nothing")) + ".",
               .remedy = "`lines: [{between: [" + facts.lines->site + ", " + line.peer +
                         "], capacity: 10Gbps}]` with what was leased."});
      continue;
    }
    const auto capacity = static_cast<double>(*line.capacity_bits_per_second);
    if (own == 0 || own >= capacity) {
      out.Fine();
      continue;
    }
    out.Add({.severity = CheckStatus::kNote,
             .subject = subject,
             .what = "This node alone cannot fill the line.",
             .evidence = "Its active ports have " + HumanRate(own) + ", the line " +
                         HumanRate(capacity) + ".",
             .why = "One job on one node reaches " + HumanPercent(own / capacity) +
                    " of the line at most.",
             .remedy = "Spread a job that should fill it over more nodes of the site."});
  }
}

void CheckAckTimeout(const NodeFacts& facts, Findings& out) {
  if (!facts.lines) {
    out.NotKnown("", facts.lines.why_not());
    return;
  }
  const std::uint32_t exponent = AckTimeoutExponent(facts.outage);
  for (const LineFacts& line : facts.lines->lines) {
    const std::string subject = "line to " + line.peer;
    if (!line.rtt) {
      out.NotKnown(subject, "no RTT is known; give --rtt");
      continue;
    }
    const auto timeout = [](std::uint32_t t) { return HumanDuration(AckTimeout(t)); };
    if (AckTimeout(exponent) < 2 * *line.rtt) {
      out.Add({.severity = CheckStatus::kWarning,
               .subject = subject,
               .what = "The ACK timeout is less than two RTTs.",
               .evidence = "NCCL_IB_TIMEOUT " + std::to_string(exponent) + " is " +
                           timeout(exponent) + "; RTT " + HumanDuration(*line.rtt) + ".",
               .why = "What is only late is sent again, and the line carries it twice.",
               .remedy = "A longer `deviceplugin.outage`."});
    } else {
      out.Fine();
    }
  }
}

}  // namespace fairlead::deviceplugin
