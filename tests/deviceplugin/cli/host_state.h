// A host's manifest, judged as on its first reading.
#pragma once

#include <string>

#include "common/config/deviceplugin_config.h"
#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/node/judge_node.h"
#include "tests/deviceplugin/discovery/manifest_files.h"
#include "tests/deviceplugin/discovery/manifest_gpus.h"

namespace fairlead::deviceplugin {

// Of tests/testdata/hosts; with its GPUs, which get made-up UUIDs.
inline NodeInventory InventoryOf(const ManifestFiles& files, const DevicepluginConfig& config) {
  NodeInventory inventory =
      ReadInventory(files, {.netdevs = {}, .allow = config.gid_allow, .deny = config.gid_deny});
  inventory.gpus = GpusOf(files);
  for (Gpu& gpu : inventory.gpus) {
    gpu.uuid = "GPU-0000000" + std::to_string(gpu.index) + "-1111-2222-3333-444444444444";
    gpu.product = "NVIDIA H100 80GB HBM3";
  }
  return inventory;
}

inline ManifestFiles LoadHost(const std::string& host) {
  return ManifestFiles::Load("tests/testdata/hosts/" + host + ".txt");
}

inline NodeState FirstState(const std::string& host, const DevicepluginConfig& config) {
  HealthBook book{HealthSettings{}};
  return JudgeNode(InventoryOf(LoadHost(host), config), book, {}, config,
                   {MonotonicTime(Seconds(1)), MonotonicTime(Seconds(1))})
      .state;
}

}  // namespace fairlead::deviceplugin
