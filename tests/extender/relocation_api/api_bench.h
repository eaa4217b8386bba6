// A client of moves against an API server of plain objects.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <string>

#include "extender/relocation/move_record.h"
#include "extender/relocation_api/move_client.h"
#include "tests/extender/relocation_api/object_api.h"

namespace fairlead::extender {

// A record as the machine writes it.
inline std::string RecordAt(MoveStep step, LeverKind lever = LeverKind::kSuspend,
                            bool checkpoint = false) {
  MoveHistory moves;
  moves.current.number = 1;
  moves.current.step = step;
  moves.current.outcome = step == MoveStep::kClosed ? MoveOutcome::kDone : MoveOutcome::kNone;
  moves.current.lever = lever;
  moves.current.began = WallTime(Seconds(1'796'000'000));
  moves.current.since = moves.current.began;
  moves.current.from = {{"hk", 3}};
  moves.current.to = {{"sg", 3}};
  moves.current.checkpoint = checkpoint;
  moves.current.by = "p1";
  if (lever == LeverKind::kEvict) moves.current.members = {PodPrint("x")};
  return WriteMoves(moves);
}

// Time as the test says.
class SetClock final : public Clock {
 public:
  MonotonicTime Now() const override { return now; }
  WallTime WallNow() const override { return {}; }
  MonotonicTime now{Seconds(1000)};
};

class ApiBench : public testing::Test {
 protected:
  using Json = nlohmann::json;

  ApiBench() {
    std::signal(SIGPIPE, SIG_IGN);
    client_.emplace(*kube::ApiConnection::Create(api_.access(), "test/1", machine_), clock_);
  }

  static MoveTarget Target(const std::string& api_version, const std::string& kind,
                           LeverKind lever = LeverKind::kSuspend) {
    return {.namespace_name = "ml",
            .owner = {.kind = kind,
                      .name = "train",
                      .uid = "u-" + kind,
                      .controller = true,
                      .api_version = api_version},
            .lever = lever};
  }

  static Json Owned(const std::string& api_version, const std::string& kind,
                    const std::string& name, const std::string& uid) {
    return Json::array({{{"apiVersion", api_version},
                         {"kind", kind},
                         {"name", name},
                         {"uid", uid},
                         {"controller", true}}});
  }

  // An object of the target's kind; `more` is merged into it.
  static Json Object(const MoveTarget& target, const Json& more = Json::object()) {
    Json object{
        {"apiVersion", target.owner.api_version},
        {"kind", target.owner.kind},
        {"metadata", {{"name", target.owner.name}, {"namespace", "ml"}, {"uid", target.owner.uid}}},
        {"spec", Json::object()}};
    object.merge_patch(more);
    return object;
  }

  void PutPod(const std::string& name, const std::string& controller, const Json& labels,
              const std::string& node = "hk-0") {
    api_.Put("/api/v1/namespaces/ml/pods/" + name,
             {{"kind", "Pod"},
              {"metadata",
               {{"name", name},
                {"uid", name + "-uid"},
                {"labels", labels},
                {"ownerReferences", {{{"uid", controller}, {"controller", true}}}}}},
              {"spec", {{"nodeName", node}}},
              {"status",
               {{"phase", "Running"}, {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}});
  }

  // A batch Job with three pods of it.
  void PutJob(const Json& more = Json::object()) {
    const MoveTarget target = Target("batch/v1", "Job");
    Json job = Object(target, {{"spec", {{"parallelism", 3}, {"completions", 3}}}});
    job.merge_patch(more);
    api_.Put("/apis/batch/v1/namespaces/ml/jobs/train", job);
    for (const std::string name : {"train-0", "train-1", "train-2"}) {
      PutPod(name, "u-Job", {{"batch.kubernetes.io/controller-uid", "u-Job"}, {"app", "train"}});
    }
  }

  void PutBudget(const std::string& name, const Json& selector, const Json& status) {
    api_.Put("/apis/policy/v1/namespaces/ml/poddisruptionbudgets/" + name,
             {{"metadata", {{"name", name}, {"generation", 2}}},
              {"spec", {{"selector", selector}}},
              {"status", status}});
  }

  Result<MoveFacts> Read(const MoveTarget& target) {
    return client_->Read(target, [](std::string_view node) { return node.substr(0, 2); });
  }
  MoveFacts Facts(const MoveTarget& target) {
    auto facts = Read(target);
    EXPECT_TRUE(facts) << facts.error().message;
    return facts.value_or(MoveFacts{});
  }

  const SystemClock machine_;
  SetClock clock_;
  ObjectApi api_;
  std::optional<MoveClient> client_;
};

}  // namespace fairlead::extender
