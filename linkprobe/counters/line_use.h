// This node's share of the lines of its site.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/config.h"
#include "common/link/declared_rate.h"
#include "linkprobe/counters/traffic.h"

namespace fairlead::linkprobe {

// Of one line with this node's site at an end. What a port carries isn't told apart by where it
// goes, so each ratio is the most that this node can use of the line.
struct LineUse {
  std::string other_site;
  std::optional<double> declared_bytes_per_second{};
  std::optional<double> transmit_ratio{};  // of what is declared
  std::optional<double> receive_ratio{};
  DeclaredRateDoubt doubt = DeclaredRateDoubt::kNone;
  std::string sentence{};  // the doubt with its numbers and what to do; empty without
};

// One for each line of `lines` with an end in `site`, in their order. Pure.
std::vector<LineUse> UseOfLines(std::string_view site, const std::vector<LineConfig>& lines,
                                const std::optional<NodeTraffic>& traffic);

}  // namespace fairlead::linkprobe
