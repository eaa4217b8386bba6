#include "extender/link/line_catalogue.h"

#include <gmock/gmock.h>

#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;

double Ms(std::optional<Nanoseconds> value) {
  return static_cast<double>(value.value_or(Nanoseconds(0)).count()) / 1e6;
}

TEST(LineCatalogue, NamesTheSitesInOrder) {
  EXPECT_THAT(sample::Catalogue().sites(), ElementsAre("hk", "mars", "sg", "tyo"));
}

TEST(LineCatalogue, KnowsTheFibreFloorEitherWayRound) {
  const LineCatalogue lines = sample::Catalogue();
  EXPECT_NEAR(Ms(lines.FloorRtt("hk", "sg")), 25.3, 0.1);
  EXPECT_NEAR(Ms(lines.FloorRtt("sg", "hk")), 25.3, 0.1);
  EXPECT_NEAR(Ms(lines.FloorRtt("tyo", "sg")), 52.0, 0.2);
}

TEST(LineCatalogue, HasNoFloorWithoutCoordinatesOrDistance) {
  const LineCatalogue lines = sample::Catalogue();
  EXPECT_THAT(lines.FloorRtt("hk", "mars"), Eq(std::nullopt));
  EXPECT_THAT(lines.FloorRtt("hk", "hk"), Eq(std::nullopt));
  EXPECT_THAT(lines.FloorRtt("hk", "nowhere"), Eq(std::nullopt));
}

TEST(LineCatalogue, TellsCapacityInBytesEitherWayRound) {
  const LineCatalogue lines = sample::Catalogue();
  EXPECT_THAT(lines.CapacityBytesPerSecond("hk", "sg"), Eq(125e6));
  EXPECT_THAT(lines.CapacityBytesPerSecond("sg", "hk"), Eq(125e6));
  EXPECT_THAT(lines.CapacityBytesPerSecond("hk", "mars"), Eq(std::nullopt));
}

TEST(LineCatalogue, AZeroCapacityIsNotKnownRatherThanNone) {
  const LineCatalogue lines({}, {{"a", "b", 0}, {"a", "c", std::nullopt}});
  EXPECT_THAT(lines.CapacityBytesPerSecond("a", "b"), Eq(std::nullopt));
  EXPECT_THAT(lines.CapacityBytesPerSecond("a", "c"), Eq(std::nullopt));
}

}  // namespace
}  // namespace fairlead::extender
