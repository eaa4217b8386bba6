#include "extender/decision/setup.h"

#include <utility>

namespace fairlead::extender {

namespace {

std::optional<Nanoseconds> Staleness(const KubernetesConfig& kubernetes) {
  if (kubernetes.source == ClusterSource::kStandalone) return std::nullopt;
  return kubernetes.stale;
}

}  // namespace

Setup MakeSetup(const Config& config, NodeNames nodes) {
  return {.inventory = std::move(nodes),
          .lines = LineCatalogue(config.sites, config.lines),
          .site_label = config.site_node_label,
          .gang_ttl = config.extender.gang_ttl,
          .stale_after = config.extender.stale_after,
          .cluster_stale_after = Staleness(config.extender.kubernetes),
          .volcano_scale = config.extender.volcano_scale,
          .fine_scale = config.extender.fine_scale,
          .mesh = {.representatives_per_site = config.extender.representatives_per_site,
                   .neighbours_in_site = config.extender.neighbours_in_site},
          .bandwidth = config.extender.bandwidth,
          .moves = {.exclusion = config.migration.exclusion,
                    .patience = config.migration.relocation.begin_timeout}};
}

}  // namespace fairlead::extender
