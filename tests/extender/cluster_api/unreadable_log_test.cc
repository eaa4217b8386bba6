#include "extender/cluster_api/unreadable_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fairlead::extender {
namespace {

TEST(UnreadableLog, NamesAnObjectOnceUntilItIsMended) {
  UnreadableLog log;
  const kube::ObjectId node{.namespace_name = {}, .name = "n1", .uid = "u1"};
  testing::internal::CaptureStderr();
  log.See("node", node, "cpu \"much\"");
  log.See("node", node, "cpu \"much\"");
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
  EXPECT_NE(lines.find("\"n1\""), std::string::npos) << lines;
  EXPECT_EQ(log.named(), 1U);
  log.See("node", node, "");
  EXPECT_EQ(log.named(), 0U);
  testing::internal::CaptureStderr();
  log.See("node", node, "cpu \"more\"");
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
}

TEST(UnreadableLog, IsBounded) {
  UnreadableLog log;
  testing::internal::CaptureStderr();
  for (std::size_t i = 0; i < UnreadableLog::kMost + 10; ++i) {
    log.See("pod", {.namespace_name = "ml", .name = std::to_string(i), .uid = {}}, "cpu \"x\"");
  }
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(log.named(), UnreadableLog::kMost);
}

}  // namespace
}  // namespace fairlead::extender
