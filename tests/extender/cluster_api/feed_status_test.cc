#include "extender/cluster_api/feed_status.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

ResourceStatus Resource(std::string name, bool needed, bool synced, std::string trouble = "") {
  ResourceStatus status{.resource = std::move(name), .needed = needed, .followed = {}};
  status.followed.synced = synced;
  status.followed.trouble = std::move(trouble);
  return status;
}

TEST(FeedStatus, WaitsForTheListsItNeeds) {
  const FeedHealth health =
      JudgeFeed({Resource("nodes", true, true), Resource("pods", true, false)});
  EXPECT_FALSE(health.ready);
  EXPECT_EQ(health.trouble, "waiting for the list of pods");
}

TEST(FeedStatus, NamesEveryTrouble) {
  const FeedHealth health = JudgeFeed({Resource("nodes", true, false, "RBAC lacks list on nodes"),
                                       Resource("jobs", false, false, "RBAC lacks list on jobs")});
  EXPECT_FALSE(health.ready);
  EXPECT_EQ(health.trouble, "RBAC lacks list on nodes; RBAC lacks list on jobs");
}

TEST(FeedStatus, IsReadyWithoutWhatItDoesNotNeedAndWhileTheServerIsAway) {
  FeedHealth health = JudgeFeed(
      {Resource("nodes", true, true, "watch on nodes: away"), Resource("jobs", false, false)});
  EXPECT_TRUE(health.ready);
  EXPECT_EQ(health.trouble, "watch on nodes: away; waiting for the list of jobs");
  health = JudgeFeed({Resource("nodes", true, true)});
  EXPECT_TRUE(health.ready);
  EXPECT_EQ(health.trouble, "");
}

TEST(FeedStatus, IsSettledOnceAllIsListedOrWillNotBe) {
  const auto settled = [](ResourceStatus jobs) {
    return JudgeFeed({Resource("nodes", true, true), std::move(jobs)}).settled;
  };
  EXPECT_FALSE(settled(Resource("jobs", false, false)));
  EXPECT_TRUE(settled(Resource("jobs", false, true)));
  EXPECT_TRUE(settled(Resource("jobs", false, false, "RBAC lacks list on jobs")));
  EXPECT_FALSE(settled(Resource("pods", true, false, "RBAC lacks list on pods")));
}

TEST(FeedStatus, TellsOfObjectsThatCannotBeRead) {
  ResourceStatus pods = Resource("pods", true, true);
  pods.followed.bad_objects = 2;
  pods.followed.last_bad_object = "ml/a: spec.tolerations: wrong";
  EXPECT_EQ(JudgeFeed({pods}).trouble,
            "cannot read some pods, the last of them ml/a: spec.tolerations: wrong");
}

}  // namespace
}  // namespace fairlead::extender
