// How well a loss ratio is known from what was counted.
#pragma once

#include <cstdint>

#include "common/link/link_measurement.h"

namespace fairlead::linkprobe {

// Wilson's score interval with z = 1.96, which covers the true ratio in 95 % of cases (E. B.
// Wilson, 1927). Of 0 sent nothing is known: 0 .. 1. More lost than sent is taken as all lost.
LossInterval WilsonInterval(std::uint64_t lost, std::uint64_t sent);

}  // namespace fairlead::linkprobe
