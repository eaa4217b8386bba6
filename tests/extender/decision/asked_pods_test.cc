#include "extender/decision/asked_pods.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(AskedPods, OnlyTheFirstQuestionIsTheFirst) {
  AskedPods pods(2);
  EXPECT_TRUE(pods.First("a"));
  EXPECT_FALSE(pods.First("a"));
  EXPECT_TRUE(pods.First("b"));
  EXPECT_FALSE(pods.First("a"));
}

TEST(AskedPods, TheOldestIsForgotten) {
  AskedPods pods(2);
  EXPECT_TRUE(pods.First("a"));
  EXPECT_TRUE(pods.First("b"));
  EXPECT_TRUE(pods.First("c"));
  EXPECT_FALSE(pods.First("b"));
  EXPECT_FALSE(pods.First("c"));
  EXPECT_TRUE(pods.First("a"));
}

}  // namespace
}  // namespace fairlead::extender
