// A replica that does not lead, as schedulers see it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/extender/http/scheduler_server.h"

namespace fairlead::extender {
namespace {

TEST(SchedulerGate, SchedulersGetTheReasonInPlaceOfAnAnswerUntilItOpens) {
  SchedulerServer server;
  const std::string body = ReadTestdata("kube-scheduler-1.37/filter-names-job-index0.json");
  server.Close("this replica does not lead");
  for (const char* path :
       {"/kube/filter", "/kube/prioritize", "/kube/preempt", "/volcano/prioritize",
        "/volcano/predicate", "/volcano/jobEnqueueable"}) {
    const auto answer = server.Post(path, body);
    EXPECT_EQ(answer.status, 503) << path;
    EXPECT_EQ(nlohmann::json::parse(answer.body),
              nlohmann::json({{"error", "this replica does not lead"}}))
        << path;
  }
  EXPECT_EQ(server.decisions(), 0U);
  EXPECT_EQ(server.faults(), std::vector<std::string>{});
  EXPECT_EQ(server.Post("/volcano/jobReady", "{}").body, R"({"status":true})")
      << "a hook without an opinion stops nobody";
  server.Close("");
  EXPECT_EQ(server.Post("/kube/filter", body).status, 200);
}

}  // namespace
}  // namespace fairlead::extender
