#include "extender/relocation_api/read_owner.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/base/names.h"
#include "extender/cluster/pod_group.h"
#include "extender/relocation/lever_choice.h"
#include "extender/relocation_api/owner_shape.h"

namespace fairlead::extender {
namespace {

// Which controllers are the kinds' own in spec.managedBy.
constexpr std::array<std::string_view, 5> kOwnControllers{
    "kubernetes.io/job-controller", "jobset.sigs.k8s.io/jobset-controller",
    "trainer.kubeflow.org/trainjob-controller", "kubeflow.org/training-operator",
    "kubeflow.org/mpi-operator"};

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

std::uint32_t Sum(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(a + b, kMost));
}

std::uint32_t Less(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : 0; }

std::uint32_t SizeOfJobSet(const Json& spec) {
  std::uint64_t size = 0;
  const Json& jobs = At(spec, {"replicatedJobs"});
  for (const Json& job : jobs.is_array() ? jobs : Json::array()) {
    const std::uint64_t replicas = Count(At(job, {"replicas"}), 1);
    size = Sum(size,
               std::min<std::uint64_t>(replicas * SizeWhenStarted(At(job, {"template"})), kMost));
  }
  return static_cast<std::uint32_t>(size);
}

std::uint32_t SumOfReplicas(const Json& roles, std::uint32_t otherwise) {
  std::uint32_t size = 0;
  for (const Json& role : roles.is_structured() ? roles : Json::array()) {
    size = Sum(size, Count(At(role, {"replicas"}), otherwise));
  }
  return size;
}

// Members that have succeeded are not made anew.
std::uint32_t SizeOfJob(const Json& job) {
  const Json& completions = At(job, {"spec", "completions"});
  const std::uint32_t size = SizeWhenStarted(job);
  if (completions.is_null()) return size;
  return std::min(size, Less(Count(completions, size), Count(At(job, {"status", "succeeded"}), 0)));
}

std::uint32_t SizeOf(const OwnerShape& shape, const Json& object) {
  const Json& spec = At(object, {"spec"});
  if (!shape.replica_specs.empty()) return SumOfReplicas(At(spec, {shape.replica_specs}), 1);
  if (shape.api_group == "batch") return SizeOfJob(object);
  if (shape.kind == "JobSet") return SizeOfJobSet(spec);
  if (shape.api_group == "batch.volcano.sh") return SumOfReplicas(At(spec, {"tasks"}), 0);
  if (shape.kind == "StatefulSet") return Count(At(spec, {"replicas"}), 1);
  return 0;
}

// podFailurePolicy: pods that are disrupted do not count as failed.
bool IgnoresDisruptions(const Json& spec) {
  const Json& rules = At(spec, {"podFailurePolicy", "rules"});
  return rules.is_array() && std::ranges::any_of(rules, [](const Json& rule) {
           const Json& patterns = At(rule, {"onPodConditions"});
           return TextAt(rule, {"action"}) == "Ignore" && patterns.is_array() &&
                  std::ranges::any_of(patterns, [](const Json& pattern) {
                    const std::string status = TextAt(pattern, {"status"});
                    return TextAt(pattern, {"type"}) == "DisruptionTarget" &&
                           (status.empty() || status == "True");
                  });
         });
}

// A pod that is deleted counts as a failure of the Job. Which of its indexes may fail how often is
// not told by the Job itself, so of such a Job none may.
std::optional<std::uint32_t> FailuresLeft(const Json& job) {
  const Json& spec = At(job, {"spec"});
  if (IgnoresDisruptions(spec)) return std::nullopt;
  if (!At(spec, {"backoffLimitPerIndex"}).is_null()) return 0;
  return Less(Count(At(spec, {"backoffLimit"}), 6), Count(At(job, {"status", "failed"}), 0));
}

void ReadVolcano(const Json& job, OwnerState& state) {
  const std::string phase = TextAt(job, {"status", "state", "phase"});
  state.finished = phase == "Completed" || phase == "Failed" || phase == "Terminated";
  state.suspended = phase == "Aborting" || phase == "Aborted";
  state.version = Count(At(job, {"status", "version"}), 0);
  state.retries_left =
      Less(Count(At(job, {"spec", "maxRetry"}), 3), Count(At(job, {"status", "retryCount"}), 0));
}

const Json& SuspendOf(const OwnerShape& shape, const Json& object) {
  return shape.suspend == OwnerShape::Suspend::kRunPolicy
             ? At(object, {"spec", "runPolicy", "suspend"})
             : At(object, {"spec", "suspend"});
}

OwnerFacts ObjectOf(const Json& object) {
  return {.kind = TextAt(object, {"kind"}),
          .name = TextAt(object, {"metadata", "name"}),
          .uid = TextAt(object, {"metadata", "uid"}),
          .controller = true,
          .api_version = TextAt(object, {"apiVersion"})};
}

}  // namespace

std::uint32_t SizeWhenStarted(const Json& job) {
  const std::uint32_t parallelism = Count(At(job, {"spec", "parallelism"}), 1);
  return std::min(parallelism, Count(At(job, {"spec", "completions"}), parallelism));
}

Result<OwnerReading> ReadOwner(const Json& object, const OwnerFacts& wanted, LeverKind lever) {
  const auto wrong = [&](const std::string& what) {
    return Fail(ErrorCode::kInvalidArgument,
                "the API server's answer about " + Named(wanted) + " " + what);
  };
  const OwnerShape* const shape = ShapeOf(wanted);
  OwnerReading reading;
  OwnerState& state = reading.state;
  reading.object = ObjectOf(object);
  if (shape == nullptr || reading.object.kind != wanted.kind ||
      ApiGroupOf(reading.object.api_version) != shape->api_group) {
    return wrong("is no " + wanted.kind);
  }
  state.resource_version = TextAt(object, {"metadata", "resourceVersion"});
  if (state.resource_version.empty()) return wrong("has no metadata.resourceVersion");
  if (reading.object.uid.empty()) return wrong("has no metadata.uid");
  if (!At(object, {"spec"}).is_object()) return wrong("has no spec");
  const Json& suspend = SuspendOf(*shape, object);
  if (!suspend.is_null() && !suspend.is_boolean()) return wrong("has a suspend that is no bool");
  const Json& annotations = At(object, {"metadata", "annotations"});
  state.exists = reading.object.uid == wanted.uid;
  state.record = TextAt(annotations, {AnnotationName(kMovesAnnotation)});
  state.deleting = At(object, {"metadata", "deletionTimestamp"}).is_string();
  state.suspended = True(suspend);
  for (const std::string_view end : shape->ends) {
    state.finished |= !end.empty() && HasCondition(object, end);
  }
  if (shape->api_group == "batch.volcano.sh") ReadVolcano(object, state);
  if (shape->api_group == "batch" && lever == LeverKind::kEvict) {
    state.retries_left = FailuresLeft(object);
  }
  reading.size = SizeOf(*shape, object);
  reading.controller = ControllerOf(object);
  std::string manager = TextAt(object, {"spec", "managedBy"});
  if (manager.empty()) manager = TextAt(object, {"spec", "runPolicy", "managedBy"});
  if (std::ranges::find(kOwnControllers, manager) == kOwnControllers.end()) {
    reading.managed_by = std::move(manager);
  }
  reading.kueue_queue =
      !TextAt(object, {"metadata", "labels", "kueue.x-k8s.io/queue-name"}).empty();
  reading.wants_eviction = TextAt(annotations, {AnnotationName("migration-lever")}) == "evict";
  reading.pod_labels = Strings(At(object, {"spec", "selector", "matchLabels"}));
  return reading;
}

}  // namespace fairlead::extender
