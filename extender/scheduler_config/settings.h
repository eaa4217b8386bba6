// What a scheduler's configuration says of its extenders, as plain values.
#pragma once

#include <vector>

#include "extender/scheduler_config/yaml_value.h"

namespace fairlead::extender {

struct ManagedResource {
  Scalar name;
  Scalar ignored_by_scheduler;  // empty: not given
};

// One of `extenders`: what is no list or mapping by its key; `tls` is tlsConfig.
struct KubeExtender {
  int line = 0;
  Scalars values;
  Scalars tls;
  std::vector<ManagedResource> managed_resources;
};

struct KubeProfile {
  int line = 0;
  Scalars values;
};

// A KubeSchedulerConfiguration.
struct KubeSettings {
  bool behind_another = false;  // document of the same file
  YamlValue root;
  std::vector<Scalar> doubled_keys;  // anywhere in it, each time after the first
  Scalars values;
  std::vector<KubeProfile> profiles;
  std::vector<KubeExtender> extenders;
};

struct VolcanoPlugin {
  Scalar name;
  Scalars arguments;
  std::vector<Scalar> managed_resources;  // of extender.managedResources
};

// Volcano's scheduler configuration: the plugins of all tiers in order.
struct VolcanoSettings {
  std::vector<Scalar> doubled_keys;  // anywhere in it, each time after the first
  std::vector<VolcanoPlugin> plugins;
};

}  // namespace fairlead::extender
