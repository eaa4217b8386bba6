#include "extender/cluster/standalone.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

NodeConfig Node(const std::string& name, const std::string& site) {
  NodeConfig node;
  node.name = name;
  node.site = site;
  node.hcas = 8;
  return node;
}

TEST(Standalone, KnowsTheNodesOfTheConfiguration) {
  const ClusterView view = StandaloneView({Node("n1", "hk"), Node("n2", "sg"), Node("n1", "sg")});
  ASSERT_EQ(view.nodes().size(), 2U);
  EXPECT_EQ(view.SiteOf("n1"), "hk");
  EXPECT_EQ(view.nodes()[0].free.extended.at("rdma/hca"), 8);
}

TEST(Standalone, AnEditMayTakeNodesAwayButNotTheLast) {
  const ClusterView two = StandaloneView({Node("n1", "hk"), Node("n2", "sg")});
  EXPECT_TRUE(CheckStandaloneEdit(two, {Node("n3", "hk")}));
  const Status none = CheckStandaloneEdit(two, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "nodes: of 2 known nodes none is left; list those that there are, or set "
            "extender.kubernetes.mode and restart");
  EXPECT_TRUE(CheckStandaloneEdit(ClusterView(), {})) << "there never was one";
}

}  // namespace
}  // namespace fairlead::extender
