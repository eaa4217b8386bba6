#include "extender/leader_api/lease_codec.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "extender/leader_api/pod_label.h"

namespace fairlead::extender {
namespace {

using Json = nlohmann::json;

constexpr WallTime At(std::int64_t seconds, int micros) {
  return WallTime(Seconds(seconds)) + std::chrono::microseconds(micros);
}

std::string Lease(const std::string& spec) {
  return R"({"metadata":{"name":"x","resourceVersion":"7"},"spec":)" + spec + "}";
}

TEST(LeaseCodec, ReadsWhatTheServerWrites) {
  const auto lease = ReadLease(Lease(
      R"({"holderIdentity":"a_1","leaseDurationSeconds":15,"leaseTransitions":3,)"
      R"("acquireTime":"2026-11-30T03:14:15.678901Z","renewTime":"2026-11-30T03:14:16.000000Z"})"));
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->resource_version, "7");
  EXPECT_EQ(lease->record, (LeaseRecord{.holder = "a_1",
                                        .duration = Seconds(15),
                                        .transitions = 3,
                                        .acquire_time = "2026-11-30T03:14:15.678901Z",
                                        .renew_time = "2026-11-30T03:14:16.000000Z"}));
}

TEST(LeaseCodec, WhatIsMissingOrOfAnotherTypeIsNotSaid) {
  const LeaseRecord nothing;
  for (const char* spec :
       {"null", "{}", "[]", "7", R"({"holderIdentity":null,"leaseTransitions":null})",
        R"({"holderIdentity":5,"leaseDurationSeconds":"15","leaseTransitions":[1]})",
        R"({"leaseDurationSeconds":-1,"leaseTransitions":-3})",
        R"({"leaseDurationSeconds":1.5,"leaseTransitions":2147483648})",
        R"({"leaseTransitions":99999999999999999999999})", R"({"renewTime":{"a":1}})"}) {
    const auto lease = ReadLease(Lease(spec));
    ASSERT_TRUE(lease) << spec;
    EXPECT_EQ(lease->record, nothing) << spec;
  }
}

TEST(LeaseCodec, WhatIsNoLeaseIsRefused) {
  for (const char* text : {"", "null", "7", "[]", "{", "{}", R"({"metadata":[]})",
                           R"({"metadata":{"resourceVersion":7}})", "\xff\xfe"}) {
    EXPECT_FALSE(ReadLease(text)) << text;
  }
}

TEST(LeaseCodec, MakesALease) {
  const Json lease = Json::parse(
      MakeLease("fairlead-extender",
                {.holder = "a_1", .duration = Seconds(15), .transitions = 1, .acquires = true},
                At(1796008455, 678901)));
  EXPECT_EQ(lease, Json::parse(R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
    "metadata":{"name":"fairlead-extender"},"spec":{"holderIdentity":"a_1","leaseDurationSeconds":15,
    "leaseTransitions":1,"acquireTime":"2026-11-30T03:14:15.678901Z",
    "renewTime":"2026-11-30T03:14:15.678901Z"}})"));
}

TEST(LeaseCodec, ChangesNothingButWhatIsOurs) {
  const auto known = ReadLease(
      R"({"kind":"Lease","metadata":{"name":"x","resourceVersion":"7","labels":{"a":"b"}},)"
      R"("spec":{"acquireTime":"then","renewTime":"then","strategy":"s","holderIdentity":"b_2"}})");
  ASSERT_TRUE(known);
  const Json changed = Json::parse(ChangeLease(
      *known, {.holder = "", .duration = Seconds(1), .transitions = 9, .acquires = false},
      At(0, 5)));
  EXPECT_EQ(changed, Json::parse(R"({"kind":"Lease",
    "metadata":{"name":"x","resourceVersion":"7","labels":{"a":"b"}},
    "spec":{"acquireTime":"then","renewTime":"1970-01-01T00:00:00.000005Z","strategy":"s",
    "holderIdentity":"","leaseDurationSeconds":1,"leaseTransitions":9}})"));
}

}  // namespace
}  // namespace fairlead::extender
