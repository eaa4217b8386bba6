// kube-scheduler's verbs with the bodies that it sent, through the real HTTP server.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/extender/http/scheduler_server.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;
using testing::SizeIs;

class KubeContract : public testing::Test {
 protected:
  json Post(const std::string& verb, const json& body) {
    const auto answer = server_.Post("/kube/" + verb, body.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body);
  }

  static json Body(const std::string& name) {
    return json::parse(ReadTestdata("kube-scheduler-1.37/" + name + ".json"));
  }

  SchedulerServer server_;
};

TEST_F(KubeContract, FilterKeepsWhatNothingIsAgainst) {
  const json answer = Post("filter", Body("filter-names-job-index0"));
  EXPECT_EQ(answer.at("NodeNames"), json({"n1", "n2", "n3", "n4"}));
  EXPECT_EQ(answer.at("Nodes"), nullptr);
  EXPECT_EQ(answer.at("FailedNodes"), json::object());
  EXPECT_EQ(answer.at("FailedAndUnresolvableNodes"), json::object());
  EXPECT_EQ(answer.at("Error"), "");
}

TEST_F(KubeContract, PrioritizeGivesWholeNumbersFrom0To10) {
  const json answer = Post("prioritize", Body("prioritize-names-job-index1"));
  ASSERT_THAT(answer, SizeIs(4));
  for (const json& entry : answer) {
    EXPECT_TRUE(entry.at("Score").is_number_integer());
    EXPECT_GE(entry.at("Score"), 0);
    EXPECT_LE(entry.at("Score"), 10);
  }
}

TEST_F(KubeContract, TheFineScaleGoesBeyond10InWholeNumbers) {
  json first = Body("prioritize-names-job-index1");
  first["Pod"]["metadata"]["uid"] = "peer";
  first["NodeNames"] = {"n3"};
  Post("prioritize", first);  // is assumed in sg
  server_.Scale(1, 10);
  json scores;
  for (const json& entry : Post("prioritize", Body("prioritize-names-job-index1"))) {
    EXPECT_TRUE(entry.at("Score").is_number_integer());
    scores[entry.at("Host").get<std::string>()] = entry.at("Score");
  }
  EXPECT_EQ(scores.at("n3"), 100);
  EXPECT_LT(scores.at("n4"), 100);
}

TEST_F(KubeContract, PreemptDropsNothingOfTheUidForm) {
  const json victims = {
      {"n1", {{"Pods", {{{"UID", "a"}}, {{"UID", "b"}}}}, {"NumPDBViolations", 1}}},
      {"n2", {{"Pods", {{{"UID", "c"}}}}, {"NumPDBViolations", 0}}}};
  json body = Body("filter-names-job-index0");
  body["NodeNameToMetaVictims"] = victims;
  body["NodeNameToVictims"] = nullptr;
  EXPECT_EQ(Post("preempt", body), json({{"NodeNameToMetaVictims", victims}}));
}

TEST_F(KubeContract, PreemptAnswersWholePodsWithTheirUids) {
  json pod = Body("filter-names-job-index0")["Pod"];
  json other = pod;
  other["metadata"]["uid"] = "other";
  const std::string uid = pod["metadata"]["uid"];
  const json body = {
      {"Pod", pod},
      {"NodeNameToVictims", {{"n1", {{"Pods", {pod, other}}, {"NumPDBViolations", 2}}}}},
      {"NodeNameToMetaVictims", nullptr}};
  EXPECT_EQ(
      Post("preempt", body),
      json(
          {{"NodeNameToMetaVictims",
            {{"n1", {{"Pods", {{{"UID", uid}}, {{"UID", "other"}}}}, {"NumPDBViolations", 2}}}}}}));
}

TEST_F(KubeContract, PreemptTakesEachNodeOnceOfBothForms) {
  const auto answer = server_.Post(
      "/kube/preempt",
      R"({"nodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"a"}]},"n1":{"Pods":[{"UID":"b"}]}},)"
      R"("NodeNameToVictims":{"n1":{"Pods":[]},"n2":{"pods":[{"metadata":{"uid":"c"}}, null]},)"
      R"("n3":null}})");
  EXPECT_EQ(answer.body,
            R"({"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"b"}],"NumPDBViolations":0},)"
            R"("n2":{"Pods":[{"UID":"c"},{"UID":""}],"NumPDBViolations":0},)"
            R"("n3":{"Pods":[],"NumPDBViolations":0}}})");
}

TEST_F(KubeContract, PreemptWithoutVictimsIsAnEmptyObject) {
  EXPECT_EQ(server_.Post("/kube/preempt", "{}").body, R"({"NodeNameToMetaVictims":{}})");
}

TEST_F(KubeContract, APreemptBodyThatCannotBeReadIsRefusedWithItsReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty_body"},
      {"[]", "wrong_type"},
      {R"({"NodeNameToVictims":[]})", "wrong_type"},
      {R"({"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":7}]}}})", "wrong_type"},
      {R"({"NodeNameToMetaVictims":{"n1":{"NumPDBViolations":1.5}}})", "wrong_type"},
      {R"({"NodeNameToMetaVictims":{}} x)", "trailing_bytes"}};
  for (const auto& [body, reason] : cases) {
    const auto answer = server_.Post("/kube/preempt", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(server_.faults().back(), reason) << answer.body;
  }
}

}  // namespace
}  // namespace fairlead::extender
