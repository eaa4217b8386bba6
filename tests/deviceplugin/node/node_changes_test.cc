#include "deviceplugin/node/node_changes.h"

#include <gmock/gmock.h>

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NodeState StateWith(const std::vector<WatchedHca>& watched) {
  NodeState state;
  state.watched = watched;
  for (const WatchedHca& one : watched) state.inventory.hcas.push_back(one.hca);
  return state;
}

WatchedHca Watched(const std::string& name, bool healthy, std::string_view reason = "",
                   const std::string& sentence = "") {
  WatchedHca watched;
  watched.id = name;
  watched.hca.name = name;
  watched.healthy = healthy;
  watched.reason = reason;
  watched.sentence = sentence;
  return watched;
}

std::vector<std::string> Texts(const NodeState& before, const NodeState& now) {
  std::vector<std::string> texts;
  for (const NodeChange& change : ChangesBetween(before, now)) {
    texts.push_back((change.bad ? "! " : "") + std::string(change.message) + " | " + change.device +
                    " | " + change.detail);
  }
  return texts;
}

TEST(NodeChanges, TellsEachStepOfADeviceOnce) {
  const NodeState none;
  const NodeState well = StateWith({Watched("a", true)});
  const NodeState ails = StateWith({Watched("a", true, "port_down", "port 1 is down")});
  const NodeState bad = StateWith({Watched("a", false, "port_down", "port 1 is down")});
  EXPECT_THAT(Texts(none, none), IsEmpty());
  EXPECT_THAT(Texts(none, well), ElementsAre("an HCA is there | a | "));
  EXPECT_THAT(Texts(none, bad),
              ElementsAre("! an HCA is there but not healthy | a | port 1 is down"));
  EXPECT_THAT(
      Texts(well, ails),
      ElementsAre(
          "! an HCA ails; it counts as healthy until that has lasted | a | port 1 is down"));
  EXPECT_THAT(Texts(ails, ails), IsEmpty());
  EXPECT_THAT(Texts(ails, bad),
              ElementsAre("! an HCA is not healthy any more | a | port 1 is down"));
  EXPECT_THAT(Texts(bad, well), ElementsAre("an HCA is healthy again | a | "));
  EXPECT_THAT(Texts(bad, none), ElementsAre("an HCA that vanished is no longer listed | a | "));
}

TEST(NodeChanges, CutsALongTaleShortForEachDevice) {
  WatchedHca one = Watched("a", true);
  for (int i = 0; i < 256; ++i) one.hca.problems.push_back("p" + std::to_string(100 + i));
  WatchedHca another = Watched("b", true);
  another.hca.problems = {"q"};
  const NodeState before = StateWith({Watched("a", true), Watched("b", true)});
  const NodeState now = StateWith({one, another});
  const std::vector<std::string> texts = Texts(before, now);
  ASSERT_EQ(texts.size(), 10U);
  EXPECT_EQ(texts[0], "! not everything could be read | a | p100");
  EXPECT_EQ(texts[7], "! not everything could be read | a | p107");
  EXPECT_EQ(texts[8], "! not everything could be read | b | q");
  EXPECT_EQ(texts[9],
            "! not everything could be read | a | and 248 more; fairlead-deviceplugin list tells "
            "them all");
  EXPECT_THAT(Texts(now, now), IsEmpty());
}

TEST(NodeChanges, TellsANewReasonNotAnOldOne) {
  NodeState before = StateWith({Watched("a", true)});
  before.match.left_out = {
      {.hca = 0,
       .rejections = {
           {.pool = "rdma/hca", .reason = RejectReason::kVendor, .sentence = "vendor is 1d0f"}}}};
  before.inventory.problems = {"no /dev/infiniband"};
  NodeState now = before;
  EXPECT_THAT(Texts(before, now), IsEmpty());
  now.match.left_out[0].rejections[0].sentence = "vendor is 15b3";
  now.inventory.hcas[0].problems = {"fw_ver is empty"};
  now.warnings = {"no GID suits both"};
  EXPECT_THAT(Texts(before, now),
              ElementsAre("! an HCA is in no pool | a | rdma/hca: vendor is 15b3",
                          "! not everything could be read | a | fw_ver is empty",
                          "! containers are told less than they could be |  | no GID suits both"));
  EXPECT_THAT(Texts(now, before),
              ElementsAre("! an HCA is in no pool | a | rdma/hca: vendor is 1d0f"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
