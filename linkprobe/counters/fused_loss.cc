#include "linkprobe/counters/fused_loss.h"

namespace fairlead::linkprobe {
namespace {

bool Speaks(const std::optional<LossInterval>& interval) { return interval && interval->sent > 0; }

double Width(const LossInterval& interval) { return interval.upper - interval.lower; }

}  // namespace

std::string_view LossSourceName(LossSource source) {
  switch (source) {
    case LossSource::kProbes:
      return "probes";
    case LossSource::kTransport:
      return "transport";
  }
  return "";
}

std::optional<FusedLoss> FuseLoss(const std::optional<LossInterval>& probes,
                                  const std::optional<LossInterval>& transport) {
  if (!Speaks(probes) && !Speaks(transport)) return std::nullopt;
  if (!Speaks(transport)) return FusedLoss{*probes, LossSource::kProbes, false};
  if (!Speaks(probes)) return FusedLoss{*transport, LossSource::kTransport, false};
  const bool disagree = probes->lower > transport->upper || transport->lower > probes->upper;
  const bool take_transport =
      disagree ? transport->lower > probes->upper : Width(*transport) < Width(*probes);
  if (take_transport) return FusedLoss{*transport, LossSource::kTransport, disagree};
  return FusedLoss{*probes, LossSource::kProbes, disagree};
}

}  // namespace fairlead::linkprobe
