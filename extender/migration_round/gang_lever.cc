#include "extender/migration_round/gang_lever.h"

#include <string>

namespace fairlead::extender {

ControllingOwner ClaimOf(const GangView& gang, std::uint32_t gangs) {
  const OwnerFacts& owner = gang.owner.object;
  return {.api_group = std::string(ApiGroupOf(owner.api_version)),
          .kind = owner.kind,
          .name = owner.name,
          .uid = owner.uid,
          .gangs = gangs,
          .strangers = gang.strangers};
}

Result<LeverKind> LeverOfGang(const GangView& gang, std::uint32_t gangs) {
  auto lever = ChooseLever(ClaimOf(gang, gangs));
  if (!lever) return lever;
  if (ApiGroupOf(gang.owner.object.api_version) == "batch" && !gang.owner.followed) {
    return Fail(ErrorCode::kUnsupported, "its Job is not known yet, nor the moves that it has had");
  }
  return lever;
}

}  // namespace fairlead::extender
