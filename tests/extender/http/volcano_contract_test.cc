// Volcano's hooks with the bodies that a real Volcano sent, through the real HTTP server.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/extender/http/scheduler_server.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class VolcanoContract : public testing::Test {
 protected:
  json Post(const std::string& hook, const json& body) {
    const auto answer = server_.Post("/volcano/" + hook, body.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body);
  }

  static json Body(const std::string& name) {
    return json::parse(ReadTestdata("volcano-2026-08/" + name + ".json"));
  }

  // A job whose PodGroup says that it needs so many HCAs at once, and which has no task yet.
  static json JobOf(const std::string& hcas) {
    json body = Body("jobEnqueueable");
    body["job"]["Tasks"] = json::object();
    body["job"]["PodGroup"]["spec"]["minResources"]["rdma/hca"] = hcas;
    return body;
  }

  SchedulerServer server_;
};

TEST_F(VolcanoContract, PrioritizeScoresEachNodeFrom0To100) {
  const json answer = Post("prioritize", Body("prioritize-worker2"));
  EXPECT_EQ(answer.at("errorMessage"), "");
  EXPECT_EQ(answer.size(), 2U);
  const json& scores = answer.at("nodeScore");
  ASSERT_EQ(scores.size(), 4U);
  for (const char* name : {"n1", "n2", "n3", "n4"}) {
    EXPECT_GE(scores.at(name), 0);
    EXPECT_LE(scores.at(name), 100);
  }
}

TEST_F(VolcanoContract, MembersThatThisSessionHasPlacedDrawTheNext) {
  // Workers 0 and 1 are in NodeInfo.Tasks of n3, and nobody has told the extender otherwise.
  const json scores = Post("prioritize", Body("prioritize-worker2")).at("nodeScore");
  EXPECT_EQ(scores.at("n3"), 100);
  EXPECT_LT(scores.at("n1"), 100);
  EXPECT_LT(scores.at("n4"), 100);
  EXPECT_EQ(scores.at("n1"), scores.at("n2"));
  ASSERT_NE(server_.Newest(), nullptr);
  EXPECT_THAT(server_.Newest()->members, ElementsAre(testing::Pair("sg", 2U)));
  EXPECT_EQ(server_.Newest()->assumed_node, "n3");
}

TEST_F(VolcanoContract, WhatThisSessionPlacedReplacesWhatWasAssumed) {
  json first = Body("prioritize-worker0");
  for (json& node : first["nodes"]) node["Idle"]["ScalarResources"]["rdma/hca"] = 0;
  first["nodes"][0]["Name"] = "n4";
  first["nodes"].erase(first["nodes"].begin() + 1, first["nodes"].end());
  Post("prioritize", first);
  EXPECT_EQ(server_.Newest()->assumed_node, "n4");
  Post("prioritize", Body("prioritize-worker2"));
  EXPECT_THAT(server_.Newest()->members, ElementsAre(testing::Pair("sg", 2U)));
}

TEST_F(VolcanoContract, TasksThatLeaveOrBelongToOthersDrawNobody) {
  json body = Body("prioritize-worker2");
  json& tasks = body["nodes"][0]["Tasks"];
  ASSERT_EQ(tasks.size(), 2U);
  tasks.begin().value()["Status"] = 64;  // Releasing
  std::prev(tasks.end()).value()["Job"] = "default/other";
  Post("prioritize", body);
  EXPECT_THAT(server_.Newest()->members, IsEmpty());
}

TEST_F(VolcanoContract, AssumesANodeWhoseIdleCapacityHasRoom) {
  json body = Body("prioritize-worker0");
  ASSERT_EQ(body["nodes"].size(), 4U);
  for (json& node : body["nodes"]) {
    node["Idle"]["ScalarResources"]["rdma/hca"] = node["Name"] == "n2" ? 1000 : 999;
  }
  Post("prioritize", body);
  EXPECT_EQ(server_.Newest()->assumed_node, "n2");
}

TEST_F(VolcanoContract, TheScaleIsThatOfTheConfiguration) {
  server_.Scale(2.5, 1);
  const json scores = Post("prioritize", Body("prioritize-worker2")).at("nodeScore");
  EXPECT_EQ(scores.at("n3"), 250);
}

TEST_F(VolcanoContract, ATaskWithoutItsPodIsKnownByItsOwnFields) {
  json body = Body("prioritize-worker2");
  body["task"]["Pod"] = nullptr;
  Post("prioritize", body);
  EXPECT_EQ(server_.Newest()->pod, "default/vgang-worker-2");
  EXPECT_EQ(server_.Newest()->uid, "6a1a5430-6c03-4dcb-abf9-b9479d61ec8f");
  EXPECT_THAT(server_.Newest()->gang, HasSubstr("vgang-3a582084-f002-4c26-8f96-9b4538b08022"));
}

TEST_F(VolcanoContract, ANodeListedTwiceIsScoredOnceAndItsTasksCountOnce) {
  json body = Body("prioritize-worker2");
  body["nodes"].push_back(body["nodes"][0]);
  EXPECT_EQ(Post("prioritize", body).at("nodeScore").size(), 4U);
  EXPECT_THAT(server_.Newest()->members, ElementsAre(testing::Pair("sg", 2U)));
}

TEST_F(VolcanoContract, NoNodesAreAnEmptyObject) {
  for (const char* body : {"{}", R"({"task":null,"nodes":null})", R"({"nodes":[]})"}) {
    EXPECT_EQ(server_.Post("/volcano/prioritize", body).body,
              R"({"nodeScore":{},"errorMessage":""})");
  }
}

TEST_F(VolcanoContract, PredicateFitsWhatNothingIsAgainst) {
  EXPECT_EQ(server_.Post("/volcano/predicate", ReadTestdata("volcano-2026-08/predicate.json")).body,
            R"({"status":"","code":0})");
  EXPECT_EQ(server_.decisions(), 0U) << "a call for each node would push all else out of the log";
  EXPECT_EQ(server_.Post("/volcano/predicate", "{}").body, R"({"status":"","code":0})");
}

TEST_F(VolcanoContract, PredicateRefusesForALineThatIsDown) {
  server_.TakeDown("sg", "tyo");
  Post("prioritize", Body("prioritize-worker2"));  // is assumed beside its peers in sg
  json body = Body("predicate");
  body["task"] = Body("prioritize-worker0")["task"];
  body["node"]["Name"] = "n4";
  const json answer = Post("predicate", body);
  EXPECT_EQ(answer.at("code"), 3);
  EXPECT_THAT(answer.at("status").get<std::string>(), HasSubstr("Down"));
  body["node"]["Name"] = "n1";
  EXPECT_EQ(Post("predicate", body).at("code"), 0);
}

TEST_F(VolcanoContract, JobEnqueueableAbstainsWhereTheJobFits) {
  EXPECT_EQ(Post("jobEnqueueable", Body("jobEnqueueable")), json({{"status", 0}}));
  EXPECT_EQ(server_.Newest()->verb, "jobEnqueueable");
  EXPECT_THAT(server_.Newest()->notes, ElementsAre(HasSubstr("needs 3 rdma/hca")));
  EXPECT_EQ(Post("jobEnqueueable", JobOf("32")).at("status"), 0);
}

TEST_F(VolcanoContract, JobEnqueueableSaysTheSameThingOnce) {
  for (int i = 0; i < 3; ++i) Post("jobEnqueueable", Body("jobEnqueueable"));
  EXPECT_EQ(server_.decisions(), 1U);
}

TEST_F(VolcanoContract, JobEnqueueableAbstainsWhereNothingTellsTheNeed) {
  json body = Body("jobEnqueueable");
  body["job"]["Tasks"] = json::object();  // and minResources names no HCA
  EXPECT_EQ(Post("jobEnqueueable", body).at("status"), 0);
  EXPECT_THAT(server_.Newest()->notes, ElementsAre(HasSubstr("not told")));
  for (const char* nothing : {"{}", R"({"job":null})", R"({"job":{"PodGroup":null}})"}) {
    EXPECT_EQ(server_.Post("/volcano/jobEnqueueable", nothing).body, R"({"status":0})");
  }
}

TEST_F(VolcanoContract, JobEnqueueableAbstainsWhereTheNeedCannotBeRead) {
  EXPECT_EQ(Post("jobEnqueueable", JobOf("many")).at("status"), 0);
  EXPECT_THAT(server_.Newest()->notes, ElementsAre(HasSubstr("not told")));
  json by_tasks = JobOf("many");
  by_tasks["job"]["MinAvailable"] = 33;
  EXPECT_EQ(Post("jobEnqueueable", by_tasks).at("status"), 0);
}

TEST_F(VolcanoContract, JobEnqueueableRejectsWhatTheClusterCannotHold) {
  EXPECT_EQ(Post("jobEnqueueable", JobOf("33")).at("status"), -1);
  EXPECT_THAT(server_.Newest()->notes, ElementsAre(HasSubstr("all nodes together have 32")));
  json by_tasks = Body("jobEnqueueable");
  by_tasks["job"]["MinAvailable"] = 33;  // times one HCA each
  EXPECT_EQ(Post("jobEnqueueable", by_tasks).at("status"), -1);
}

TEST_F(VolcanoContract, JobEnqueueableRejectsWhatNoConnectedSitesCanHold) {
  server_.TakeDown("hk", "sg");
  EXPECT_EQ(Post("jobEnqueueable", JobOf("24")).at("status"), 0) << "hk and tyo have 24";
  EXPECT_EQ(Post("jobEnqueueable", JobOf("25")).at("status"), -1);
  EXPECT_THAT(server_.Newest()->notes, ElementsAre(HasSubstr("is 24, in hk, tyo")));
}

struct Silent {
  const char* hook;
  const char* fixture;
  const char* answer;
};

class SilentHook : public testing::TestWithParam<Silent> {};

TEST_P(SilentHook, HasNoOpinion) {
  SchedulerServer server;
  const std::string path = std::string("/volcano/") + GetParam().hook;
  const std::string body =
      ReadTestdata(std::string("volcano-2026-08/") + GetParam().fixture + ".json");
  for (const std::string& sent : {body, std::string("{}"), std::string("no JSON")}) {
    const auto answer = server.Post(path, sent);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, GetParam().answer);
  }
  EXPECT_THAT(server.faults(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Hooks, SilentHook,
    testing::Values(Silent{"onSessionOpen", "onSessionOpen", "{}"},
                    Silent{"onSessionClose", "onSessionClose", "{}"},
                    Silent{"preemptable", "allocateFunc", R"({"status":0,"victims":[]})"},
                    Silent{"reclaimable", "allocateFunc", R"({"status":0,"victims":[]})"},
                    Silent{"queueOverused", "queueOverused", R"({"overused":false})"},
                    Silent{"jobEnqueued", "jobEnqueued", "{}"},
                    Silent{"jobReady", "jobReady", R"({"status":true})"},
                    Silent{"allocateFunc", "allocateFunc", R"({"errorMessage":""})"},
                    Silent{"deallocateFunc", "allocateFunc", R"({"errorMessage":""})"}),
    [](const auto& param) { return std::string(param.param.hook); });

TEST_F(VolcanoContract, ABodyThatCannotBeReadIsNoOpinionWithAWarning) {
  const std::string whole = ReadTestdata("volcano-2026-08/prioritize-worker0.json");
  for (const std::string& body :
       {std::string("hello"), std::string("[]"), whole.substr(0, 9000), whole + "x",
        std::string(R"({"task":{"Pod":5},"nodes":[]})"), std::string("{\"task\":\"\xff\"}")}) {
    const json prioritize = json::parse(server_.Post("/volcano/prioritize", body).body);
    EXPECT_EQ(prioritize.at("nodeScore"), json::object());
    EXPECT_EQ(prioritize.at("errorMessage"), "");
    EXPECT_NE(prioritize.at("warning"), "");
    const json predicate = json::parse(server_.Post("/volcano/predicate", body).body);
    EXPECT_EQ(predicate.at("status"), "");
    EXPECT_EQ(predicate.at("code"), 0);
    EXPECT_NE(predicate.at("warning"), "");
    const json enqueue = json::parse(server_.Post("/volcano/jobEnqueueable", body).body);
    EXPECT_EQ(enqueue.at("status"), 0);
    EXPECT_NE(enqueue.at("warning"), "");
  }
  EXPECT_THAT(server_.faults(), SizeIs(18));
}

}  // namespace
}  // namespace fairlead::extender
