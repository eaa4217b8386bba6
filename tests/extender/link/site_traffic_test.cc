#include "extender/link/site_traffic.h"

#include <gtest/gtest.h>

#include "extender/link/link_table.h"
#include "tests/extender/sample/links.h"

namespace fairlead::extender {
namespace {

using sample::At;
using sample::Path;
using sample::WallAt;

TEST(SiteTrafficTest, ALineCarriesNoMoreThanEitherEnd) {
  TrafficBySite traffic;
  AddTraffic({.transmit_bytes_per_second = 70, .receive_bytes_per_second = 5}, "hk", Seconds(2),
             traffic);
  AddTraffic({.transmit_bytes_per_second = 30, .receive_bytes_per_second = 5}, "hk", Seconds(1),
             traffic);
  EXPECT_FALSE(UseOfLine(traffic, "hk", "sg")) << "one end tells nothing";
  AddTraffic({.transmit_bytes_per_second = 4, .receive_bytes_per_second = 80}, "sg", Seconds(3),
             traffic);
  const auto there = UseOfLine(traffic, "hk", "sg");
  ASSERT_TRUE(there);
  EXPECT_EQ(there->bytes_per_second, 80);
  EXPECT_EQ(there->nodes, 3U);
  EXPECT_EQ(there->age, Seconds(3));
  EXPECT_EQ(UseOfLine(traffic, "sg", "hk")->bytes_per_second, 4);
  EXPECT_FALSE(UseOfLine(traffic, "hk", "hk"));
  EXPECT_FALSE(UseOfLine(traffic, "hk", "tyo"));
}

class TableTrafficTest : public ::testing::Test {
 protected:
  void Report(const std::string& node, const std::string& site, double at,
              std::optional<NodeTraffic> traffic) {
    PathReportBatch batch{node, site, ++sequence_, WallAt(1e9 + at), At(at), {}};
    batch.traffic = traffic;
    ASSERT_TRUE(table_.Ingest(std::move(batch)));
  }
  LinkView Link(double at) { return *table_.TakeSnapshot(At(at), {}).Find("hk", "sg"); }

  LinkTable table_{{}, sample::Catalogue()};  // hk-sg: 125 MB/s
  std::uint64_t sequence_ = 0;
};

TEST_F(TableTrafficTest, UseIsSummedBySiteWithItsAge) {
  Report("hk1", "hk", 0, NodeTraffic{.transmit_bytes_per_second = 60e6, .age = Seconds(1)});
  Report("hk2", "hk", 0, NodeTraffic{.transmit_bytes_per_second = 40e6});
  Report("sg1", "sg", 2, NodeTraffic{.receive_bytes_per_second = 90e6});
  const LinkView view = Link(3);
  ASSERT_TRUE(view.used);
  EXPECT_EQ(view.used->bytes_per_second, 90e6);
  EXPECT_EQ(view.used->nodes, 3U);
  EXPECT_EQ(view.used->age, Seconds(4));
  EXPECT_EQ(view.declared_doubt, DeclaredRateDoubt::kNone);
}

TEST_F(TableTrafficTest, WhatIsStaleOrNotToldIsNotKnown) {
  EXPECT_FALSE(Link(0).used);
  Report("hk1", "hk", 0, NodeTraffic{.transmit_bytes_per_second = 60e6});
  Report("sg1", "sg", 0, NodeTraffic{.receive_bytes_per_second = 60e6});
  EXPECT_TRUE(Link(29).used);
  EXPECT_FALSE(Link(30).used);
  Report("hk1", "hk", 31, NodeTraffic{.transmit_bytes_per_second = 60e6});
  Report("sg1", "sg", 31, std::nullopt);
  EXPECT_FALSE(Link(31).used);
}

TEST_F(TableTrafficTest, ADeclarationTenTimesTooSmallIsDoubted) {
  Report("hk1", "hk", 0, NodeTraffic{.transmit_bytes_per_second = 1250e6});
  Report("sg1", "sg", 0, NodeTraffic{.receive_bytes_per_second = 1250e6});
  EXPECT_EQ(Link(1).declared_doubt, DeclaredRateDoubt::kExceeded);
  const LinkSnapshot snapshot = table_.TakeSnapshot(At(2), {});
  EXPECT_EQ(snapshot.Find("sg", "hk")->declared_doubt, DeclaredRateDoubt::kNone);
}

}  // namespace
}  // namespace fairlead::extender
