#include "deviceplugin/doctor_cli/doctor_command.h"

#include <gmock/gmock.h>

#include "deviceplugin/doctor/wrapped_text.h"
#include "deviceplugin/doctor_cli/explain_view.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

Result<DoctorCommand> Read(std::vector<std::string> words) {
  words.insert(words.begin(), "doctor");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return ReadDoctorCommand(static_cast<int>(words.size()), arguments.data());
}

TEST(DoctorCommandTest, Examine) {
  const auto command = Read({"--config", "f.yaml", "--site", "hk", "--rtt", "sg=36ms", "--json"});
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_EQ(command->action, DoctorAction::kExamine);
  EXPECT_EQ(command->config_file, "f.yaml");
  EXPECT_EQ(command->site, "hk");
  EXPECT_TRUE(command->json);
  EXPECT_EQ(command->rtts.at("sg"), Milliseconds(36));
}

TEST(DoctorCommandTest, TheOthers) {
  EXPECT_EQ(Read({"explain", "RDMA", "default", "MTU", "1500"})->name, "RDMA default MTU 1500");
  const auto nccl = Read({"nccl", "--to", "sg", "--bytes", "100MB"});
  ASSERT_TRUE(nccl);
  EXPECT_EQ(nccl->action, DoctorAction::kNccl);
  EXPECT_EQ(nccl->peer_site, "sg");
  EXPECT_EQ(nccl->message_bytes, 100'000'000U);
  const auto fix = Read({"fix", "--check", "roce_mtu", "--yes"});
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->action, DoctorAction::kFix);
  EXPECT_TRUE(fix->apply);
  EXPECT_EQ(Read({"fix", "--check", "roce_mtu", "--undo"})->action, DoctorAction::kUndo);
}

TEST(DoctorCommandTest, WhatIsWrongIsNamed) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong{
      {{"cure"}, "cure"},           {{"--rtt", "sg"}, "--rtt"},
      {{"fix"}, "--check NAME"},    {{"nccl", "--bytes", "many"}, "--bytes"},
      {{"--unknown"}, "--unknown"}, {{"explain", "--json"}, "--json"},
      {{"fix", "more"}, "more"},
  };
  for (const auto& [words, part] : wrong) {
    const auto command = Read(words);
    ASSERT_FALSE(command) << words[0];
    EXPECT_THAT(command.error().message, HasSubstr(part));
  }
}

TEST(ExplainTest, OneAllOrNone) {
  EXPECT_THAT(ExplainAsText("PFC_ENABLE").value(), HasSubstr("not real"));
  EXPECT_THAT(ExplainAsText("").value(), HasSubstr("NCCL_BUFFSIZE (real)"));
  EXPECT_THAT(ExplainAsText("NCCL_BUFSIZE").error().message, HasSubstr("NCCL_BUFFSIZE"));
}

TEST(WrappedTextTest, LinesAreNoLongerThanTheirWordsAllow) {
  EXPECT_EQ(Wrapped("do", 4, "aa bb cc", 8), "do  aa\n    bb\n    cc\n");
  EXPECT_EQ(Wrapped("do", 4, "aa bb cc", 9), "do  aa bb\n    cc\n");
  EXPECT_EQ(Wrapped("", 2, "aaaaaaaaaaaaaaaa", 8), "  aaaaaaaaaaaaaaaa\n");
  EXPECT_EQ(Wrapped("do", 4, "a `b c d e` f", 8), "do  a\n    `b c d e`\n    f\n");
  EXPECT_EQ(Wrapped("do", 4, "", 8), "");
}

}  // namespace
}  // namespace fairlead::deviceplugin
