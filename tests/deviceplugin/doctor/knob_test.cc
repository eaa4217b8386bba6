#include "deviceplugin/doctor/knob.h"

#include <gmock/gmock.h>

#include <set>

namespace fairlead::deviceplugin {
namespace {

TEST(KnobTest, WhatGuidesWriteIsFound) {
  const std::vector<std::pair<const char*, const char*>> spellings{
      {"RDMA_L3_OFFLOAD", "RDMA_L3_OFFLOAD"},
      {"mlxconfig set ECN_ENABLE=1", "ECN_ENABLE"},
      {"pfc_enable", "PFC_ENABLE"},
      {"/sys/class/infiniband/mlx5_0/ports/1/max_send_wr", "max_send_wr"},
      {"/sys/module/rdma_cm/parameters/max_qp_rdma_read_res", "max_qp_rdma_read_res"},
      {"RDMA default MTU 1500", "RDMA default MTU 1500"},
      {"NCCL_MIN_NRINGS=8", "NCCL_MIN_NRINGS"},
      {"NCCL_ASYNC_ERROR_HANDLING", "NCCL_ASYNC_ERROR_HANDLING"},
      {"ibstat -p", "ibstat -p"},
      {"dcbtool", "dcbtool"},
      {"NCCL_IB_TC=106", "TC 106"},
      {"18 ms", "RTT below the fibre floor"},
  };
  for (const auto& [asked, name] : spellings) {
    const Knob* const knob = FindKnob(asked);
    ASSERT_NE(knob, nullptr) << asked;
    EXPECT_EQ(knob->name, name);
  }
}

TEST(KnobTest, WhatIsNoKnobIsNotFound) {
  for (const char* asked : {"", "=", "/", "   ", "no_such_knob", "\xff\xff"}) {
    EXPECT_EQ(FindKnob(asked), nullptr) << asked;
  }
  EXPECT_THAT(SimilarKnobs("NCCL_BUFSIZE"), testing::Contains("NCCL_BUFFSIZE"));
  EXPECT_THAT(SimilarKnobs("buffsize"), testing::Contains("NCCL_BUFFSIZE"));
  EXPECT_LE(SimilarKnobs("nccl").size(), 5U);
}

TEST(KnobTest, EachHasASentenceAndANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const Knob& knob : AllKnobs()) {
    EXPECT_TRUE(names.insert(knob.name).second) << knob.name;
    EXPECT_FALSE(knob.what.empty()) << knob.name;
    EXPECT_FALSE(knob.does.empty()) << knob.name;
    EXPECT_EQ(FindKnob(knob.name), &knob) << knob.name;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
