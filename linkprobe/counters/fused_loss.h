// One loss from two witnesses.
#pragma once

#include <optional>
#include <string_view>

#include "common/link/link_measurement.h"

namespace fairlead::linkprobe {

enum class LossSource { kProbes, kTransport };

// "probes", "transport".
std::string_view LossSourceName(LossSource source);

struct FusedLoss {
  LossInterval interval;
  LossSource source = LossSource::kProbes;  // whose interval it is
  bool disagree = false;                    // the other's interval lies wholly elsewhere
};

// Probes see one line and few packets, a port's transport all its lines and many packets. While
// their intervals overlap the narrower one counts, and it is the transport's as soon as there is
// bulk traffic. Where they do not, they have seen different things (loss on one line of several,
// queues that probes pass by), and the one that shows more loss counts. Nothing sent is no witness.
// Pure.
std::optional<FusedLoss> FuseLoss(const std::optional<LossInterval>& probes,
                                  const std::optional<LossInterval>& transport);

}  // namespace fairlead::linkprobe
