#include "extender/placement/connected_room.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::map<std::string, std::uint64_t> kRoom{{"hk", 16}, {"sg", 8}, {"tyo", 9}};

sample::Links LabWithout(std::vector<std::pair<std::string, std::string>> lines) {
  sample::Links links = sample::Lab();
  for (const auto& [a, b] : lines) links.State(a, b, LinkState::kDown, LinkReason::kNoReply);
  return links;
}

TEST(ConnectedRoom, IsAllWhereNothingIsDownOrKnown) {
  EXPECT_EQ(LargestConnectedRoom(kRoom, sample::Lab().Snapshot()).hcas, 33U);
  EXPECT_EQ(LargestConnectedRoom(kRoom, LinkSnapshot{}).hcas, 33U);
}

TEST(ConnectedRoom, NeedsALineBetweenEachTwo) {
  const auto one = LargestConnectedRoom(kRoom, LabWithout({{"hk", "sg"}}).Snapshot());
  EXPECT_EQ(one.hcas, 25U);
  EXPECT_THAT(one.sites, ElementsAre("hk", "tyo"));
  const auto cut =
      LargestConnectedRoom(kRoom, LabWithout({{"hk", "sg"}, {"hk", "tyo"}}).Snapshot());
  EXPECT_EQ(cut.hcas, 17U);
  EXPECT_THAT(cut.sites, ElementsAre("sg", "tyo"));
}

TEST(ConnectedRoom, ADegradedLineCutsNothingOff) {
  sample::Links links = sample::Lab();
  links.State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep);
  EXPECT_EQ(LargestConnectedRoom(kRoom, links.Snapshot()).hcas, 33U);
}

TEST(ConnectedRoom, OfNothingIsNothing) {
  const auto room = LargestConnectedRoom({{"hk", 0}}, LinkSnapshot{});
  EXPECT_EQ(room.hcas, 0U);
  EXPECT_THAT(room.sites, IsEmpty());
}

TEST(ConnectedRoom, BeyondTheExactSizeItIsNeverTooSmall) {
  std::map<std::string, std::uint64_t> room;
  sample::Links links;
  for (int i = 0; i < 30; ++i) room["s" + std::to_string(100 + i)] = 1;
  // A ring of thirty sites in which each is cut off from the one before it.
  for (int i = 0; i < 30; ++i) {
    const std::string a = "s" + std::to_string(100 + i);
    const std::string b = "s" + std::to_string(100 + (i + 1) % 30);
    links.Line(a, b, 10, 10).State(a, b, LinkState::kDown, LinkReason::kNoReply);
  }
  const auto bound = LargestConnectedRoom(room, links.Snapshot());
  EXPECT_GE(bound.hcas, 15U);
  EXPECT_LT(bound.hcas, 30U);
}

}  // namespace
}  // namespace fairlead::extender
