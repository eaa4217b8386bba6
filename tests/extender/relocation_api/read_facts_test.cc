// What a relocation goes by, from an API server of plain objects.
#include "extender/relocation/lever.h"
#include "extender/relocation_api/move_rights.h"
#include "tests/extender/relocation_api/api_bench.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr auto kEvict = LeverKind::kEvict;

class MoveFactsTest : public ApiBench {
 protected:
  // Why an eviction of the Job's pods would not begin.
  std::string Refusal() {
    return EvictionLever().Refusal(Facts(Target("batch/v1", "Job", kEvict)));
  }

  void PutRecord(MoveStep step, bool checkpoint = false) {
    PutJob({{"metadata",
             {{"annotations",
               {{"fairlead.dev/moves", RecordAt(step, LeverKind::kSuspend, checkpoint)}}}}}});
  }
};

TEST_F(MoveFactsTest, PodsOfOthersAndThoseThatHaveEndedAreNoMembers) {
  PutJob();
  PutPod("other", "u-other", {{"batch.kubernetes.io/controller-uid", "u-Job"}});
  Json ended = api_.Get("/api/v1/namespaces/ml/pods/train-2");
  ended["status"]["phase"] = "Succeeded";
  api_.Put("/api/v1/namespaces/ml/pods/train-2", ended);
  const MoveFacts facts = Facts(Target("batch/v1", "Job"));
  EXPECT_EQ(facts.size, 3U);
  ASSERT_EQ(facts.pods.size(), 2U);
  EXPECT_EQ(facts.pods[0].name, "train-0");
  EXPECT_EQ(facts.pods[1].site, "hk");
  EXPECT_EQ(facts.forbidden, "");
}

TEST_F(MoveFactsTest, ManyPodsComeInPages) {
  PutJob({{"spec", {{"parallelism", 1203}, {"completions", 1203}}}});
  for (int i = 0; i < 1200; ++i) {
    PutPod("more-" + std::to_string(i), "u-Job", {{"batch.kubernetes.io/controller-uid", "u-Job"}});
  }
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).pods.size(), 1203U);
  EXPECT_EQ(api_.Count("GET", "/pods"), 3);
}

TEST_F(MoveFactsTest, ABudgetCoversWhatItSelectsAndAllowsWhatItSays) {
  PutJob();
  EXPECT_EQ(Refusal(), "") << "no budget at all";
  PutBudget("wide", {{"matchLabels", {{"app", "train"}}}},
            {{"disruptionsAllowed", 3}, {"observedGeneration", 2}});
  PutBudget("other", {{"matchLabels", {{"app", "web"}}}},
            {{"disruptionsAllowed", 0}, {"observedGeneration", 2}});
  PutBudget("of-none", nullptr, {{"disruptionsAllowed", 0}, {"observedGeneration", 2}});
  EXPECT_EQ(Refusal(), "");
  PutBudget("wide", {{"matchLabels", {{"app", "train"}}}},
            {{"disruptionsAllowed", 2}, {"observedGeneration", 2}});
  EXPECT_EQ(Refusal(),
            "PodDisruptionBudget wide allows 2 disruptions and covers 3 of its members; it must "
            "allow them all at once");
}

TEST_F(MoveFactsTest, ABudgetSelectsByExpressionsToo) {
  PutJob();
  const auto covers = [&](const std::string& selector) {
    PutBudget("b", Json::parse(selector), {{"disruptionsAllowed", 9}, {"observedGeneration", 2}});
    return Facts(Target("batch/v1", "Job", kEvict)).budgets.at(0).covers.size();
  };
  EXPECT_EQ(covers("{}"), 3U);
  const auto by = [&](const std::string& key, const std::string& op, const std::string& values) {
    return covers(R"({"matchExpressions":[{"key":")" + key + R"(","operator":")" + op + "\"" +
                  (values.empty() ? "" : ",\"values\":" + values) + "}]}");
  };
  EXPECT_EQ(by("app", "In", R"(["web","train"])"), 3U);
  EXPECT_EQ(by("app", "In", R"(["web"])"), 0U);
  EXPECT_EQ(by("app", "NotIn", R"(["web"])"), 3U);
  EXPECT_EQ(by("role", "Exists", ""), 0U);
  EXPECT_EQ(by("role", "DoesNotExist", ""), 3U);
  EXPECT_EQ(by("app", "Like", R"(["train"])"), 0U) << "the API server passes it over too";
}

TEST_F(MoveFactsTest, ABudgetThatCannotBeGoneByAllowsNothingAndIsNamed) {
  PutJob();
  const Json all = Json::object();
  PutBudget("b", all, {{"disruptionsAllowed", 3}, {"observedGeneration", 1}});
  EXPECT_THAT(Refusal(), StartsWith("PodDisruptionBudget b (whose status is not up to date) "
                                    "allows 0 disruptions and covers 3"));
  PutBudget("b", all, Json::object());
  EXPECT_THAT(Refusal(), HasSubstr("b (which has no status) allows 0"));
  PutBudget("b", all, {{"disruptionsAllowed", -1}, {"observedGeneration", 2}});
  EXPECT_THAT(Refusal(), HasSubstr("b allows 0"));
  PutBudget("b", "train", {{"disruptionsAllowed", 3}, {"observedGeneration", 2}});
  EXPECT_THAT(Refusal(), HasSubstr("b (whose selector cannot be read) allows 0"));
}

TEST_F(MoveFactsTest, AJobThatMustNotFailSoOftenIsNotEvicted) {
  PutJob({{"spec", {{"backoffLimit", 2}}}});
  EXPECT_THAT(Refusal(), StartsWith("it may fail 2 more times, and each of its 3 members"));
  PutJob({{"spec", {{"backoffLimit", 3}}}});
  EXPECT_EQ(Refusal(), "");
}

TEST_F(MoveFactsTest, RightsThatAreMissingAreSaid) {
  PutJob();
  api_.Deny("patch jobs.batch");
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden,
            "the right to patch jobs.batch in namespace ml is missing; see ClusterRole "
            "fairlead-extender-migration");
  api_.Deny("create pods/eviction");
  api_.Deny("delete pods");
  EXPECT_THAT(Facts(Target("batch/v1", "Job", kEvict)).forbidden,
              StartsWith("the rights to patch jobs.batch, create pods/eviction and delete pods in "
                         "namespace ml are missing"));
}

TEST_F(MoveFactsTest, RightsAreAskedForOnceInAWhile) {
  PutJob();
  const auto asked = [&] {
    Facts(Target("batch/v1", "Job"));
    return api_.Count("POST", "selfsubjectaccessreviews");
  };
  EXPECT_EQ(asked(), 1);
  clock_.now += RightsCache::kFor - Nanoseconds(1);
  EXPECT_EQ(asked(), 1);
  api_.Deny("patch jobs.batch");
  clock_.now += Nanoseconds(1);
  EXPECT_EQ(asked(), 2);
  EXPECT_THAT(Facts(Target("batch/v1", "Job")).forbidden, HasSubstr("patch jobs.batch"));
}

TEST_F(MoveFactsTest, ACheckpointNeedsTheRightToAskForIt) {
  api_.Deny("patch pods");
  PutRecord(MoveStep::kIntended, /*checkpoint=*/true);
  EXPECT_THAT(Facts(Target("batch/v1", "Job")).forbidden, HasSubstr("patch pods"));
  PutRecord(MoveStep::kIntended, /*checkpoint=*/false);
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden, "");
}

TEST_F(MoveFactsTest, NothingIsAskedForThatCannotStopItAnyMore) {
  for (const std::string right : {"patch jobs.batch", "create pods/eviction", "delete pods"}) {
    api_.Deny(right);
  }
  for (const MoveStep step : {MoveStep::kStop, MoveStep::kFollow}) {
    PutRecord(step);
    EXPECT_EQ(Facts(Target("batch/v1", "Job", kEvict)).forbidden, "") << MoveStepName(step);
  }
  EXPECT_EQ(api_.Count("POST", "selfsubjectaccessreviews"), 0);
  EXPECT_EQ(api_.Count("GET", "poddisruptionbudgets"), 0);
}

TEST_F(MoveFactsTest, WhatMayNotBeAskedIsAReasonNotToBegin) {
  PutJob();
  api_.Answer("/apis/policy/v1/namespaces/ml/poddisruptionbudgets", 403,
              R"({"kind":"Status","message":"cannot list poddisruptionbudgets"})");
  EXPECT_THAT(Facts(Target("batch/v1", "Job", kEvict)).forbidden,
              HasSubstr("cannot list poddisruptionbudgets"));
}

TEST_F(MoveFactsTest, AnOwnerThatSomethingElseControlsIsLeftToThat) {
  PutJob({{"metadata",
           {{"ownerReferences", Owned("jobset.x-k8s.io/v1alpha2", "JobSet", "set", "u2")}}}});
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden,
            "Job \"train\" is controlled by JobSet \"set\", which would undo it");
  PutJob({{"spec", {{"managedBy", "kueue.x-k8s.io/multikueue"}}}});
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden,
            "Job \"train\" is managed by kueue.x-k8s.io/multikueue");
}

TEST_F(MoveFactsTest, KueuesJobIsNotSuspendedBehindItsBack) {
  PutJob({{"metadata", {{"labels", {{"kueue.x-k8s.io/queue-name", "gpu"}}}}}});
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden, "") << "there is no Kueue";
  api_.Serve("/apis/kueue.x-k8s.io/v1beta2", "workloads", "Workload");
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden, "") << "it has no Workload";
  api_.Put("/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/workloads/w",
           {{"metadata",
             {{"name", "w"},
              {"uid", "w1"},
              {"labels", {{"kueue.x-k8s.io/job-uid", "u-Job"}}},
              {"ownerReferences", Owned("batch/v1", "Job", "train", "u-Job")}}}});
  EXPECT_EQ(Facts(Target("batch/v1", "Job")).forbidden,
            "Kueue manages Job \"train\" and would undo it");
}

TEST_F(MoveFactsTest, AKindThatTheApiServerDoesNotKnowIsSaid) {
  PutJob();
  EXPECT_EQ(Facts(Target("batch/v1", "Job", LeverKind::kKueue)).forbidden,
            "the API server does not know Workloads of kueue.x-k8s.io");
  const MoveTarget volcano = Target("batch.volcano.sh/v1alpha1", "Job", LeverKind::kVolcano);
  EXPECT_FALSE(Facts(volcano).owner.exists);
  api_.Put("/apis/batch.volcano.sh/v1alpha1/namespaces/ml/jobs/train", Object(volcano));
  EXPECT_EQ(Facts(volcano).forbidden, "the API server does not know Commands of bus.volcano.sh");
  const auto unknown = Read(Target("example.com/v1", "Thing"));
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("is of a kind that has no lever"));
}

// Less than there is would look like pods that have ended.
TEST_F(MoveFactsTest, ListsThatAreNotWholeAreErrors) {
  PutRecord(MoveStep::kStop);
  const std::string pods = "/api/v1/namespaces/ml/pods";
  for (const std::string body :
       {"", "{", "null", "[]", R"({"kind":"Status"})", R"({"kind":"PodList"})",
        R"({"kind":"PodList","items":[]})",
        R"({"kind":"PodList","metadata":{"resourceVersion":"1"}})",
        R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":{}})",
        R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{}]})",
        R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[7]})"}) {
    api_.Answer(pods, 200, body);
    const auto facts = Read(Target("batch/v1", "Job"));
    ASSERT_FALSE(facts) << body;
    EXPECT_THAT(facts.error().message, StartsWith("GET " + pods)) << body;
  }
  for (const int code : {403, 404, 410, 429, 500}) {
    api_.Answer(pods, code, R"({"kind":"Status","message":"no"})");
    EXPECT_FALSE(Read(Target("batch/v1", "Job"))) << code;
  }
  api_.Answer(pods, 200,
              R"({"kind":"PodList","metadata":{"resourceVersion":"1","continue":"c"},"items":[]})");
  const auto endless = Read(Target("batch/v1", "Job"));
  ASSERT_FALSE(endless);
  EXPECT_THAT(endless.error().message, HasSubstr("more than 50000 objects"));
  api_.Answer(pods, 200, R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":null})");
  EXPECT_THAT(Facts(Target("batch/v1", "Job")).pods, IsEmpty()) << "so Go writes an empty list";
}

TEST(ReadReview, AnswersOfTheWrongKindAreErrors) {
  using Json = nlohmann::json;
  EXPECT_TRUE(
      ReadReview(Json::parse(R"({"kind":"SelfSubjectAccessReview","status":{"allowed":true}})"))
          .value());
  for (const std::string text :
       {"null", R"({"status":{"allowed":true}})", R"({"kind":"SelfSubjectAccessReview"})",
        R"({"kind":"SelfSubjectAccessReview","status":{"allowed":"true"}})"}) {
    EXPECT_FALSE(ReadReview(Json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace fairlead::extender
