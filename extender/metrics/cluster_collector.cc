#include "extender/metrics/cluster_collector.h"

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include "common/metrics/family_set.h"

namespace fairlead::extender {
namespace {

double Number(std::uint64_t count) { return static_cast<double>(count); }

void AddFailures(FamilySet& families, std::string_view name, std::string_view help,
                 const Labels& labels,
                 const std::array<std::uint64_t, kube::kApiFailures>& counts) {
  for (int i = 0; i < kube::kApiFailures; ++i) {
    const std::uint64_t count = counts[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    const auto reason = kube::ApiFailureName(static_cast<kube::ApiFailure>(i));
    families.Counter(name, help, With(labels, "reason", reason), Number(count));
  }
}

void AddResource(FamilySet& families, const ResourceStatus& resource, MonotonicTime now) {
  const Labels labels{{"resource", resource.resource}};
  const kube::ReflectorStatus& status = resource.followed;
  families.Gauge("cluster_synced", "1 where a resource of the API server has been listed whole.",
                 labels, status.synced ? 1 : 0);
  families.Gauge("cluster_absent", "1 where the API server does not know a resource.", labels,
                 status.absent ? 1 : 0);
  families.Counter("cluster_lists_total", "Whole lists of a resource taken over.", labels,
                   Number(status.lists));
  families.Counter("cluster_events_total", "Changes of objects that watches told.", labels,
                   Number(status.events));
  families.Counter("cluster_bad_objects_total", "Objects passed over, as they cannot be read.",
                   labels, Number(status.bad_objects));
  AddFailures(families, "cluster_follow_failures_total",
              "Lists and watches of a resource that failed, by reason.", labels, status.failures);
  if (!status.last_heard) return;
  families.Gauge("cluster_age_seconds", "Time since the API server told of a resource.", labels,
                 std::chrono::duration<double>(now - *status.last_heard).count());
}

void AddReviews(FamilySet& families, const ReviewCounts& counts) {
  families.Counter("token_reviews_total", "Tokens that the API server was asked about.", {},
                   Number(counts.reviews));
  families.Counter("tokens_proven_total", "Tokens that proved a probe's node.", {},
                   Number(counts.proven));
  for (std::size_t i = 0; i < kTokenRefusals; ++i) {
    if (counts.refused[i] == 0) continue;
    const auto reason = TokenRefusalName(static_cast<TokenRefusal>(i));
    families.Counter("tokens_refused_total", "Tokens that proved nothing, by reason.",
                     {{"reason", std::string(reason)}}, Number(counts.refused[i]));
  }
}

void AddWrites(FamilySet& families, const WriteCounts& counts) {
  families.Counter("events_written_total", "Events created, or their series renewed.", {},
                   Number(counts.events_written));
  families.Counter("events_dropped_total", "Events not written, as there were too many.", {},
                   Number(counts.events_dropped));
  families.Counter("nodes_marked_total", "Nodes marked so that waiting pods are tried again.", {},
                   Number(counts.nodes_marked));
  AddFailures(families, "write_failures_total", "Writes to the API server that failed, by reason.",
              {}, counts.failures);
}

}  // namespace

std::vector<prometheus::MetricFamily> ClusterCollector::Collect() const {
  FamilySet families("fairlead_extender_");
  const MonotonicTime now = clock_.Now();
  for (const ResourceStatus& resource : sources_.resources()) AddResource(families, resource, now);
  const auto view = view_.Get();
  const std::string_view help = "Objects in the view of the cluster, by kind.";
  families.Gauge("cluster_objects", help, {{"kind", "node"}}, Number(view->nodes().size()));
  families.Gauge("cluster_objects", help, {{"kind", "pod"}}, Number(view->pods()));
  families.Gauge("cluster_objects", help, {{"kind", "pending_pod"}}, Number(view->pending_pods()));
  families.Gauge("cluster_objects", help, {{"kind", "gang"}}, Number(view->gangs().size()));
  const std::string_view unreadable =
      "Nodes and pods with amounts that cannot be read; what is free there is not known.";
  families.Gauge("cluster_unreadable_amounts", unreadable, {{"kind", "node"}},
                 Number(view->unreadable_nodes()));
  families.Gauge("cluster_unreadable_amounts", unreadable, {{"kind", "pod"}},
                 Number(view->unreadable_pods()));
  AddReviews(families, sources_.reviews());
  AddWrites(families, sources_.writes());
  return families.Take();
}

}  // namespace fairlead::extender
