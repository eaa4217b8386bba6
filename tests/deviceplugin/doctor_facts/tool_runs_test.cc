#include "deviceplugin/doctor_facts/tool_runs.h"

#include <gmock/gmock.h>

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

Known<std::string> Output(const ToolCall& call, Nanoseconds patience = Seconds(60)) {
  const std::vector<ToolCall> calls{call};
  return RunTools(calls, patience).front();
}

TEST(ToolRunsTest, OutputsInTheOrderOfTheCalls) {
  const std::vector<ToolCall> calls{
      {"echo", "a b"}, {"no-such-tool-here"}, {"false"}, {"printf", "x"}};
  const auto outputs = RunTools(calls, Seconds(60));
  ASSERT_EQ(outputs.size(), 4U);
  EXPECT_EQ(*outputs[0], "a b\n");
  EXPECT_EQ(outputs[1].why_not(), "no-such-tool-here is not installed");
  EXPECT_EQ(outputs[2].why_not(), "false failed");
  EXPECT_EQ(*outputs[3], "x");
}

TEST(ToolRunsTest, WhatHangsIsKilled) {
  const auto output = Output({"sh", "-c", "echo begun; sleep 1000"}, Milliseconds(50));
  ASSERT_FALSE(output);
  EXPECT_EQ(output.why_not(), "sh had not ended after 50 ms");
}

TEST(ToolRunsTest, WhatNeverStopsPrintingIsKilled) {
  const auto output = Output({"yes"});
  ASSERT_FALSE(output);
  EXPECT_THAT(output.why_not(), HasSubstr("more than a MiB"));
}

TEST(ToolRunsTest, NothingToRun) { EXPECT_TRUE(RunTools({}, Seconds(1)).empty()); }

}  // namespace
}  // namespace fairlead::deviceplugin
