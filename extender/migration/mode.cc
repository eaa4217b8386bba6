#include <algorithm>

#include "extender/migration/gang_condition.h"

namespace fairlead::extender {
namespace {

MigrationMode Configured(const GangCondition& gang, const MigrationConfig& config) {
  for (const ClassOverride& entry : config.classes) {
    if (entry.mode && !gang.priority_class.empty() && entry.priority_class == gang.priority_class) {
      return *entry.mode;
    }
  }
  for (const NamespaceMode& entry : config.namespaces) {
    if (entry.name == gang.key.namespace_name) return entry.mode;
  }
  return config.mode;
}

}  // namespace

MigrationMode ModeOf(const GangCondition& gang, const MigrationConfig& config) {
  if (config.mode == MigrationMode::kOff) return MigrationMode::kOff;
  MigrationMode mode = Configured(gang, config);
  if (gang.wish) mode = config.opt_in ? *gang.wish : std::min(mode, *gang.wish);
  for (const LineOverride& entry : config.lines) {
    if (entry.most && std::ranges::find(gang.crosses, entry.line) != gang.crosses.end()) {
      mode = std::min(mode, *entry.most);
    }
  }
  return mode;
}

}  // namespace fairlead::extender
