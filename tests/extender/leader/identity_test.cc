#include "extender/leader/identity.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(Identity, NamesItsPod) {
  EXPECT_EQ(IdentityOf("extender-7d9f-abcde", "0123456789abcdef"),
            "extender-7d9f-abcde_0123456789abcdef");
  EXPECT_EQ(PodOfIdentity("extender-7d9f-abcde_0123456789abcdef"), "extender-7d9f-abcde");
  EXPECT_EQ(PodOfIdentity("somebody"), "");
  EXPECT_EQ(PodOfIdentity(""), "");
}

}  // namespace
}  // namespace fairlead::extender
