#include "linkprobe/counters/pause_names.h"

#include <array>

namespace fairlead::linkprobe {
namespace {

constexpr std::string_view kTransmit = "transmit";
constexpr std::string_view kReceive = "receive";
enum class Amount { kFrames, kMicroseconds };

// '#' stands for a priority, 0 to 7.
struct Pattern {
  std::string_view name;
  std::string_view direction;
  Amount amount = Amount::kFrames;
};

constexpr std::array kPatterns{
    // mlx5
    Pattern{"rx_prio#_pause", kReceive},
    Pattern{"tx_prio#_pause", kTransmit},
    Pattern{"rx_prio#_pause_duration", kReceive, Amount::kMicroseconds},
    Pattern{"tx_prio#_pause_duration", kTransmit, Amount::kMicroseconds},
    Pattern{"rx_global_pause", kReceive},
    Pattern{"tx_global_pause", kTransmit},
    Pattern{"rx_global_pause_duration", kReceive, Amount::kMicroseconds},
    Pattern{"tx_global_pause_duration", kTransmit, Amount::kMicroseconds},
    // bnxt_en
    Pattern{"rx_pfc_ena_frames_pri#", kReceive},
    Pattern{"tx_pfc_ena_frames_pri#", kTransmit},
    Pattern{"pfc_pri#_rx_duration_us", kReceive, Amount::kMicroseconds},
    Pattern{"pfc_pri#_tx_duration_us", kTransmit, Amount::kMicroseconds},
    Pattern{"rx_pause_frames", kReceive},
    Pattern{"tx_pause_frames", kTransmit},
    // ice and i40e; an XON frame ends a pause and is none
    Pattern{"rx_priority_#_xoff.nic", kReceive},
    Pattern{"tx_priority_#_xoff.nic", kTransmit},
    Pattern{"port.rx_priority_#_xoff", kReceive},
    Pattern{"port.tx_priority_#_xoff", kTransmit},
    Pattern{"link_xoff_rx.nic", kReceive},
    Pattern{"link_xoff_tx.nic", kTransmit},
    Pattern{"port.link_xoff_rx", kReceive},
    Pattern{"port.link_xoff_tx", kTransmit},
};

// The character in place of '#', or '#' where there is none; 0 where the name does not match.
char Match(std::string_view pattern, std::string_view name) {
  if (pattern.size() != name.size()) return 0;
  char found = '#';
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (pattern[i] == '#') {
      if (name[i] < '0' || name[i] > '7') return 0;
      found = name[i];
    } else if (pattern[i] != name[i]) {
      return 0;
    }
  }
  return found;
}

}  // namespace

std::optional<CounterMeaning> PauseMeaning(std::string_view name) {
  for (const Pattern& pattern : kPatterns) {
    const char found = Match(pattern.name, name);
    if (found == 0) continue;
    CounterMeaning meaning;
    if (pattern.amount == Amount::kFrames) {
      meaning.metric = "hca_pause_frames_total";
      meaning.help = "Pause frames by direction; those of one priority are PFC.";
    } else {
      meaning.metric = "hca_pause_seconds_total";
      meaning.help = "Time spent paused; drivers count microseconds.";
      meaning.factor = 1e-6;
    }
    meaning.direction = pattern.direction;
    if (found != '#') meaning.priority = static_cast<std::uint32_t>(found - '0');
    return meaning;
  }
  return std::nullopt;
}

}  // namespace fairlead::linkprobe
