#include "extender/link_status_api/link_codec.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/extender/link_status/sample_objects.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;
using sample::WallAt;

Json StatusOf(const LinkObject& object, double now = 1'000'000) {
  const auto request = ApplyLinkStatusRequest(object, StampsOf(object, {}, WallAt(now)));
  return Json::parse(request.body)["status"];
}

TEST(LinkCodec, AppliesAsItsOwnManager) {
  const LinkObject object = sample::HkSg(sample::ReportedLab());
  const auto status = ApplyLinkStatusRequest(object, {});
  EXPECT_EQ(status.method, kube::Method::kPatch);
  EXPECT_EQ(status.body_kind, kube::BodyKind::kApply);
  EXPECT_EQ(kube::TargetOf(status),
            "/apis/fairlead.dev/v1alpha1/links/hk-sg/status?fieldManager=fairlead-extender"
            "&force=true");
  const Json body = Json::parse(status.body);
  EXPECT_EQ(body["apiVersion"], "fairlead.dev/v1alpha1");
  EXPECT_EQ(body["kind"], "Link");
  EXPECT_EQ(body["metadata"], (Json{{"name", "hk-sg"}})) << "labels are not the status's";

  const auto made = ApplyLinkRequest("hk-sg");
  EXPECT_EQ(kube::TargetOf(made),
            "/apis/fairlead.dev/v1alpha1/links/hk-sg?fieldManager=fairlead-extender&force=true");
  const Json labels = Json::parse(made.body)["metadata"]["labels"];
  EXPECT_EQ(labels["app.kubernetes.io/managed-by"], "fairlead-extender");
  EXPECT_EQ(kube::TargetOf(ListLinksRequest()),
            "/apis/fairlead.dev/v1alpha1/"
            "links?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dfairlead-extender");
  EXPECT_EQ(kube::TargetOf(FindLinksRequest()), "/apis/fairlead.dev/v1alpha1");
  EXPECT_EQ(RemoveLinkRequest("hk-sg").method, kube::Method::kDelete);
  EXPECT_EQ(kube::TargetOf(RemoveLinkRequest("hk-sg")), "/apis/fairlead.dev/v1alpha1/links/hk-sg");
}

TEST(LinkCodec, TellsAllThatIsKnown) {
  sample::Links links =
      sample::ReportedLab().State("hk", "sg", LinkState::kHealthy, LinkReason::kNone);
  LinkView& back = links.At("sg", "hk");
  back.state = LinkState::kDegraded;
  back.reason = LinkReason::kLossForward;
  back.evidence = "loss 0.20 %";
  back.forward.loss = MakeLossInterval(2, 1000);
  back.forward.jitter = sample::Ms(0.25);
  back.rtt_p50 = sample::Ms(36.2146);
  back.rate = LineRate{.bytes_per_second = 1.25e9, .source = RateSource::kTrain};
  sample::Report(back, 3, 90);
  const Json status = StatusOf(sample::HkSg(links));
  EXPECT_EQ(status["sites"], (Json{"hk", "sg"}));
  EXPECT_EQ(status["state"], "Degraded");
  EXPECT_EQ(status["reason"], "loss_forward");
  EXPECT_EQ(status["evidence"], "loss 0.20 %");
  EXPECT_EQ(status["since"], "1970-01-12T13:45:10Z");
  EXPECT_EQ(status["reported"], "1970-01-12T13:46:37Z");
  EXPECT_EQ(status["rtt"], "36.21 ms");
  EXPECT_EQ(status["loss"], "0.20 %");
  EXPECT_EQ(status["jitter"], "250 us");
  EXPECT_EQ(status["bandwidth"], "10 Gbps");
  const Json& reverse = status["reverse"];
  EXPECT_EQ(reverse["from"], "sg");
  EXPECT_EQ(reverse["to"], "hk");
  EXPECT_EQ(reverse["rttMicroseconds"], 36215);
  EXPECT_EQ(reverse["jitterMicroseconds"], 250);
  EXPECT_EQ(reverse["lossPerBillion"], 2'000'000);
  EXPECT_EQ(reverse["bandwidthBitsPerSecond"], 10'000'000'000);
  EXPECT_EQ(reverse["bandwidthSource"], "train");
  EXPECT_EQ(reverse["transport"], "rdma_ud_sw");
  EXPECT_EQ(reverse["summary"], "Degraded 36.21 ms 0.20 %");
  EXPECT_EQ(status["forward"]["summary"], "Healthy 36 ms 0 %");
  const Json& healthy = status["conditions"][0];
  EXPECT_EQ(healthy["type"], "Healthy");
  EXPECT_EQ(healthy["status"], "False");
  EXPECT_EQ(healthy["reason"], "loss_forward");
  EXPECT_EQ(healthy["message"], "sg to hk: loss 0.20 %");
  EXPECT_EQ(status["conditions"][1]["status"], "True");
}

TEST(LinkCodec, WhatIsNotKnownIsAbsent) {
  sample::Links links = sample::ReportedLab();
  sample::Silence(links.At("hk", "sg"));
  sample::Silence(links.At("sg", "hk"));
  const Json status = StatusOf(sample::HkSg(links));
  for (const char* const key : {"rtt", "loss", "jitter", "bandwidth", "reported", "evidence"}) {
    EXPECT_FALSE(status.contains(key)) << key;
  }
  for (const char* const key :
       {"rttMicroseconds", "rttP99Microseconds", "jitterMicroseconds", "lossPerBillion",
        "bandwidthBitsPerSecond", "bandwidthSource", "transport"}) {
    EXPECT_FALSE(status["forward"].contains(key)) << key;
  }
  EXPECT_EQ(status["state"], "Unknown");
  const Json& fresh = status["conditions"][1];
  EXPECT_EQ(fresh["type"], "Fresh");
  EXPECT_EQ(fresh["status"], "False");
  EXPECT_EQ(fresh["reason"], "no_report");
  EXPECT_EQ(fresh["message"],
            "no probe reports hk to sg and sg to hk; what it is like is not known");
}

TEST(LinkCodec, BytesThatAreNoTextAreReplaced) {
  sample::Links links = sample::ReportedLab();
  links.At("hk", "sg").evidence = "p50 \xff\xfe\"\n";
  links.At("hk", "sg").state = LinkState::kDown;
  EXPECT_EQ(StatusOf(sample::HkSg(links))["evidence"], "p50 \xef\xbf\xbd\xef\xbf\xbd\"\n");
}

TEST(LinkCodec, ReadsBackWhatItWrites) {
  const LinkObject object = sample::HkSg(
      sample::ReportedLab().State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep));
  const LinkStamps stamps = StampsOf(object, {}, WallAt(1'000'000));
  Json item = Json::parse(ApplyLinkStatusRequest(object, stamps).body);
  const auto found = DecodeLinks(Json{{"items", {item}}}.dump());
  ASSERT_TRUE(found);
  const LinkStamps& read = found->at("hk-sg");
  EXPECT_EQ(read.state, LinkState::kDegraded);
  EXPECT_EQ(read.since, stamps.since);
  EXPECT_EQ(read.reported, stamps.reported);
  EXPECT_EQ(read.counted_since, std::nullopt);
  EXPECT_EQ(read.healthy, ConditionStatus::kFalse);
  EXPECT_EQ(read.healthy_since, stamps.healthy_since);
  EXPECT_EQ(read.fresh, ConditionStatus::kTrue);
}

TEST(LinkCodec, WhatOthersMadeOfALinkIsAsNew) {
  for (const char* const status :
       {"null", "{}", "[]", "7", R"({"state":7,"since":"soon","reported":[],"conditions":{}})",
        R"({"conditions":[1,{"type":"Fresh","status":"Maybe","lastTransitionTime":"x"}]})"}) {
    const auto found = DecodeLinks(
        std::string(R"({"items":[{"metadata":{"name":"a-b"},"status":)") + status + "}]}");
    ASSERT_TRUE(found) << status;
    const LinkStamps& stamps = found->at("a-b");
    EXPECT_EQ(stamps.state, LinkState::kUnknown) << status;
    EXPECT_EQ(stamps.reported, std::nullopt) << status;
    EXPECT_EQ(stamps.fresh, ConditionStatus::kUnknown) << status;
  }
  for (const char* const body : {"", "null", "[1", "{}", R"({"items":{}})", "\xff"}) {
    EXPECT_FALSE(DecodeLinks(body)) << body;
  }
  const auto nameless = DecodeLinks(R"({"items":[1,{},{"metadata":7},{"metadata":{"name":7}}]})");
  ASSERT_TRUE(nameless);
  EXPECT_TRUE(nameless->empty());
}

}  // namespace
}  // namespace fairlead::extender
