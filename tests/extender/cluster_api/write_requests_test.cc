#include "extender/cluster_api/write_requests.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

EventWrite Write() {
  EventWrite write;
  write.name = "pod.s.1";
  write.event.regarding = {.namespace_name = "ml", .name = "pod", .uid = "u1"};
  write.event.reason = "GangPlanned";
  write.event.action = "Planning";
  write.event.note = "split \xFF";
  write.event.type = ClusterEvent::Type::kWarning;
  write.began = WallTime(Seconds(0));
  write.last = WallTime(std::chrono::microseconds(1700000000000123));
  return write;
}

TEST(WriteRequests, AnEventIsCreated) {
  const kube::ApiRequest request = EventRequest(Write(), "extender-0");
  EXPECT_EQ(request.method, kube::Method::kPost);
  EXPECT_EQ(request.path, "/apis/events.k8s.io/v1/namespaces/ml/events");
  const Json body = Json::parse(request.body);
  EXPECT_EQ(body["eventTime"], "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(body["type"], "Warning");
  EXPECT_EQ(body["note"], "split \xEF\xBF\xBD");
  EXPECT_EQ(body["regarding"]["uid"], "u1");
  EXPECT_EQ(body["reportingInstance"], "extender-0");
  EXPECT_FALSE(body.contains("series"));
}

TEST(WriteRequests, ASeriesIsPatched) {
  EventWrite write = Write();
  write.first = false;
  write.count = 7;
  const kube::ApiRequest request = EventRequest(write, "extender-0");
  EXPECT_EQ(request.method, kube::Method::kPatch);
  EXPECT_EQ(request.body_kind, kube::BodyKind::kMergePatch);
  EXPECT_EQ(request.path, "/apis/events.k8s.io/v1/namespaces/ml/events/pod.s.1");
  EXPECT_EQ(
      Json::parse(request.body),
      (Json{{"series", {{"count", 7}, {"lastObservedTime", "2023-11-14T22:13:20.000123Z"}}}}));
}

TEST(WriteRequests, EventsOfNodesGoToTheDefaultNamespace) {
  EventWrite write = Write();
  write.event.regarding.namespace_name.clear();
  EXPECT_EQ(EventRequest(write, "x").path, "/apis/events.k8s.io/v1/namespaces/default/events");
}

TEST(WriteRequests, AHealedLineMarksANode) {
  const kube::ApiRequest request =
      LineHealedRequest("n1/../x", WallTime(std::chrono::microseconds(1700000000000123)));
  EXPECT_EQ(request.path, "/api/v1/nodes/n1%2F..%2Fx");
  EXPECT_EQ(
      request.body,
      R"({"metadata":{"annotations":{"fairlead.dev/line-healed":"2023-11-14T22:13:20.000123Z"}}})");
}

}  // namespace
}  // namespace fairlead::extender
