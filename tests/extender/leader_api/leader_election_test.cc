// Replicas that elect a leader through an API server on the loopback.
#include "extender/leader_api/leader_election.h"

#include <gmock/gmock.h>
#include <poll.h>

#include <csignal>

#include "extender/leader_api/leader_words.h"
#include "tests/extender/leader_api/fake_lease_api.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class LeaderElectionTest : public testing::Test {
 protected:
  struct Replica {
    Snapshot<Leadership> leadership;
    std::unique_ptr<LeaderElection> election;
  };

  LeaderElectionTest() { std::signal(SIGPIPE, SIG_IGN); }

  std::unique_ptr<Replica> Start(const std::string& pod) {
    auto replica = std::make_unique<Replica>();
    auto election = LeaderElection::Start(
        {.access = api_.access(),
         .user_agent = "test",
         .namespace_name = "fl",
         .lease = "extender",
         .pod = pod,
         // A deadline that no slow machine misses; nothing here waits for it but one test.
         .times = {.lease = Seconds(3), .renew_deadline = Seconds(2), .retry = Milliseconds(50)}},
        clock_, replica->leadership);
    EXPECT_TRUE(election) << election.error().message;
    replica->election = *std::move(election);
    return replica;
  }

  bool Leads(const Replica& replica) { return replica.leadership.Get()->LeadsAt(clock_.Now()); }

  template <class Condition>
  bool Wait(Condition condition) {
    for (const MonotonicTime end = clock_.Now() + Seconds(60); clock_.Now() < end;) {
      if (condition()) return true;
      ::poll(nullptr, 0, 5);
    }
    return false;
  }
  bool Labelled(const std::string& pod, const std::string& value) {
    return Wait([&] { return api_.LabelOf(pod) == value; });
  }

  const SystemClock clock_;
  FakeLeaseApi api_;
};

TEST_F(LeaderElectionTest, OneLeadsAndIsLabelledTheOtherFollows) {
  api_.SetLabel("a", "true");
  const auto b = Start("b");
  ASSERT_TRUE(Wait([&] { return Leads(*b); }));
  ASSERT_TRUE(Labelled("b", "true"));
  const auto a = Start("a");
  ASSERT_TRUE(Labelled("a", "")) << "what an earlier life has left behind";
  ASSERT_TRUE(Wait([&] { return a->leadership.Get()->holder == b->election->identity(); }));
  EXPECT_FALSE(Leads(*a));
  EXPECT_EQ(a->leadership.Get()->term, 1U);
  const Health follower = JudgeElection(*a->leadership.Get(), a->election->status(), clock_.Now());
  EXPECT_TRUE(follower.ok);
  EXPECT_THAT(follower.reason, HasSubstr("follows b_"));
  EXPECT_THAT(JudgeElection(*b->leadership.Get(), b->election->status(), clock_.Now()).reason,
              HasSubstr("leads (term 1)"));
}

TEST_F(LeaderElectionTest, AnOrderlyEndHandsOver) {
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  ASSERT_TRUE(Labelled("a", "true"));
  const auto b = Start("b");
  ASSERT_TRUE(Wait([&] { return b->leadership.Get()->term == 1; }));
  a->election->Stop();
  EXPECT_FALSE(Leads(*a));
  EXPECT_EQ(api_.LabelOf("a"), "");
  ASSERT_TRUE(Wait([&] { return Leads(*b); }));
  EXPECT_EQ(b->leadership.Get()->term, 2U);
  EXPECT_TRUE(Labelled("b", "true"));
  EXPECT_EQ(a->election->status().gained, 1U);
  EXPECT_EQ(a->election->status().lost, 1U);
}

TEST_F(LeaderElectionTest, AHolderThatIsDeadIsReplacedAndItsPodLosesTheLabel) {
  api_.SetLease({{"metadata", {{"name", "extender"}, {"labels", {{"kept", "yes"}}}}},
                 {"spec",
                  {{"holderIdentity", "dead_0123"},
                   {"leaseDurationSeconds", 1},
                   {"leaseTransitions", 41},
                   {"strategy", "kept"}}}});
  api_.SetLabel("dead", "true");
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  EXPECT_EQ(a->leadership.Get()->term, 42U);
  EXPECT_TRUE(Labelled("a", "true"));
  EXPECT_TRUE(Labelled("dead", ""));
  const auto lease = api_.lease();
  EXPECT_EQ(lease["metadata"]["labels"]["kept"], "yes");
  EXPECT_EQ(lease["spec"]["strategy"], "kept");
  EXPECT_THAT(lease["spec"]["holderIdentity"].get<std::string>(), StartsWith("a_"));
}

TEST_F(LeaderElectionTest, APredecessorThatIsGoneIsNoTrouble) {
  api_.SetLease({{"metadata", {{"name", "extender"}}},
                 {"spec", {{"holderIdentity", "gone_0123"}, {"leaseDurationSeconds", 1}}}});
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  ASSERT_TRUE(Labelled("a", "true"));
  EXPECT_EQ(a->election->status().label_trouble, "");
}

TEST_F(LeaderElectionTest, LeadsNoLongerThanItCanRenewAndComesBackInAHigherTerm) {
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  ASSERT_TRUE(Labelled("a", "true"));
  api_.Fail("PUT", 503);
  ASSERT_TRUE(Wait([&] { return !a->leadership.Get()->leading; })) << "told, too";
  EXPECT_THAT(a->election->status().lease_trouble, HasSubstr("update on leases"));
  EXPECT_TRUE(Labelled("a", ""));
  api_.Fail("PUT", 0);
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  EXPECT_EQ(a->leadership.Get()->term, 2U);
  EXPECT_TRUE(Labelled("a", "true"));
  EXPECT_EQ(a->election->status().lease_trouble, "");
}

TEST_F(LeaderElectionTest, AMissingRightIsNamed) {
  api_.Fail("GET", 403);
  const auto a = Start("a");
  const auto health = [&] {
    return JudgeElection(*a->leadership.Get(), a->election->status(), clock_.Now());
  };
  ASSERT_TRUE(Wait([&] { return !a->election->status().lease_trouble.empty(); }));
  EXPECT_FALSE(health().ok);
  EXPECT_THAT(health().reason, HasSubstr("RBAC lacks get on leases.coordination.k8s.io"));
  api_.Fail("GET", 0);
  api_.Fail("POST", 403);
  ASSERT_TRUE(Wait([&] { return health().reason.find("lacks create on") != std::string::npos; }));
  api_.Fail("POST", 0);
  api_.Fail("PATCH", 403);
  ASSERT_TRUE(
      Wait([&] { return health().reason.find("lacks patch on pods") != std::string::npos; }));
  EXPECT_TRUE(health().ok) << "it leads, though the Service does not find it";
  EXPECT_THAT(health().reason, HasSubstr("leads (term 1)"));
  const ElectionStatus status = a->election->status();
  EXPECT_GT(status.lease_failures[static_cast<std::size_t>(kube::ApiFailure::kForbidden)], 1U);
  EXPECT_GT(status.label_failures[static_cast<std::size_t>(kube::ApiFailure::kForbidden)], 0U);
}

TEST_F(LeaderElectionTest, GarbageIsCountedAndLeadsNowhere) {
  api_.Fail("GET", 2);
  const auto a = Start("a");
  const auto malformed = static_cast<std::size_t>(kube::ApiFailure::kMalformed);
  ASSERT_TRUE(Wait([&] { return a->election->status().lease_failures[malformed] > 1; }));
  EXPECT_FALSE(a->leadership.Get()->leading);
  EXPECT_FALSE(a->election->status().heard);
  api_.Fail("GET", 0);
  EXPECT_TRUE(Wait([&] { return Leads(*a); }));
}

TEST_F(LeaderElectionTest, ANamespaceThatIsMissingIsNamed) {
  api_.Fail("POST", 404);
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] {
    return a->election->status().lease_trouble.find("no namespace fl") != std::string::npos;
  }));
}

TEST_F(LeaderElectionTest, ALeaseThatIsDeletedIsMadeAnewInAHigherTerm) {
  const auto a = Start("a");
  ASSERT_TRUE(Wait([&] { return Leads(*a); }));
  api_.RemoveLease();
  ASSERT_TRUE(Wait([&] { return a->leadership.Get()->term == 2 && Leads(*a); }));
}

TEST_F(LeaderElectionTest, EndsThoughTheServerIsSilent) {
  api_.Fail("GET", 1);
  const auto a = Start("a");
  a->election->Stop();
  EXPECT_FALSE(a->leadership.Get()->leading);
}

TEST_F(LeaderElectionTest, WrongSettingsAreRefused) {
  Snapshot<Leadership> leadership;
  const auto without_pod = LeaderElection::Start({.access = api_.access(),
                                                  .user_agent = "test",
                                                  .namespace_name = "fl",
                                                  .pod = "",
                                                  .times = {}},
                                                 clock_, leadership);
  ASSERT_FALSE(without_pod);
  EXPECT_THAT(without_pod.error().message, HasSubstr("downward API"));
  kube::Access nowhere;
  nowhere.server = "ftp://x";
  EXPECT_FALSE(LeaderElection::Start(
      {.access = nowhere, .user_agent = "test", .namespace_name = "fl", .pod = "a", .times = {}},
      clock_, leadership));
}

}  // namespace
}  // namespace fairlead::extender
