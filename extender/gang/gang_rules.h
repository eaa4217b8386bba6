// The marks by which frameworks tell which pods belong together.
#pragma once

#include <array>
#include <string_view>

namespace fairlead::extender {

// Where a framework writes a value on the pod. An empty name: it does not.
enum class MarkPlace { kLabel, kAnnotation, kEither };

struct Mark {
  std::string_view name;
  MarkPlace place = MarkPlace::kEither;
};

// One framework: the pod belongs to one of its gangs when one of `ids` is there and not empty.
struct GangRule {
  std::string_view kind;
  std::array<Mark, 2> ids;           // tried in order
  std::array<Mark, 2> id_suffixes;   // appended to the id: subgroups that are gangs of their own
  std::array<Mark, 2> incarnations;  // joined, so that a restart is another gang
  std::array<Mark, 3> sizes;         // the first that can be read counts
  Mark rank;
  Mark rank_group;  // where ranks are counted anew in each of several groups: the group's number
};

// The Jobs of a Kubeflow TrainJob's JobSet that fetch data and model before the trainers start; by
// the value of kJobSetRole. Their pods talk to no peer.
inline constexpr Mark kJobSetRole{"jobset.sigs.k8s.io/replicatedjob-name"};
inline constexpr std::array<std::string_view, 2> kInitializers{"dataset-initializer",
                                                               "model-initializer"};

// In order of precedence. Names are those of the frameworks' own API packages.
inline constexpr std::array<GangRule, 10> kGangRules{{
    {.kind = "volcano",
     .ids = {{{"scheduling.k8s.io/group-name", MarkPlace::kAnnotation},
              {"scheduling.volcano.sh/group-name", MarkPlace::kAnnotation}}},
     .id_suffixes = {},
     .incarnations = {{{"volcano.sh/job-version"}, {"volcano.sh/job-retry-count"}}},
     .sizes = {{{"scheduling.volcano.sh/group-min-member"}, {}, {}}},
     .rank = {"volcano.sh/task-index"},
     .rank_group = {}},
    {.kind = "coscheduling",
     .ids = {{{"scheduling.x-k8s.io/pod-group", MarkPlace::kLabel}, {}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {}},
    {.kind = "koordinator",
     .ids = {{{"gang.scheduling.koordinator.sh/name", MarkPlace::kAnnotation},
              {"pod-group.scheduling.sigs.k8s.io/name", MarkPlace::kLabel}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {{{"gang.scheduling.koordinator.sh/total-number", MarkPlace::kAnnotation},
                {"gang.scheduling.koordinator.sh/min-available", MarkPlace::kAnnotation},
                {"pod-group.scheduling.sigs.k8s.io/min-available", MarkPlace::kLabel}}},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {}},
    {.kind = "kai",
     .ids = {{{"pod-group-name", MarkPlace::kAnnotation}, {}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {}},
    {.kind = "kueue",
     .ids = {{{"kueue.x-k8s.io/pod-group-name", MarkPlace::kLabel}, {}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {{{"kueue.x-k8s.io/pod-group-total-count", MarkPlace::kAnnotation}, {}, {}}},
     .rank = {"kueue.x-k8s.io/pod-group-pod-index", MarkPlace::kLabel},
     .rank_group = {}},
    {.kind = "jobset",
     .ids = {{{"jobset.sigs.k8s.io/jobset-uid"}, {"jobset.sigs.k8s.io/jobset-name"}}},
     .id_suffixes = {},
     .incarnations = {{{"jobset.sigs.k8s.io/restart-attempt"}, {}}},
     .sizes = {},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {"jobset.sigs.k8s.io/job-global-index"}},
    {.kind = "training-operator",
     .ids = {{{"training.kubeflow.org/job-name", MarkPlace::kLabel}, {}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {},
     .rank = {"training.kubeflow.org/replica-index", MarkPlace::kLabel},
     .rank_group = {}},
    {.kind = "appgroup",
     .ids = {{{"appgroup.diktyo.x-k8s.io", MarkPlace::kLabel}, {}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {}},
    {.kind = "leaderworkerset",
     .ids = {{{"leaderworkerset.sigs.k8s.io/name", MarkPlace::kLabel}, {}}},
     .id_suffixes = {{{"leaderworkerset.sigs.k8s.io/group-index", MarkPlace::kLabel}, {}}},
     .incarnations = {},
     .sizes = {{{"leaderworkerset.sigs.k8s.io/size", MarkPlace::kAnnotation}, {}, {}}},
     .rank = {"leaderworkerset.sigs.k8s.io/worker-index", MarkPlace::kLabel},
     .rank_group = {}},
    {.kind = "job",
     .ids = {{{"batch.kubernetes.io/controller-uid", MarkPlace::kLabel},
              {"controller-uid", MarkPlace::kLabel}}},
     .id_suffixes = {},
     .incarnations = {},
     .sizes = {},
     .rank = {"batch.kubernetes.io/job-completion-index"},
     .rank_group = {}},
}};

}  // namespace fairlead::extender
