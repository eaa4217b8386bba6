#include "extender/cluster/membership.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

OwnerFacts Owner(std::string kind, std::string uid) {
  return {.kind = std::move(kind), .name = "n-" + uid, .uid = uid, .controller = true};
}

GangKey Key(std::string kind, std::string id) { return {std::move(kind), "ml", std::move(id), {}}; }

struct Case {
  const char* what;
  GangKey gang;
  OwnerFacts controller;
  GangOwners owners;
  const char* part;  // of the fault; empty: none
};

TEST(Membership, OwnersDecide) {
  const Case cases[] = {
      {"its own Job", Key("job", "j1"), Owner("Job", "j1"), {}, ""},
      {"another Job", Key("job", "j1"), Owner("Job", "j2"), {}, "controlled by Job \"n-j2\""},
      {"no owner", Key("job", "j1"), {}, {}, "nothing controls it"},
      {"JobSet by uid",
       Key("jobset", "s1"),
       Owner("Job", "j1"),
       {.pod_group = {}, .job = Owner("JobSet", "s1"), .job_known = true},
       ""},
      {"JobSet by name",
       Key("jobset", "n-s1"),
       Owner("Job", "j1"),
       {.pod_group = {}, .job = Owner("JobSet", "s1"), .job_known = true},
       ""},
      {"Job not known yet", Key("jobset", "s1"), Owner("Job", "j1"), {}, ""},
      {"a Job of another JobSet",
       Key("jobset", "s1"),
       Owner("Job", "j1"),
       {.pod_group = {}, .job = Owner("JobSet", "s2"), .job_known = true},
       "controlled by JobSet \"n-s2\""},
      {"a Job of no JobSet",
       Key("jobset", "s1"),
       Owner("Job", "j1"),
       {.pod_group = {}, .job = {}, .job_known = true},
       "belongs to no JobSet"},
      {"no Job at all", Key("jobset", "s1"), Owner("ReplicaSet", "r"), {}, "ReplicaSet"},
      {"group made by hand", Key("coscheduling", "g"), {}, {}, ""},
      {"group of the same owner",
       Key("volcano", "g"),
       Owner("Job", "v1"),
       {.pod_group = Owner("Job", "v1"), .job = {}},
       ""},
      {"group of another owner",
       Key("volcano", "g"),
       Owner("Job", "v2"),
       {.pod_group = Owner("Job", "v1"), .job = {}},
       "belongs to Job \"n-v1\""},
      {"bare pod in an owner's group",
       Key("podgroup", "g"),
       {},
       {.pod_group = Owner("Job", "v1"), .job = {}},
       "nothing controls it"},
      {"owner further above",
       Key("podgroup", "g"),
       Owner("Job", "j1"),
       {.pod_group = Owner("TrainJob", "t"), .job = Owner("JobSet", "s")},
       ""},
      {"the Job's owner is another",
       Key("podgroup", "g"),
       Owner("Job", "j1"),
       {.pod_group = Owner("JobSet", "s1"), .job = Owner("JobSet", "s2"), .job_known = true},
       "the pod to JobSet \"n-s2\""},
      {"pods of a Kueue group have any owner", Key("kueue", "g"), {}, {}, ""},
  };
  for (const Case& c : cases) {
    const std::string fault = MembershipFault(c.gang, c.controller, c.owners);
    if (*c.part == '\0') {
      EXPECT_EQ(fault, "") << c.what;
    } else {
      EXPECT_NE(fault.find(c.part), std::string::npos) << c.what << ": " << fault;
      EXPECT_EQ(fault.rfind("claims ", 0), 0U) << fault;
    }
  }
}

}  // namespace
}  // namespace fairlead::extender
