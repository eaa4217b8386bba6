// A gang as the watch shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "extender/cluster/cluster_view.h"
#include "extender/relocation/move_record.h"

namespace fairlead::extender {

// Null where it is not shown.
std::shared_ptr<const GangView> SeenGang(const ClusterView& cluster, const GangKey& key);

// How many gangs with members have this owner.
std::uint32_t GangsOf(const ClusterView& cluster, const std::string& owner_uid);

// Of an owner that the watch follows; absent where the record is empty, cannot be read, or is of no
// open move.
std::optional<MoveRecord> OpenRecordOf(const GangView& gang);

}  // namespace fairlead::extender
