// Every body that a real scheduler sent, with each of its values in turn missing, null, or of
// another type, through the real HTTP server.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/extender/http/scheduler_server.h"

namespace fairlead::extender {
namespace {

using nlohmann::json;

// Calls visit() with each value of the document replaced, the way to it as text, and the document
// whole again afterwards.
class Mutations {
 public:
  Mutations(json& document, std::function<void(const std::string&)> visit)
      : visit_(std::move(visit)) {
    Below(document, "");
  }

 private:
  void Below(json& parent, const std::string& path) {
    if (parent.is_object()) {
      std::vector<std::string> keys;
      for (const auto& [key, value] : parent.items()) keys.push_back(key);
      for (const std::string& key : keys) {
        const std::string here = path + "/" + key;
        json saved = std::move(parent[key]);
        parent.erase(key);
        visit_(here + " missing");
        parent[key] = std::move(saved);
        Replace(parent[key], here);
      }
    } else if (parent.is_array()) {
      for (std::size_t i = 0; i < parent.size(); ++i) {
        Replace(parent[i], path + "/" + std::to_string(i));
      }
    }
  }

  void Replace(json& value, const std::string& path) {
    static const json kOthers[] = {
        nullptr, true, -7, 1.5, "text", json::array({1}), json::object({{"a", json::array()}})};
    for (const json& other : kOthers) {
      if (other.type() == value.type()) continue;
      json saved = std::exchange(value, other);
      visit_(path + " = " + other.dump());
      value = std::move(saved);
    }
    Below(value, path);
  }

  std::function<void(const std::string&)> visit_;
};

std::set<std::string> NamesAnswered(const json& answer) {
  std::set<std::string> names;
  if (answer.is_array()) {
    for (const json& entry : answer) names.insert(entry.at("Host"));
  } else if (answer.contains("nodeScore")) {
    for (const auto& [name, score] : answer.at("nodeScore").items()) names.insert(name);
  } else if (answer.contains("NodeNameToMetaVictims")) {
    for (const auto& [name, pods] : answer.at("NodeNameToMetaVictims").items()) names.insert(name);
  } else if (answer.contains("NodeNames")) {
    if (answer.at("NodeNames").is_array()) {
      for (const json& name : answer.at("NodeNames")) names.insert(name);
    }
    if (answer.at("Nodes").is_object()) {
      for (const json& node : answer.at("Nodes").at("items")) {
        names.insert(node.at("metadata").at("name"));
      }
    }
    for (const auto& [name, why] : answer.at("FailedAndUnresolvableNodes").items()) {
      names.insert(name);
    }
  }
  return names;
}

struct Case {
  const char* name;
  const char* path;
  std::function<json()> body;
};

json Fixture(const char* name) { return json::parse(ReadTestdata(name)); }

// The full form of a filter request, made of the nodes that Volcano sent.
json FullNodes() {
  json args = Fixture("kube-scheduler-1.37/filter-names-job-index0.json");
  args["NodeNames"] = nullptr;
  args["Nodes"] = {{"metadata", json::object()}, {"items", json::array()}};
  const json nodes = Fixture("volcano-2026-08/prioritize-worker0.json")["nodes"];
  for (std::size_t i = 0; i < 2; ++i) args["Nodes"]["items"].push_back(nodes[i]["Node"]);
  return args;
}

json Victims() {
  json args = Fixture("kube-scheduler-1.37/filter-names-job-index0.json");
  args["NodeNameToMetaVictims"] = {
      {"n1", {{"Pods", {{{"UID", "a"}}, {{"UID", "b"}}}}, {"NumPDBViolations", 1}}}};
  args["NodeNameToVictims"] = {{"n2", {{"Pods", {args["Pod"]}}, {"NumPDBViolations", 0}}}};
  return args;
}

class Mutated : public testing::TestWithParam<Case> {};

TEST_P(Mutated, IsAnsweredWithNamesThatWereAsked) {
  SchedulerServer server;
  json body = GetParam().body();
  const bool volcano = std::string(GetParam().path).starts_with("/volcano/");
  // A text in place of a name is a name that was asked, whatever key it stands under.
  const std::set<std::string> asked{"n1", "n2", "n3", "n4", "text", "a"};
  std::size_t count = 0;
  Mutations(body, [&](const std::string& what) {
    ++count;
    const auto answer = server.Post(GetParam().path, body.dump());
    ASSERT_TRUE(answer.status == 200 || (!volcano && answer.status == 400))
        << what << ": " << answer.status << " " << answer.body;
    const json parsed = json::parse(answer.body, nullptr, false);
    ASSERT_FALSE(parsed.is_discarded()) << what << ": " << answer.body;
    if (answer.status == 400) {
      ASSERT_NE(parsed.at("error"), "") << what;
      return;
    }
    for (const std::string& name : NamesAnswered(parsed)) ASSERT_TRUE(asked.contains(name)) << what;
  });
  EXPECT_GT(count, 100U);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, Mutated,
    testing::Values(
        Case{"filter", "/kube/filter",
             [] { return Fixture("kube-scheduler-1.37/filter-names-job-index0.json"); }},
        Case{"filter_full", "/kube/filter", FullNodes},
        Case{"prioritize", "/kube/prioritize",
             [] { return Fixture("kube-scheduler-1.37/prioritize-names-job-index1.json"); }},
        Case{"preempt", "/kube/preempt", Victims},
        Case{"volcano_prioritize", "/volcano/prioritize",
             [] { return Fixture("volcano-2026-08/prioritize-worker2.json"); }},
        Case{"volcano_predicate", "/volcano/predicate",
             [] { return Fixture("volcano-2026-08/predicate.json"); }},
        Case{"volcano_enqueueable", "/volcano/jobEnqueueable",
             [] { return Fixture("volcano-2026-08/jobEnqueueable.json"); }},
        Case{"volcano_task", "/volcano/allocateFunc",
             [] { return Fixture("volcano-2026-08/allocateFunc.json"); }}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace fairlead::extender
