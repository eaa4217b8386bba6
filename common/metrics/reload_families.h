// How configuration reloading has gone, as metrics.
#pragma once

#include "common/config/config_watcher.h"
#include "common/metrics/family_set.h"

namespace fairlead {

// config_reloads_total by result, and config_restart_needed for each key that has a say in it.
void AddReloadFamilies(const ReloadStats& reloads, FamilySet& out);

}  // namespace fairlead
