#include "deviceplugin/cli/command_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace fairlead::deviceplugin {
namespace {

Result<Command> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "fairlead-deviceplugin");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return ParseCommandLine(static_cast<int>(words.size()), argv.data());
}

template <class T>
T As(std::vector<std::string> words) {
  const auto parsed = Parse(std::move(words));
  EXPECT_TRUE(parsed) << parsed.error().message;
  EXPECT_TRUE(std::holds_alternative<T>(*parsed));
  return std::get<T>(*parsed);
}

TEST(CommandLineTest, ReadsTheDaemon) {
  const auto plain = As<DaemonCommand>({"--config", "f.yaml", "--node-name=n"});
  EXPECT_EQ(plain.config_file, "f.yaml");
  EXPECT_EQ(plain.node_name, "n");
  EXPECT_EQ(plain.root, "");
  EXPECT_EQ(plain.log_level, LogLevel::kInfo);
  const auto full = As<DaemonCommand>(
      {"--log-level", "warning", "--root", "/host", "--node-name", "list", "--config", "f"});
  EXPECT_EQ(full.node_name, "list");
  EXPECT_EQ(full.root, "/host");
  EXPECT_EQ(full.log_level, LogLevel::kWarning);
}

TEST(CommandLineTest, ReadsTheOtherCommands) {
  const auto bare = As<ListCommand>({"list"});
  EXPECT_EQ(bare.config_file, "");
  EXPECT_FALSE(bare.json || bare.pods);
  const auto list = As<ListCommand>({"list", "--json", "--pods", "--config", "f", "--root", "/r"});
  EXPECT_EQ(list.config_file, "f");
  EXPECT_EQ(list.root, "/r");
  EXPECT_TRUE(list.json && list.pods);
  EXPECT_EQ(As<CheckConfigCommand>({"--config", "f", "--check-config"}).config_file, "f");
  for (const auto& words : {std::vector<std::string>{"--help"}, {"-h"}, {"help"}, {"list", "-h"}}) {
    As<HelpCommand>(words);
  }
  As<VersionCommand>({"--version"});
}

TEST(CommandLineTest, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "--config"},
      {{"--config"}, "needs a value"},
      {{"--config", "f"}, "--node-name"},
      {{"--node-name", "n"}, "--config"},
      {{"--check-config"}, "--config"},
      {{"--config", "f", "--node-name", "n", "--log-level", "loud"}, "loud"},
      {{"--config", "f", "--node-name", "n", "--json"}, "json"},
      {{"lst"}, "lst"},
      {{"--config", "f", "--node-name", "n", "list"}, "list"},
      {{"list", "mlx5_0"}, "operand"},
      {{"list", "--node-name", "n"}, "node-name"},
      {{"list", "--root"}, "needs a value"},
  };
  for (const auto& [words, part] : cases) {
    const auto parsed = Parse(words);
    ASSERT_FALSE(parsed) << part;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find(part), std::string::npos) << parsed.error().message;
  }
}

TEST(CommandLineTest, HelpNamesEveryOption) {
  for (const char* option : {"--config", "--node-name", "--root", "--log-level", "--check-config",
                             "--json", "--pods", "--version", "--help"}) {
    EXPECT_NE(HelpText().find(option), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
