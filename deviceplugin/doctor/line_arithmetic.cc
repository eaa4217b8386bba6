#include "deviceplugin/doctor/line_arithmetic.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "common/units/duration.h"
#include "common/units/human.h"

namespace fairlead::deviceplugin {

double BytesInFlight(double bits_per_second, Nanoseconds rtt) {
  return bits_per_second / 8 * std::chrono::duration<double>(rtt).count();
}

double GoBackNShare(double loss, double packets_in_flight) {
  return (1 - loss) / (1 - loss + loss * packets_in_flight);
}

std::optional<LineLoad> LoadOf(const LineFacts& line, std::uint64_t sender_bits_per_second) {
  if (!line.rtt) return std::nullopt;
  std::uint64_t rate = sender_bits_per_second;
  if (line.capacity_bits_per_second) {
    rate =
        rate == 0 ? *line.capacity_bits_per_second : std::min(rate, *line.capacity_bits_per_second);
  }
  if (rate == 0) return std::nullopt;
  LineLoad load{.peer = line.peer,
                .rtt = *line.rtt,
                .at_least = line.rtt_source == RttSource::kFloor,
                .bits_per_second = static_cast<double>(rate)};
  load.bytes_in_flight = BytesInFlight(load.bits_per_second, load.rtt);
  return load;
}

std::optional<LineLoad> HeaviestLine(const NodeFacts& facts, std::uint64_t sender_bits_per_second) {
  std::optional<LineLoad> heaviest;
  if (!facts.lines) return heaviest;
  for (const LineFacts& line : facts.lines->lines) {
    const auto load = LoadOf(line, sender_bits_per_second);
    if (load && (!heaviest || load->bytes_in_flight > heaviest->bytes_in_flight)) heaviest = load;
  }
  return heaviest;
}

std::string LineText(const LineLoad& load) {
  return "the line to " + load.peer + " (" + (load.at_least ? "at least " : "") +
         HumanDuration(load.rtt) + ", " + HumanRate(load.bits_per_second) + ")";
}

std::uint64_t NodeRate(const NodeFacts& facts) {
  std::uint64_t rate = 0;
  for (const Hca& hca : facts.inventory.hcas) {
    if (hca.protocol != RdmaProtocol::kRoce && hca.protocol != RdmaProtocol::kInfiniband) continue;
    for (const HcaPort& port : hca.ports) {
      if (port.state == PortState::kActive) rate += port.rate_bits_per_second;
    }
  }
  return rate;
}

std::string BytesText(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  std::array<char, 32> text{};
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, bytes, kUnits[unit]);
  return text.data();
}

}  // namespace fairlead::deviceplugin
