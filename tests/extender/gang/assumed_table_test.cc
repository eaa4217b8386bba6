#include "extender/gang/assumed_table.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

const GangKey kOne{"job", "ml", "one", ""};
const GangKey kTwo{"job", "ml", "two", ""};

auto Uid(const char* uid) { return Field(&AssumedPod::uid, uid); }

TEST(AssumedTable, RemembersMembersOfAGangButNotTheAsker) {
  AssumedTable table;
  table.Assume("b", kOne, "n2", At(0));
  table.Assume("a", kOne, "n1", At(1));
  table.Assume("c", kTwo, "n3", At(1));
  EXPECT_THAT(table.Members(kOne, "", At(2)), ElementsAre(Uid("a"), Uid("b")));
  EXPECT_THAT(table.Members(kOne, "a", At(2)), ElementsAre(Uid("b")));
  EXPECT_THAT(table.All(At(2)), ElementsAre(Uid("a"), Uid("b"), Uid("c")));
}

TEST(AssumedTable, ALaterAnswerSupersedes) {
  AssumedTable table;
  table.Assume("a", kOne, "n1", At(0));
  table.Assume("a", kTwo, "n2", At(5));
  EXPECT_THAT(table.Members(kOne, "", At(6)), IsEmpty());
  EXPECT_THAT(table.Members(kTwo, "", At(6)), ElementsAre(Field(&AssumedPod::node, "n2")));
  EXPECT_EQ(table.size(), 1U);
}

TEST(AssumedTable, TimeRunsOutAndIsRenewedByALaterAnswer) {
  AssumedTable table(Seconds(60));
  table.Assume("a", kOne, "n1", At(0));
  table.Assume("b", kOne, "n1", At(0));
  table.Assume("b", kOne, "n1", At(30));
  EXPECT_EQ(table.Members(kOne, "", At(59.9)).size(), 2U);
  EXPECT_THAT(table.Members(kOne, "", At(60)), ElementsAre(Uid("b")));
  EXPECT_EQ(table.size(), 2U);
  table.Expire(At(60));
  EXPECT_EQ(table.size(), 1U);
  table.Expire(At(90));
  EXPECT_EQ(table.size(), 0U);
}

TEST(AssumedTable, ForgetsWhatIsBoundOrDeleted) {
  AssumedTable table;
  table.Assume("a", kOne, "n1", At(0));
  table.Forget("a");
  table.Forget("never-seen");
  EXPECT_THAT(table.All(At(1)), IsEmpty());
}

TEST(AssumedTable, WhenFullTheOldestMakesRoom) {
  AssumedTable table(Seconds(60), 2);
  table.Assume("b", kOne, "n", At(0));
  table.Assume("a", kOne, "n", At(1));
  table.Assume("c", kOne, "n", At(2));
  EXPECT_THAT(table.All(At(2)), ElementsAre(Uid("a"), Uid("c")));
  table.Assume("a", kOne, "n", At(3));
  EXPECT_EQ(table.size(), 2U);
}

TEST(AssumedTable, APodWithoutUidIsNotRemembered) {
  AssumedTable table;
  table.Assume("", kOne, "n", At(0));
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace fairlead::extender
