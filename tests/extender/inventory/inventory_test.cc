#include "extender/inventory/inventory.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using testing::ElementsAre;

TEST(Inventory, FindsNodesAndTheirSites) {
  const Inventory inventory({{.name = "b", .site = "sg", .hcas = 4},
                             {.name = "a", .site = "hk", .hcas = 2},
                             {.name = "c", .site = "sg", .hcas = 0}});
  EXPECT_THAT(inventory.sites(), ElementsAre("hk", "sg"));
  EXPECT_EQ(inventory.SiteOf("b"), "sg");
  EXPECT_EQ(inventory.SiteOf("a"), "hk");
  EXPECT_EQ(inventory.nodes()[*inventory.Find("b")].hcas, 4U);
}

TEST(Inventory, UnknownNodesHaveNoSite) {
  const Inventory inventory({{.name = "a", .site = "hk", .hcas = 2}});
  EXPECT_EQ(inventory.SiteOf("x"), "");
  EXPECT_EQ(inventory.SiteOf(""), "");
  EXPECT_EQ(inventory.Find("A"), std::nullopt);
  EXPECT_EQ(Inventory().SiteOf("a"), "");
}

TEST(Inventory, OfADoubledNameTheFirstCounts) {
  const Inventory inventory(
      {{.name = "a", .site = "hk", .hcas = 2}, {.name = "a", .site = "sg", .hcas = 9}});
  EXPECT_EQ(inventory.nodes().size(), 1U);
  EXPECT_EQ(inventory.SiteOf("a"), "hk");
}

}  // namespace
}  // namespace fairlead::extender
