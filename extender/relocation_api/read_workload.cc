#include "extender/relocation_api/read_workload.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/names.h"
#include "extender/relocation/lever.h"
#include "extender/relocation_api/move_requests.h"

namespace fairlead::extender {
namespace {

bool OwnedBy(const Json& object, std::string_view uid) {
  const Json& owners = At(object, {"metadata", "ownerReferences"});
  return owners.is_array() && std::ranges::any_of(owners, [&](const Json& owner) {
           return TextAt(owner, {"uid"}) == uid;
         });
}

}  // namespace

Status AddWorkload(const Json& workload, std::string_view owner_uid, WorkloadReading& reading) {
  if (!OwnedBy(workload, owner_uid) || HasCondition(workload, "Finished")) return {};
  WorkloadState state;
  state.exists = true;
  state.uid = TextAt(workload, {"metadata", "uid"});
  state.resource_version = TextAt(workload, {"metadata", "resourceVersion"});
  const Json& active = At(workload, {"spec", "active"});
  state.active = active.is_null() || True(active);
  state.marker = TextAt(workload, {"metadata", "annotations", AnnotationName(kMarkerAnnotation)});
  reading.name = TextAt(workload, {"metadata", "name"});
  if (reading.name.empty() || state.uid.empty() || state.resource_version.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a Workload has no name, uid or resourceVersion");
  }
  reading.state = std::move(state);
  ++reading.count;
  return {};
}

bool IsMoveCommand(const Json& command, std::string_view owner_uid) {
  return TextAt(command, {"metadata", "name"}).starts_with(kCommandPrefix) &&
         TextAt(command, {"target", "uid"}) == owner_uid;
}

}  // namespace fairlead::extender
