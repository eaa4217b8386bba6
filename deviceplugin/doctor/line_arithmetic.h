// What distance asks of a host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "deviceplugin/doctor/node_facts.h"

namespace fairlead::deviceplugin {

// The most bytes that the headers of a RoCE packet take of the network MTU: what the kernel's
// iboe_get_mtu leaves free (GRH, UDP, BTH, XRC and atomic extensions, ICRC).
inline constexpr std::uint32_t kRoceOverheadBytes = 96;

// Bandwidth times delay: what must be under way for the line to be full.
double BytesInFlight(double bits_per_second, Nanoseconds rtt);

// The share of a line's rate that Go-Back-N keeps at this loss per packet with so many packets in
// flight, (1 - p) / (1 - p + p W): each loss costs what was under way behind it.
double GoBackNShare(double loss, double packets_in_flight);

// A line as one sender of at most `sender_bits_per_second` can fill it.
struct LineLoad {
  std::string peer;
  Nanoseconds rtt{};
  bool at_least = false;  // the RTT is only a lower bound
  double bits_per_second = 0;
  double bytes_in_flight = 0;
};

// The line that wants most in flight, among those whose RTT is known; a capacity that is not
// declared is taken for the sender's own rate. Nothing where no line, or no rate, is known.
std::optional<LineLoad> HeaviestLine(const NodeFacts& facts, std::uint64_t sender_bits_per_second);

// The same of one line.
std::optional<LineLoad> LoadOf(const LineFacts& line, std::uint64_t sender_bits_per_second);

// "the line to sg (36 ms, 100 Gbps)".
std::string LineText(const LineLoad& load);

// The rates of the active RoCE and InfiniBand ports together; 0 where none is told.
std::uint64_t NodeRate(const NodeFacts& facts);

// "425 MB", powers of 1000, three significant digits.
std::string BytesText(double bytes);

}  // namespace fairlead::deviceplugin
