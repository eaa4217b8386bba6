#include "deviceplugin/doctor_facts/pci_config_space.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace fairlead::deviceplugin {
namespace {

void Put(std::string& bytes, std::size_t at, std::uint32_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(value >> 8 * i & 0xff);
}

// A function whose PCI Express capability comes behind one of power management.
std::string Function(std::uint16_t device_control) {
  std::string bytes(4096, '\0');
  Put(bytes, 0x34, 0x40, 1);
  Put(bytes, 0x40, 0x01, 1);
  Put(bytes, 0x41, 0x60, 1);
  Put(bytes, 0x60, 0x10, 1);
  Put(bytes, 0x68, device_control, 2);
  return bytes;
}

// A bridge whose ACS capability comes behind one of error reporting.
std::string Bridge(std::uint16_t acs_control) {
  std::string bytes(4096, '\0');
  Put(bytes, 0x100, 0x14010001, 4);
  Put(bytes, 0x140, 0x0001000d, 4);
  Put(bytes, 0x146, acs_control, 2);
  return bytes;
}

TEST(PciConfigSpaceTest, DeviceControl) {
  const auto tuned = DeviceControl(Function(0x5810 | 0x10));
  ASSERT_TRUE(tuned);
  EXPECT_TRUE(tuned->relaxed_ordering);
  EXPECT_EQ(tuned->read_request_bytes, 4096U);
  const auto plain = DeviceControl(Function(0x2800));
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->relaxed_ordering);
  EXPECT_EQ(plain->read_request_bytes, 512U);
}

TEST(PciConfigSpaceTest, AccessControl) {
  EXPECT_TRUE(*RedirectsRequests(Bridge(0x1d)));
  EXPECT_FALSE(*RedirectsRequests(Bridge(0x01)));
  EXPECT_FALSE(*RedirectsRequests(std::string(4096, '\0')));  // no such capability
}

TEST(PciConfigSpaceTest, WhatOnlyRootCanReadIsNotKnown) {
  EXPECT_FALSE(DeviceControl(Function(0x5810).substr(0, 64)));
  EXPECT_FALSE(RedirectsRequests(Bridge(0x1d).substr(0, 256)));
  EXPECT_FALSE(RedirectsRequests(""));
  EXPECT_FALSE(DeviceControl(""));
}

// Lists that loop or lead out of the bytes end.
TEST(PciConfigSpaceTest, OddListsEnd) {
  std::string loop(4096, '\0');
  Put(loop, 0x34, 0x40, 1);
  Put(loop, 0x40, 0x01, 1);
  Put(loop, 0x41, 0x40, 1);
  Put(loop, 0x100, 0x10010001, 4);  // the next is itself
  EXPECT_FALSE(DeviceControl(loop));
  EXPECT_FALSE(*RedirectsRequests(loop));
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string noise(size, '\xff');
    DeviceControl(noise);
    RedirectsRequests(noise);
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
