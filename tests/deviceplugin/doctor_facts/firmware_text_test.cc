#include "deviceplugin/doctor_facts/firmware_text.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kNewer = R"(
Device #1:
----------

Device type:        ConnectX6DX
Name:               MCX623106AN-CDA_Ax
Description:        ConnectX-6 Dx EN adapter card; 100GbE; Dual-port QSFP56
Device:             0000:3b:00.0

Configurations:                                          Default             Current             Next Boot
        MEMIC_BAR_SIZE                              0                   0                   0
*       NUM_OF_VFS                                  0                   8                   16
RO      HOST_CHAINING_DESCRIPTORS                   Array[0..7]         Array[0..7]         Array[0..7]
        ROCE_CC_PRIO_MASK_P1                        255                 255                 255
        SRIOV_EN                                    False(0)            True(1)             True(1)
The '*' shows parameters with next value different from default/current value.
)";

constexpr const char* kOlder = R"(
Device #1:
----------
PCI device:         0000:3b:00.0
Configurations:                              Next Boot
         ROCE_CC_PRIO_MASK_P1                255
         LINK_TYPE_P1                        ETH(2)
)";

TEST(FirmwareTextTest, AllColumns) {
  const auto settings = ParseFirmwareSettings(kNewer);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->size(), 5U);
  EXPECT_EQ(settings->at("NUM_OF_VFS").current, "8");
  EXPECT_EQ(settings->at("NUM_OF_VFS").next_boot, "16");
  EXPECT_EQ(settings->at("SRIOV_EN").current, "True(1)");
}

TEST(FirmwareTextTest, OneColumnOnly) {
  const auto settings = ParseFirmwareSettings(kOlder);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->at("LINK_TYPE_P1").next_boot, "ETH(2)");
  EXPECT_EQ(settings->at("LINK_TYPE_P1").current, "");
}

TEST(FirmwareTextTest, WhatIsNoTableIsNotKnown) {
  EXPECT_FALSE(ParseFirmwareSettings(""));
  EXPECT_FALSE(ParseFirmwareSettings("-E- Failed to open the device\n"));
  EXPECT_FALSE(ParseFirmwareSettings("NUM_OF_VFS 1 2 3\n"));  // no heading
  EXPECT_FALSE(ParseRegister("-E- Unknown register\n"));
}

TEST(FirmwareTextTest, Register) {
  const auto fields = ParseRegister(R"(Sending access register...

Field Name                             | Data
============================================================
roce_adp_retrans_field_select          | 0x00000001
roce_adp_retrans_en                    | 0x00000001
adp_retx_base_timeout_min              | 0x00000fa0
odd                                    | none
============================================================
)");
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->size(), 3U);
  EXPECT_EQ(fields->at("roce_adp_retrans_en"), 1U);
  EXPECT_EQ(fields->at("adp_retx_base_timeout_min"), 4000U);
}

}  // namespace
}  // namespace fairlead::deviceplugin
