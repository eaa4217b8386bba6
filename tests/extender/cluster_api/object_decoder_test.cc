#include "extender/cluster_api/object_decoder.h"

#include <gtest/gtest.h>

#include <string>

#include "common/json/padding.h"

namespace fairlead::extender {
namespace {

const kube::ObjectId kId{.namespace_name = "ml", .name = "one", .uid = "u1"};

class ObjectDecoderTest : public ::testing::Test {
 protected:
  // With the padding that callers owe.
  std::string_view Padded(std::string json) {
    text_ = std::move(json);
    const std::size_t size = text_.size();
    text_.append(kJsonPadding, ' ');
    return std::string_view(text_).substr(0, size);
  }
  ClusterPod Pod(const std::string& json) {
    const auto pod = decoder_.Pod(kId, Padded(json));
    EXPECT_TRUE(pod) << pod.error().message;
    return pod.value_or(ClusterPod{});
  }
  ClusterPod PodWithSpec(const std::string& spec) { return Pod(R"({"spec":{)" + spec + "}}"); }
  ClusterNode Node(const std::string& json) {
    const auto node = decoder_.Node(kId, Padded(json));
    EXPECT_TRUE(node) << node.error().message;
    return node.value_or(ClusterNode{});
  }

  ObjectDecoder decoder_;
  std::string text_;
};

TEST_F(ObjectDecoderTest, ReadsANode) {
  const ClusterNode node = Node(R"({"kind":"Node",
    "metadata":{"name":"one","labels":{"zone":"a","b\u002fc":"d"}},
    "spec":{"unschedulable":true,"taints":[{"key":"gpu","value":"x","effect":"NoExecute"},
                                           {"key":"new","effect":"SomethingElse"}]},
    "status":{"capacity":{"cpu":"99"},
              "allocatable":{"cpu":"95500m","memory":"1Ti","pods":"110","rdma/hca":"8",
                             "ephemeral-storage":"1k","hugepages-2Mi":"0"},
              "conditions":[{"type":"DiskPressure","status":"False"},
                            {"type":"Ready","status":"True"}]}})");
  EXPECT_EQ(node.name, "one");
  EXPECT_EQ(node.labels, (LabelSet{{"zone", "a"}, {"b/c", "d"}}));
  EXPECT_EQ(node.allocatable.milli_cpu, 95500);
  EXPECT_EQ(node.allocatable.memory_bytes, std::int64_t{1} << 40);
  EXPECT_EQ(node.allocatable.ephemeral_storage_bytes, 1000);
  EXPECT_EQ(node.allocatable.extended.size(), 1U);
  EXPECT_EQ(node.allocatable.extended.at("rdma/hca"), 8);
  EXPECT_EQ(node.pods, 110);
  EXPECT_EQ(node.taints, (std::vector<Taint>{{"gpu", "x", TaintEffect::kNoExecute}}));
  EXPECT_TRUE(node.ready);
  EXPECT_FALSE(node.schedulable);
}

TEST_F(ObjectDecoderTest, ANodeWithoutConditionsIsNotReady) {
  EXPECT_FALSE(Node("{}").ready);
  EXPECT_TRUE(Node("{}").schedulable);
  EXPECT_FALSE(Node(R"({"metadata":null,"spec":null,"status":null})").ready);
}

TEST_F(ObjectDecoderTest, ReadsAPod) {
  const ClusterPod pod = Pod(R"({"metadata":{"name":"one","namespace":"ml","uid":"u1",
      "labels":{"batch.kubernetes.io/controller-uid":"j1",
                "batch.kubernetes.io/job-completion-index":"3"},
      "deletionTimestamp":"2026-01-01T00:00:00Z",
      "ownerReferences":[{"kind":"X","uid":"x"},
                         {"kind":"Job","name":"train","uid":"j1","controller":true}]},
    "spec":{"nodeName":"n1",
      "containers":[{"resources":{"requests":{"cpu":"2","rdma/hca":"4"}}},
                    {"resources":{"requests":{"cpu":1,"memory":"1Gi"}}},{"name":"none"}],
      "initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"500m"}}},
                        {"resources":{"requests":{"cpu":"9"}}}],
      "overhead":{"memory":"1Ki"}},
    "status":{"phase":"Running"}})");
  EXPECT_EQ(pod.uid, "u1");
  EXPECT_EQ(pod.node, "n1");
  EXPECT_TRUE(pod.terminating);
  EXPECT_FALSE(pod.finished);
  EXPECT_EQ(pod.needs.requests.milli_cpu, 9500);
  EXPECT_EQ(pod.needs.requests.memory_bytes, (1 << 30) + 1024);
  EXPECT_EQ(pod.needs.requests.extended.at("rdma/hca"), 4);
  ASSERT_TRUE(pod.gang);
  EXPECT_EQ(pod.gang->key, (GangKey{"job", "ml", "j1", {}}));
  EXPECT_EQ(pod.gang->rank, 3U);
  EXPECT_EQ(pod.controller.name, "train");
}

TEST_F(ObjectDecoderTest, ReadsWhatAPodOfAGangTellsOfBeingMoved) {
  const std::string owner =
      R"("labels":{"batch.kubernetes.io/controller-uid":"j1"},"ownerReferences":
         [{"apiVersion":"batch/v1","kind":"Job","name":"train","uid":"j1","controller":true}])";
  const ClusterPod pod = Pod(R"({"metadata":{"annotations":{"fairlead.dev/migration":"enforce",
      "fairlead.dev/restart-time":"90s"},)" +
                             owner +
                             R"(},"spec":{"priority":-7,"priorityClassName":"production"},
    "status":{"conditions":[{"type":"PodScheduled","status":"True"},
      {"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T15:04:05Z"}]}})");
  EXPECT_EQ(pod.controller.api_version, "batch/v1");
  EXPECT_EQ(pod.wishes.mode, MigrationMode::kEnforce);
  EXPECT_EQ(pod.wishes.restart_time, Seconds(90));
  EXPECT_EQ(pod.wishes.priority, -7);
  EXPECT_EQ(pod.wishes.priority_class, "production");
  EXPECT_TRUE(pod.ready);
  EXPECT_EQ(pod.ready_since, WallTime(Seconds(1'767'366'245)));
}

TEST_F(ObjectDecoderTest, APodThatDoesNotTellSinceWhenIsReadyAllTheSame) {
  for (const std::string since :
       {"", R"(,"lastTransitionTime":null)", R"(,"lastTransitionTime":"lately")"}) {
    const ClusterPod pod =
        Pod(R"({"status":{"conditions":[{"type":"Ready","status":"True")" + since + "}]}}");
    EXPECT_TRUE(pod.ready) << since;
    EXPECT_FALSE(pod.ready_since) << since;
  }
  EXPECT_FALSE(Pod(R"({"status":{"conditions":[{"type":"Ready","status":"False",
      "lastTransitionTime":"2026-01-02T15:04:05Z"}]}})")
                   .ready_since);
  EXPECT_FALSE(Pod("{}").ready);
}

TEST_F(ObjectDecoderTest, ReadsAJobsRecordOfMovesAndWhatHasEnded) {
  const auto job = decoder_.Job(kId, Padded(R"({"metadata":{"annotations":{"other":"x",
      "fairlead.dev/moves":"number: 1\nstep: intended"}},"status":{"succeeded":2}})"));
  ASSERT_TRUE(job);
  EXPECT_EQ(job->moves.text(), "number: 1\nstep: intended");
  EXPECT_EQ(job->succeeded, 2U);
  EXPECT_FALSE(decoder_.Job(kId, Padded(R"({"status":{"succeeded":-1}})")));
}

TEST_F(ObjectDecoderTest, PhasesEndAPod) {
  EXPECT_TRUE(Pod(R"({"status":{"phase":"Failed"}})").finished);
  EXPECT_TRUE(Pod(R"({"status":{"phase":"Succeeded"}})").finished);
  EXPECT_FALSE(Pod(R"({"status":{"phase":"Pending"}})").finished);
  EXPECT_FALSE(Pod(R"({"status":{"phase":null}})").finished);
}

TEST_F(ObjectDecoderTest, ReadsWhereAPodMayGo) {
  const PodNeeds needs = PodWithSpec(R"("nodeSelector":{"zone":"a"},
      "tolerations":[{"key":"gpu","operator":"Exists","effect":"NoSchedule"},{"operator":"Exists"},
                     {"key":"k","value":"v"},{"key":"z","operator":"Later"},
                     {"key":"y","operator":"Exists","effect":"Later"}],
      "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
        {"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"NotIn","values":["b"]},
                                                   {"key":"c","operator":"Later","values":["d"]}],
                               "matchFields":[{"key":"metadata.name","operator":"In",
                                               "values":["n1"]}]}]}}})")
                             .needs;
  EXPECT_EQ(needs.node_selector.at("zone"), "a");
  ASSERT_EQ(needs.tolerations.size(), 3U);
  EXPECT_EQ(needs.tolerations[0].effect, TaintEffect::kNoSchedule);
  EXPECT_EQ(needs.tolerations[1], (Toleration{{}, TolerationOperator::kExists, {}, {}}));
  EXPECT_EQ(needs.tolerations[2], (Toleration{"k", TolerationOperator::kEqual, "v", {}}));
  ASSERT_TRUE(needs.node_affinity);
  ASSERT_EQ(needs.node_affinity->size(), 1U);
  const SelectorTerm& term = needs.node_affinity->front();
  ASSERT_EQ(term.labels.size(), 2U);
  EXPECT_EQ(term.labels[0].op, SelectorOperator::kNotIn);
  EXPECT_TRUE(term.labels[1].values.empty());  // In nothing: holds for no node
  EXPECT_EQ(term.fields[0].values, std::vector<std::string>{"n1"});
  EXPECT_FALSE(needs.one_per_host);
  EXPECT_FALSE(PodWithSpec(R"("affinity":{"nodeAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[]}})")
                   .needs.node_affinity);
}

TEST_F(ObjectDecoderTest, AntiAffinityToItsOwnLabelsByHostIsOnePerHost) {
  const auto one_per_host = [this](const std::string& selector, const std::string& topology) {
    return Pod(R"({"metadata":{"labels":{"job":"a","x":"y"}},"spec":{"affinity":{"podAntiAffinity":
        {"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":")" +
               topology + R"(","labelSelector":)" + selector + "}]}}}}")
        .needs.one_per_host;
  };
  const std::string host = "kubernetes.io/hostname";
  EXPECT_TRUE(one_per_host(R"({"matchLabels":{"job":"a"}})", host));
  EXPECT_TRUE(one_per_host("{}", host));
  EXPECT_FALSE(one_per_host("null", host));
  EXPECT_FALSE(one_per_host(R"({"matchLabels":{"job":"b"}})", host));
  EXPECT_FALSE(one_per_host(R"({"matchLabels":{"job":"a"}})", "zone"));
  const auto by = [&](const std::string& expression) {
    return one_per_host(R"({"matchExpressions":[)" + expression + "]}", host);
  };
  EXPECT_TRUE(by(R"({"key":"job","operator":"In","values":["a","b"]})"));
  EXPECT_FALSE(by(R"({"key":"job","operator":"NotIn","values":["a"]})"));
  EXPECT_TRUE(by(R"({"key":"none","operator":"NotIn","values":["a"]})"));
  EXPECT_TRUE(by(R"({"key":"x","operator":"Exists"})"));
  EXPECT_FALSE(by(R"({"key":"x","operator":"DoesNotExist"})"));
}

TEST_F(ObjectDecoderTest, ReadsJobs) {
  // As a watch tells it: a list leaves out kind and apiVersion.
  const auto job = decoder_.Job(kId, Padded(R"({"kind":"Job","apiVersion":"batch/v1","metadata":{
      "labels":{"jobset.sigs.k8s.io/jobset-uid":"s1","jobset.sigs.k8s.io/restart-attempt":"2"},
      "ownerReferences":[{"kind":"JobSet","name":"set","uid":"s1","controller":true}]},
      "spec":{"parallelism":8,"completions":null,"suspend":true},
      "status":{"conditions":[{"type":"Complete","status":"False"}]}})"));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->uid, "u1");
  EXPECT_EQ(job->parallelism, 8U);
  EXPECT_EQ(job->completions, std::nullopt);
  EXPECT_TRUE(job->suspended);
  EXPECT_FALSE(job->finished);
  EXPECT_EQ(job->controller.uid, "s1");
  EXPECT_EQ(job->jobset, (GangKey{"jobset", "ml", "s1", "2"}));
  const auto ended =
      decoder_.Job(kId, Padded(R"({"status":{"conditions":[{"type":"Failed","status":"True"}]}})"));
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->finished);
  EXPECT_EQ(ended->jobset, std::nullopt);
}

TEST_F(ObjectDecoderTest, ReadsPodGroupsOfEveryScheduler) {
  const auto volcano = decoder_.Group(PodGroupKind::kVolcano, kId,
                                      Padded(R"({"spec":{"minMember":32,"queue":"default"}})"));
  ASSERT_TRUE(volcano);
  EXPECT_EQ(volcano->min_members, 32U);
  EXPECT_EQ(volcano->Key(), (GangKey{"volcano", "ml", "one", {}}));
  const auto native = decoder_.Group(
      PodGroupKind::kNativeAlpha, kId,
      Padded(R"({"spec":{"schedulingPolicy":{"basic":null,"gang":{"minCount":4}}}})"));
  ASSERT_TRUE(native);
  EXPECT_EQ(native->min_members, 4U);
  EXPECT_EQ(native->Key().kind, "podgroup");
  const auto basic = decoder_.Group(PodGroupKind::kNative, kId,
                                    Padded(R"({"spec":{"schedulingPolicy":{"basic":{}}}})"));
  ASSERT_TRUE(basic);
  EXPECT_EQ(basic->min_members, std::nullopt);
}

TEST_F(ObjectDecoderTest, AnAmountThatIsNoQuantityIsToldAndNotNone) {
  const ClusterNode node = Node(R"({"metadata":{"labels":{"a":"b"}},"status":{"allocatable":{
      "cpu":"much","memory":"-1","rdma/hca":"8","pods":"110"}}})");
  EXPECT_EQ(node.unreadable, "status.allocatable: cpu \"much\"");
  EXPECT_EQ(node.allocatable.extended.at("rdma/hca"), 8);
  EXPECT_EQ(node.labels.Find("a"), "b") << "all else is read";
  for (const char* odd : {R"("1e99999999999999999999")", R"("")", "-1", "true", "{}", "[1]"}) {
    const ClusterNode other =
        Node(R"({"status":{"allocatable":{"x/y":)" + std::string(odd) + R"(,"pods":3}}})");
    EXPECT_NE(other.unreadable.find("x/y"), std::string::npos) << odd << other.unreadable;
    EXPECT_EQ(other.pods, 3) << odd;
  }
  EXPECT_EQ(Node(R"({"status":{"allocatable":{"cpu":null}}})").unreadable, "");
  EXPECT_EQ(PodWithSpec(R"("containers":[{"resources":{"requests":{"cpu":"2","rdma/hca":"x"}}}])")
                .needs.unreadable,
            "rdma/hca \"x\"");
  EXPECT_EQ(PodWithSpec(R"("overhead":{"memory":"-1"})").needs.unreadable, "memory \"-1\"");
  EXPECT_EQ(PodWithSpec(R"("resources":{"requests":{"cpu":"1x"}})").needs.unreadable, "cpu \"1x\"");
}

TEST_F(ObjectDecoderTest, ASizeThatNoGangHasIsReadAsItIs) {
  const auto job = decoder_.Job(kId, Padded(R"({"spec":{"parallelism":2147483647}})"));
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->parallelism, 2147483647U);
}

TEST_F(ObjectDecoderTest, SaysWhichFieldIsWrong) {
  const auto fault = [](const auto& result) {
    return result ? std::string("none")
                  : result.error().message.substr(0, result.error().message.find(": "));
  };
  EXPECT_EQ(fault(decoder_.Node(kId, Padded(R"({"status":{"allocatable":{"cpu":"\q"}}})"))),
            "status.allocatable");
  EXPECT_EQ(fault(decoder_.Node(kId, Padded(R"({"spec":{"taints":{}}})"))), "spec.taints");
  EXPECT_EQ(fault(decoder_.Node(kId, Padded(R"({"metadata":{"labels":{"a":1}}})"))),
            "metadata.labels");
  EXPECT_EQ(fault(decoder_.Pod(kId, Padded(R"({"spec":{"tolerations":[1]}})"))),
            "spec.tolerations");
  EXPECT_EQ(fault(decoder_.Pod(kId, Padded(R"({"spec":{"overhead":[]}})"))), "spec.overhead");
  EXPECT_EQ(fault(decoder_.Job(kId, Padded(R"({"spec":{"parallelism":-1}})"))), "spec.parallelism");
  EXPECT_EQ(fault(decoder_.Job(kId, Padded(R"({"spec":{"parallelism":4294967296}})"))),
            "spec.parallelism");
  EXPECT_EQ(
      fault(decoder_.Group(PodGroupKind::kVolcano, kId, Padded(R"({"spec":{"minMember":"3"}})"))),
      "spec.minMember");
  EXPECT_NE(fault(decoder_.Node(kId, Padded("[]"))), "none");
  EXPECT_NE(fault(decoder_.Node(kId, Padded("{"))), "none");
  EXPECT_NE(fault(decoder_.Pod(kId, Padded(""))), "none");
  kube::ObjectId nobody = kId;
  nobody.uid.clear();
  EXPECT_EQ(fault(decoder_.Pod(nobody, Padded("{}"))), "metadata.uid is missing");
}

}  // namespace
}  // namespace fairlead::extender
