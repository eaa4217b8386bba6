// Columns of `kubectl get links`. Empty where a value is not known.
#pragma once

#include <string>

#include "extender/link_status/link_object.h"

namespace fairlead::extender {

// Of both directions the worse value: "36.21 ms".
std::string RttText(const LinkObject& object);
std::string JitterText(const LinkObject& object);
// "0.20 %".
std::string LossText(const LinkObject& object);
// "9.412 Gbps"; "100 Gbps (declared)" where no test has measured it, ">=40 Gbps" where something
// else than the line limited the test.
std::string BandwidthText(const LinkObject& object);

// State and values of one direction: "Degraded 58.1 ms 0.20 %".
std::string WayText(const LinkWay& way);

}  // namespace fairlead::extender
