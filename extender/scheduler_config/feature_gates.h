// Feature gates as Kubernetes programs take them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/base/result.h"

namespace fairlead::extender {

using FeatureGates = std::map<std::string, bool, std::less<>>;

// What --feature-gates has: NAME=true and NAME=false with commas between; the other words of Go's
// strconv.ParseBool too. Of a name that is there twice the later counts. kInvalidArgument names the
// word that is none.
Result<FeatureGates> ParseFeatureGates(std::string_view text);

// Whether kube-scheduler 1.37 lists it in its --help; a gate that has become stable is not there.
bool IsKubeFeatureGate(std::string_view name);

}  // namespace fairlead::extender
