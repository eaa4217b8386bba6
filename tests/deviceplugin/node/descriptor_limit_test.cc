#include "deviceplugin/node/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

namespace fairlead::deviceplugin {
namespace {

// In a process of its own: 0 if it is enough and the soft limit the hard one.
[[noreturn]] void Secure(rlim_t soft, rlim_t hard, std::size_t needed) {
  const rlimit limit{soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
  const Status status = SecureDescriptors(needed);
  if (!status) {
    std::fputs(status.error().message.c_str(), stderr);
    std::_Exit(1);
  }
  rlimit now{};
  getrlimit(RLIMIT_NOFILE, &now);
  std::_Exit(now.rlim_cur == hard ? 0 : 2);
}

TEST(DescriptorLimitDeathTest, TheSoftLimitIsRaised) {
  EXPECT_EXIT(Secure(20, 200, 100), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(Secure(100, 100, 100), testing::ExitedWithCode(0), "");
}

TEST(DescriptorLimitDeathTest, WhatIsTooLittleIsRefusedWithTheRemedy) {
  EXPECT_EXIT(Secure(20, 99, 100), testing::ExitedWithCode(1),
              "at most 99 files may be open, and 100 are needed; raise the limit");
}

TEST(DescriptorLimitTest, EachResourceNeedsSome) {
  EXPECT_GT(DescriptorsNeeded(2), DescriptorsNeeded(1));
  EXPECT_LT(DescriptorsNeeded(8), 1024U);
}

}  // namespace
}  // namespace fairlead::deviceplugin
