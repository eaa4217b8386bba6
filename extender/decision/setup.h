// The part of the configuration that can change while the extender runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/base/clock.h"
#include "common/config/config.h"
#include "extender/cluster/node_names.h"
#include "extender/link/line_catalogue.h"
#include "extender/plan/probe_mesh.h"
#include "extender/relocation/destination.h"

namespace fairlead::extender {

// An immutable value, made anew when the configuration changes.
struct Setup {
  NodeNames inventory;  // the nodes that are known, with their sites
  LineCatalogue lines;
  std::string site_label;  // node label that names a node's site
  Nanoseconds gang_ttl = Seconds(60);
  Nanoseconds stale_after = Seconds(30);
  // After so long without the API server there is no opinion on any gang; absent: it is not asked.
  std::optional<Nanoseconds> cluster_stale_after{};
  double volcano_scale = 1;      // of scores of 0 to 100
  std::uint32_t fine_scale = 1;  // of kube-scheduler's scores of 0 to 10
  ProbeMeshSettings mesh;
  BandwidthConfig bandwidth{};
  MoveTimes moves{};
};

// `nodes` is who is known: of the configuration or of the cluster.
Setup MakeSetup(const Config& config, NodeNames nodes);

}  // namespace fairlead::extender
