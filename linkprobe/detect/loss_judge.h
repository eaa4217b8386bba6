// Whether more is lost than a line may lose, and in which direction.
#pragma once

#include <optional>

#include "common/link/detector_settings.h"
#include "linkprobe/detect/finding.h"
#include "linkprobe/estimate/window_values.h"

namespace fairlead::linkprobe {

// Degraded(loss_*) when the lower end of the 95 % interval exceeds loss_critical over the short
// window or loss_degraded over the long one, on at least three losses in at least two runs: the
// bound is looked at again and again, and one lost probe or one switch-over proves no rate.
// Suspect(loss_*) when only the bound does. Nothing otherwise.
std::optional<Finding> JudgeLoss(const WindowValues& values, const DetectorSettings& settings);

// Hardly any loss in the short window, as recovery asks for.
bool IsCalm(const LossCounts& recent);

}  // namespace fairlead::linkprobe
