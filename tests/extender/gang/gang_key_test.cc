#include "extender/gang/gang_key.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

struct GangCase {
  const char* name;
  PodFacts pod;
  std::optional<GangKey> key;
  std::optional<std::uint32_t> size = std::nullopt;
  std::optional<std::uint32_t> rank = std::nullopt;
};

PodFacts Pod(StringMap labels, StringMap annotations = {}, std::vector<OwnerFacts> owners = {}) {
  PodFacts pod;
  pod.namespace_name = "ml";
  pod.name = "p";
  pod.uid = "u";
  pod.labels = std::move(labels);
  pod.annotations = std::move(annotations);
  pod.owners = std::move(owners);
  return pod;
}

PodFacts NativeGroup(StringMap labels) {
  PodFacts pod = Pod(std::move(labels));
  pod.scheduling_pod_group = "pg";
  return pod;
}

PodFacts OfWorkload(WorkloadRef workload) {
  PodFacts pod = Pod({{"controller-uid", "j1"}});
  pod.workload = std::move(workload);
  return pod;
}

class RecogniseGangOf : public ::testing::TestWithParam<GangCase> {};

TEST_P(RecogniseGangOf, APod) {
  const std::optional<Gang> gang = RecogniseGang(GetParam().pod);
  ASSERT_EQ(gang.has_value(), GetParam().key.has_value());
  if (!gang) return;
  EXPECT_EQ(gang->key.Text(), GetParam().key->Text());
  EXPECT_EQ(gang->key, GetParam().key);
  EXPECT_EQ(gang->size, GetParam().size);
  EXPECT_EQ(gang->rank, GetParam().rank);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RecogniseGangOf,
    ::testing::Values(
        GangCase{"nothing", Pod({}), std::nullopt},
        GangCase{"unrelated_labels", Pod({{"app", "web"}}), std::nullopt},
        GangCase{"job",
                 Pod({{"batch.kubernetes.io/controller-uid", "j1"},
                      {"batch.kubernetes.io/job-completion-index", "2"}}),
                 GangKey{"job", "ml", "j1", ""}, std::nullopt, 2},
        GangCase{"old_job_label", Pod({{"controller-uid", "j1"}}), GangKey{"job", "ml", "j1", ""}},
        GangCase{
            "job_index_by_annotation",
            Pod({{"controller-uid", "j1"}}, {{"batch.kubernetes.io/job-completion-index", "7"}}),
            GangKey{"job", "ml", "j1", ""}, std::nullopt, 7},
        GangCase{"job_by_owner_is_the_same_gang", Pod({}, {}, {{"Job", "train", "j1", true}}),
                 GangKey{"job", "ml", "j1", ""}},
        GangCase{"volcano",
                 Pod({{"volcano.sh/task-index", "3"}},
                     {{"scheduling.k8s.io/group-name", "train-5f"},
                      {"volcano.sh/job-version", "2"},
                      {"scheduling.volcano.sh/group-min-member", "8"}}),
                 GangKey{"volcano", "ml", "train-5f", "2"}, 8, 3},
        GangCase{"volcano_retry_is_another_incarnation",
                 Pod({}, {{"scheduling.volcano.sh/group-name", "g"},
                          {"volcano.sh/job-version", "2"},
                          {"volcano.sh/job-retry-count", "1"}}),
                 GangKey{"volcano", "ml", "g", "2.1"}},
        GangCase{"volcano_before_job",
                 Pod({{"controller-uid", "j1"}}, {{"scheduling.k8s.io/group-name", "g"}}),
                 GangKey{"volcano", "ml", "g", ""}},
        GangCase{"native_group_first", NativeGroup({{"controller-uid", "j1"}}),
                 GangKey{"podgroup", "ml", "pg", ""}},
        GangCase{"coscheduling", Pod({{"scheduling.x-k8s.io/pod-group", "g"}}),
                 GangKey{"coscheduling", "ml", "g", ""}},
        GangCase{"koordinator",
                 Pod({}, {{"gang.scheduling.koordinator.sh/name", "g"},
                          {"gang.scheduling.koordinator.sh/min-available", "4"}}),
                 GangKey{"koordinator", "ml", "g", ""}, 4},
        GangCase{"kai", Pod({}, {{"pod-group-name", "g"}}), GangKey{"kai", "ml", "g", ""}},
        GangCase{"kueue",
                 Pod({{"kueue.x-k8s.io/pod-group-name", "g"},
                      {"kueue.x-k8s.io/pod-group-pod-index", "0"}},
                     {{"kueue.x-k8s.io/pod-group-total-count", "16"}}),
                 GangKey{"kueue", "ml", "g", ""}, 16, 0},
        GangCase{"jobset_before_its_jobs",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/jobset-name", "set"},
                      {"jobset.sigs.k8s.io/restart-attempt", "1"},
                      {"batch.kubernetes.io/controller-uid", "j1"}}),
                 GangKey{"jobset", "ml", "s1", "1"}},
        GangCase{"jobset_of_single_pods",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/job-global-index", "3"},
                      {"batch.kubernetes.io/job-completion-index", "0"}}),
                 GangKey{"jobset", "ml", "s1", ""}, std::nullopt, 3},
        GangCase{"jobset_of_one_job",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/job-global-index", "0"},
                      {"batch.kubernetes.io/job-completion-index", "5"}}),
                 GangKey{"jobset", "ml", "s1", ""}, std::nullopt, 5},
        GangCase{"jobset_of_several_jobs_has_no_one_rank",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/job-global-index", "1"},
                      {"batch.kubernetes.io/job-completion-index", "5"}}),
                 GangKey{"jobset", "ml", "s1", ""}},
        GangCase{"trainjob",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/replicatedjob-name", "node"},
                      {"batch.kubernetes.io/controller-uid", "j1"}}),
                 GangKey{"jobset", "ml", "s1", ""}},
        GangCase{"trainjob_initializer_is_no_peer_of_the_trainers",
                 Pod({{"jobset.sigs.k8s.io/jobset-uid", "s1"},
                      {"jobset.sigs.k8s.io/replicatedjob-name", "dataset-initializer"},
                      {"batch.kubernetes.io/controller-uid", "j1"}}),
                 GangKey{"job", "ml", "j1", ""}},
        GangCase{"workload_of_1_35", OfWorkload({"train", "workers", "2"}),
                 GangKey{"workload", "ml", "train/workers/2", ""}},
        GangCase{"workload_without_a_replica", OfWorkload({"train", "workers", ""}),
                 GangKey{"workload", "ml", "train/workers", ""}},
        GangCase{"workload_without_a_group", OfWorkload({"train", "", ""}),
                 GangKey{"job", "ml", "j1", ""}},
        GangCase{"hived",
                 Pod({{"controller-uid", "j1"}},
                     {{"hivedscheduler.microsoft.com/pod-scheduling-spec",
                       "virtualCluster: vc1\naffinityGroup:\n  name: ml/train\n  members:\n"
                       "  - podNumber: 1\n    leafCellNumber: 8\n  - podNumber: 3\n"}}),
                 GangKey{"hived", "ml", "ml/train", ""}, 4},
        GangCase{"hived_alone",
                 Pod({{"controller-uid", "j1"}},
                     {{"hivedscheduler.microsoft.com/pod-scheduling-spec",
                       "virtualCluster: vc1\naffinityGroup: null\nleafCellNumber: 1\n"}}),
                 GangKey{"job", "ml", "j1", ""}},
        GangCase{"koordinator_total_before_least",
                 Pod({}, {{"gang.scheduling.koordinator.sh/name", "g"},
                          {"gang.scheduling.koordinator.sh/total-number", "8"},
                          {"gang.scheduling.koordinator.sh/min-available", "4"}}),
                 GangKey{"koordinator", "ml", "g", ""}, 8},
        GangCase{"koordinator_by_old_labels",
                 Pod({{"pod-group.scheduling.sigs.k8s.io/name", "g"},
                      {"pod-group.scheduling.sigs.k8s.io/min-available", "4"}}),
                 GangKey{"koordinator", "ml", "g", ""}, 4},
        GangCase{"app_group", Pod({{"appgroup.diktyo.x-k8s.io", "app"}}),
                 GangKey{"appgroup", "ml", "app", ""}},
        GangCase{"leaderworkerset_groups_apart",
                 Pod({{"leaderworkerset.sigs.k8s.io/name", "lws"},
                      {"leaderworkerset.sigs.k8s.io/group-index", "3"},
                      {"leaderworkerset.sigs.k8s.io/worker-index", "1"}}),
                 GangKey{"leaderworkerset", "ml", "lws/3", ""}, std::nullopt, 1},
        GangCase{"training_operator", Pod({{"training.kubeflow.org/job-name", "t"}}),
                 GangKey{"training-operator", "ml", "t", ""}},
        GangCase{"other_owner", Pod({}, {}, {{"RayCluster", "r", "o1", true}}),
                 GangKey{"owner", "ml", "o1", ""}},
        GangCase{"owner_that_does_not_control", Pod({}, {}, {{"RayCluster", "r", "o1", false}}),
                 std::nullopt},
        GangCase{"owner_without_uid", Pod({}, {}, {{"RayCluster", "r", "", true}}), std::nullopt},
        GangCase{"replica_set_is_loose", Pod({}, {}, {{"ReplicaSet", "r", "o1", true}}),
                 std::nullopt},
        GangCase{"daemon_set_is_loose", Pod({}, {}, {{"DaemonSet", "r", "o1", true}}),
                 std::nullopt},
        GangCase{"replica_set_that_says_how_it_talks",
                 Pod({}, {{"fairlead.dev/comm-bytes", "1MB"}}, {{"ReplicaSet", "r", "o1", true}}),
                 GangKey{"owner", "ml", "o1", ""}},
        GangCase{"empty_value_is_no_mark", Pod({{"controller-uid", ""}}), std::nullopt},
        GangCase{"size_that_is_no_number",
                 Pod({}, {{"scheduling.k8s.io/group-name", "g"},
                          {"scheduling.volcano.sh/group-min-member", "many"}}),
                 GangKey{"volcano", "ml", "g", ""}},
        GangCase{"size_zero_is_not_known",
                 Pod({}, {{"scheduling.k8s.io/group-name", "g"},
                          {"scheduling.volcano.sh/group-min-member", "0"}}),
                 GangKey{"volcano", "ml", "g", ""}}),
    [](const auto& test) { return test.param.name; });

TEST(GangKey, NamespacesKeepGangsApart) {
  PodFacts pod = Pod({{"controller-uid", "j1"}});
  const GangKey one = RecogniseGang(pod)->key;
  pod.namespace_name = "other";
  EXPECT_NE(RecogniseGang(pod)->key, one);
}

TEST(GangKey, TextNamesKindPlaceAndIncarnation) {
  EXPECT_EQ((GangKey{"volcano", "ml", "g", "2"}.Text()), "volcano ml/g (2)");
  EXPECT_EQ((GangKey{"job", "ml", "u1", ""}.Text()), "job ml/u1");
}

}  // namespace
}  // namespace fairlead::extender
