// The lever by which a gang of the cluster could be moved.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/base/result.h"
#include "extender/cluster/gang_view.h"
#include "extender/relocation/lever_choice.h"

namespace fairlead::extender {

// What the watch knows of the gang's owner; `gangs` with members have it.
ControllingOwner ClaimOf(const GangView& gang, std::uint32_t gangs);

// kUnsupported says in one sentence why there is none.
Result<LeverKind> LeverOfGang(const GangView& gang, std::uint32_t gangs);

}  // namespace fairlead::extender
