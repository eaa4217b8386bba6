#include "extender/relocation_api/owner_shape.h"

#include <algorithm>

#include "common/base/quote.h"
#include "extender/relocation/lever_choice.h"

namespace fairlead::extender {
namespace {

using enum OwnerShape::Suspend;

constexpr std::string_view kTrainingLabel = "training.kubeflow.org/job-name";
constexpr std::string_view kJobSetLabel = "jobset.sigs.k8s.io/jobset-name";

// Of training-operator 1.9; MPI operator 0.8 has the same but for its Job, the launcher.
constexpr OwnerShape Training(std::string_view kind, std::string_view replica_specs,
                              std::string_view version = "v1", std::string_view jobs_label = "") {
  return {.api_group = "kubeflow.org",
          .kind = kind,
          .version = version,
          .suspend = kRunPolicy,
          .ends = {"Succeeded", "Failed"},
          .pods_label = kTrainingLabel,
          .jobs_label = jobs_label,
          .replica_specs = replica_specs};
}

// Fields by the types of Kubernetes 1.37, JobSet 0.11.1, Kubeflow Trainer 2.2.0, training-operator
// 1.9.3, MPI operator 0.8.0 and volcano.sh/apis 1.14.0.
constexpr std::array<OwnerShape, 12> kShapes{{
    {.api_group = "batch",
     .kind = "Job",
     .version = "v1",
     .suspend = kSpec,
     .ends = {"Complete", "Failed"},
     .pods_label = "batch.kubernetes.io/controller-uid",
     .labelled_by_uid = true},
    {.api_group = "jobset.x-k8s.io",
     .kind = "JobSet",
     .version = "v1alpha2",
     .suspend = kSpec,
     .ends = {"Completed", "Failed"},
     .pods_label = kJobSetLabel,
     .jobs_label = kJobSetLabel},
    // It makes one JobSet of its own name.
    {.api_group = "trainer.kubeflow.org",
     .kind = "TrainJob",
     .version = "v1alpha1",
     .suspend = kSpec,
     .ends = {"Complete", "Failed"},
     .pods_label = kJobSetLabel,
     .jobs_label = kJobSetLabel},
    Training("PyTorchJob", "pytorchReplicaSpecs"),
    Training("TFJob", "tfReplicaSpecs"),
    Training("XGBoostJob", "xgbReplicaSpecs"),
    Training("PaddleJob", "paddleReplicaSpecs"),
    Training("JAXJob", "jaxReplicaSpecs"),
    Training("MPIJob", "mpiReplicaSpecs", "v2beta1", "app"),
    Training("MPIJob", "mpiReplicaSpecs"),
    // Its phase tells how it is.
    {.api_group = "batch.volcano.sh",
     .kind = "Job",
     .version = "v1alpha1",
     .pods_label = "volcano.sh/job-name"},
    {.api_group = "apps", .kind = "StatefulSet", .version = "v1"},
}};

}  // namespace

std::span<const OwnerShape> AllOwnerShapes() { return kShapes; }

const OwnerShape* ShapeOf(const OwnerFacts& owner) {
  const std::string_view group = ApiGroupOf(owner.api_version);
  const OwnerShape* of_kind = nullptr;
  for (const OwnerShape& shape : kShapes) {
    if (shape.api_group != group || shape.kind != owner.kind) continue;
    if (owner.api_version.ends_with(shape.version)) return &shape;
    if (of_kind == nullptr) of_kind = &shape;
  }
  return of_kind;
}

std::string PluralOf(std::string_view kind) {
  std::string plural(kind);
  std::ranges::transform(plural, plural.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return plural + "s";
}

std::string Named(const OwnerFacts& owner) { return owner.kind + " " + Quoted(owner.name); }

}  // namespace fairlead::extender
