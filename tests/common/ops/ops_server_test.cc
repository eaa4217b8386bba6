#include "common/ops/ops_server.h"

#include <gtest/gtest.h>
#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tests/common/support/raw_client.h"

namespace fairlead {
namespace {

class OpsServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = OpsServer::Start(
        {"127.0.0.1", 0}, {.healthz =
                               [this] {
                                 return Health{healthy_, healthy_ ? "" : "engine loop is stuck"};
                               },
                           .readyz =
                               [] {
                                 return Health{false, "waiting for a plan"};
                               }});
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }
  std::string Get(const std::string& path) const {
    return Exchange(server_->port(), "GET " + path + " HTTP/1.1\r\nConnection: close\r\n\r\n");
  }

  std::atomic<bool> healthy_{true};
  std::unique_ptr<OpsServer> server_;
};

TEST_F(OpsServerTest, ShowsHealthAndReadinessWithTheReason) {
  EXPECT_EQ(StatusOf(Get("/healthz")), 200);
  EXPECT_EQ(BodyOf(Get("/healthz")), "ok\n");
  healthy_ = false;
  EXPECT_EQ(StatusOf(Get("/healthz")), 503);
  EXPECT_EQ(BodyOf(Get("/healthz")), "engine loop is stuck\n");
  EXPECT_EQ(StatusOf(Get("/readyz")), 503);
  EXPECT_EQ(BodyOf(Get("/readyz")), "waiting for a plan\n");
  EXPECT_EQ(StatusOf(Get("/")), 200);
  EXPECT_EQ(StatusOf(Get("/none")), 404);
}

TEST_F(OpsServerTest, TwoHundredHalfSentRequestsDoNotHoldUpAHealthCheck) {
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(std::make_unique<RawClient>(server_->port()));
    slow.back()->Send("GET /he");
  }
  EXPECT_EQ(BodyOf(Get("/healthz")), "ok\n");
}

TEST_F(OpsServerTest, ShowsMetricsOfEveryLivingCollectable) {
  EXPECT_EQ(StatusOf(Get("/metrics")), 200);
  const auto add = [this](const std::string& label) {
    auto registry = std::make_shared<prometheus::Registry>();
    prometheus::BuildCounter()
        .Name("fairlead_test_events_total")
        .Help("events")
        .Register(*registry)
        .Add({{"part", label}})
        .Increment(3);
    server_->Add(registry);
    return registry;
  };
  const auto first = add("a");
  auto second = add("b");
  std::string answer = Get("/metrics");
  EXPECT_NE(answer.find("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"),
            std::string::npos);
  const std::string body = BodyOf(answer);
  EXPECT_NE(body.find("fairlead_test_events_total{part=\"a\"} 3"), std::string::npos) << body;
  EXPECT_NE(body.find("fairlead_test_events_total{part=\"b\"} 3"), std::string::npos) << body;
  EXPECT_EQ(body.find("# TYPE"), body.rfind("# TYPE")) << "one header for each name";
  second.reset();
  EXPECT_EQ(Get("/metrics").find("part=\"b\""), std::string::npos);
}

TEST_F(OpsServerTest, SaysThatThePortIsTaken) {
  const auto second = OpsServer::Start({"127.0.0.1", server_->port()}, {});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("ops listener"), std::string::npos);
}

}  // namespace
}  // namespace fairlead
