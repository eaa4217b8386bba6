#include "deviceplugin/doctor/fix_plan.h"

#include <gmock/gmock.h>

#include "tests/deviceplugin/doctor/facts.h"

namespace fairlead::deviceplugin {
namespace {

TEST(FixPlanTest, NothingToMendOnAWellNode) {
  for (const std::string_view check : FixableChecks()) {
    const auto plan = PlanFix(check, WellNode());
    ASSERT_TRUE(plan) << check;
    EXPECT_TRUE(plan->steps.empty()) << check;
  }
}

TEST(FixPlanTest, Mtu) {
  NodeFacts facts = WellNode();
  facts.inventory.hcas[0].ports[0].mtu_bytes = 1500;
  const auto plan = PlanFix("roce_mtu", facts);
  ASSERT_EQ(plan->steps.size(), 1U);
  EXPECT_EQ(plan->steps[0].path, "/sys/class/net/ens1f0np0/mtu");
  EXPECT_EQ(plan->steps[0].value, "4192");
  EXPECT_FALSE(plan->caution.empty());
}

TEST(FixPlanTest, DefaultsOfRdmaCm) {
  NodeFacts facts = WellNode();
  facts.hcas[0].ports[0].rdma_cm = CmaFacts{.roce_v2 = false, .tos = 0};
  const auto plan = PlanFix("rdma_cm", facts);
  ASSERT_EQ(plan->steps.size(), 2U);
  EXPECT_EQ(plan->steps[0].value, "RoCE v2");
  EXPECT_EQ(plan->steps[1].path, "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos");
  EXPECT_EQ(plan->steps[1].value, "106");
  EXPECT_EQ(plan->steps[1].directory, "/sys/kernel/config/rdma_cm/mlx5_0");
}

TEST(FixPlanTest, TcpGrowsAndNeverShrinks) {
  NodeFacts facts = WellNode();
  TcpFacts tcp = *facts.host.tcp;
  tcp.receive_bytes[2] = 4096;
  tcp.slow_start_after_idle = true;
  facts.host.tcp = tcp;
  const auto buffers = PlanFix("tcp_buffers", facts);
  ASSERT_EQ(buffers->steps.size(), 1U);  // the send buffer is large enough
  EXPECT_EQ(buffers->steps[0].value, "4096 131072 8388608");
  const auto bootstrap = PlanFix("tcp_bootstrap", facts);
  ASSERT_EQ(bootstrap->steps.size(), 1U);
  EXPECT_EQ(bootstrap->steps[0].value, "0");
}

TEST(FixPlanTest, WhatCannotBeMendedIsSaid) {
  EXPECT_EQ(PlanFix("acs", WellNode()).error().code, ErrorCode::kUnsupported);
  const auto none = PlanFix("../etc", WellNode());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().message, testing::HasSubstr("roce_mtu"));
}

// A plan made of what is not known would write guesses.
TEST(FixPlanTest, NothingIsPlannedFromWhatIsNotKnown) {
  NodeFacts facts;
  facts.inventory.hcas = {WellHca()};
  facts.hcas = {HcaFacts{}};
  facts.hcas[0].ports = {PortFacts{}};
  for (const std::string_view check : FixableChecks()) {
    EXPECT_TRUE(PlanFix(check, facts)->steps.empty()) << check;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
