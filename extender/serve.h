// The extender as a service.
#pragma once

#include <csignal>
#include <string>

#include "common/base/result.h"

namespace fairlead::extender {

// Serves until one of `signals`, which are blocked, comes. `pod` names this replica's pod; empty:
// there is one replica alone. The error says why it could not begin.
Status Serve(const std::string& config_file, const std::string& pod, const sigset_t& signals);

}  // namespace fairlead::extender
