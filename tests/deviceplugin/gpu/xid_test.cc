#include "deviceplugin/gpu/xid.h"

#include <gtest/gtest.h>

namespace fairlead::deviceplugin {
namespace {

TEST(Xid, ErrorsOfProgramsAreHarmless) {
  for (const std::uint64_t xid : {13, 31, 43, 45, 63, 68, 94, 109, 154}) {
    EXPECT_EQ(KindOfXid(xid), XidKind::kHarmless) << xid;
  }
}

TEST(Xid, ErrorsThatNeedAResetAreFatal) {
  for (const std::uint64_t xid : {46, 48, 62, 64, 74, 79, 95, 110, 119, 120, 136, 140, 143, 158}) {
    EXPECT_EQ(KindOfXid(xid), XidKind::kFatal) << xid;
  }
}

TEST(Xid, WhatIsNotKnownIsSuspect) {
  for (const std::uint64_t xid : {0ULL, 1ULL, 32ULL, 144ULL, 999ULL, ~0ULL}) {
    EXPECT_EQ(KindOfXid(xid), XidKind::kSuspect) << xid;
  }
}

TEST(Xid, IsDescribedAsFarAsItIsKnown) {
  EXPECT_EQ(DescribeXid(79), "XID 79: the GPU has fallen off the bus");
  EXPECT_EQ(DescribeXid(144), "XID 144");
}

}  // namespace
}  // namespace fairlead::deviceplugin
