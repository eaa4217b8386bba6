#include "extender/check/scheduler_check.h"

#include <gmock/gmock.h>

#include "extender/check/environment_text.h"
#include "extender/check/yaml_text.h"
#include "extender/scheduler_config/print_config.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::extender {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class SchedulerCheckTest : public testing::Test {
 protected:
  // What is said, the file's folder taken out.
  std::string Check(SchedulerCheckWish wish) const {
    const auto result = CheckSchedulerConfig(wish);
    std::string text = result ? result->text : "refused: " + result.error().message;
    const std::string folder = directory_.path().string() + "/";
    for (std::size_t at = 0; (at = text.find(folder)) != std::string::npos;) {
      text.erase(at, folder.size());
    }
    return text;
  }
  std::string Check(const std::string& text) const {
    return Check({.file = directory_.Write("f.yaml", text), .env_file = "", .feature_gates = ""});
  }
  std::string Right() const {
    return directory_.Write("right.yaml", *PrintSchedulerConfig({.url = "http://10.0.0.9:8471"}));
  }

  TempDirectory directory_;
};

TEST_F(SchedulerCheckTest, SaysWhichFileIsNone) {
  EXPECT_EQ(Check("a: b\n"),
            "refused: f.yaml: holds neither a KubeSchedulerConfiguration nor Volcano's tiers");
  EXPECT_EQ(Check("a: b\nc: [\n").substr(0, 37), "refused: f.yaml:3: is not valid YAML:");
  EXPECT_EQ(Check("a: b\nc: \x07\n"),
            "refused: f.yaml:2: has the control character \"\\x07\", which "
            "no YAML may have; take it out");
}

TEST_F(SchedulerCheckTest, NoControlCharacterReachesTheTerminal) {
  const std::string esc = "\\e[31m\\n\\x7f";
  for (const std::string& text :
       {"- urlPrefix: \"http://a" + esc + "/kube\"\n", "- urlPrefix: \"http://a/" + esc + "\"\n",
        "- \"" + esc + "\": 1\n", "- filterVerb: \"" + esc + "\"\n  ignorable: \"" + esc + "\"\n",
        "- managedResources: [{name: \"" + esc + "\"}]\n", std::string("- *\u00e4x\n")}) {
    const std::string said = Check("kind: KubeSchedulerConfiguration\nextenders:\n" + text);
    for (const char c : said) {
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << text << said;
    }
  }
}

TEST_F(SchedulerCheckTest, AliasesWithoutEndAreRefused) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string from = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + from;
    for (int j = 1; j < 10; ++j) text += "," + from;
    text += "]\n";
  }
  EXPECT_THAT(Check("kind: KubeSchedulerConfiguration\n" + text), HasSubstr("too large"));
  EXPECT_THAT(Check("kind: KubeSchedulerConfiguration\na: &a [*a]\n"), HasSubstr("refused"));
}

TEST_F(SchedulerCheckTest, SaysWhatIsNoEnvironment) {
  const auto with = [&](const std::string& environment) {
    return Check(
        {.file = Right(), .env_file = directory_.Write("env", environment), .feature_gates = ""});
  };
  EXPECT_THAT(with("A=b\nNO_PROXY=10.0.0.9\nHTTP_PROXY=p\n"),
              EndsWith("right.yaml: kube-scheduler: ok\n"));
  EXPECT_THAT(with("kind: Pod\n"), HasSubstr("refused: --env env: line 1, \"kind: Pod\", is not "
                                             "NAME=VALUE; give what `env` prints"));
}

TEST_F(SchedulerCheckTest, SaysWhatIsNoFeatureGate) {
  const auto with = [&](const std::string& gates) {
    return Check(
        {.file = Right(), .env_file = "", .feature_gates = gates, .has_feature_gates = true});
  };
  EXPECT_THAT(with("OpportunisticBatching=false"), Not(HasSubstr("gate")));
  EXPECT_THAT(with("off"), HasSubstr("refused: --feature-gates: \"off\" is no feature gate"));
}

TEST(EnvironmentText, IsReadWithLinesAndWithNul) {
  const Environment right{{"A", "b"}, {"C", ""}, {"D", "e=f"}};
  for (const std::string& text :
       {std::string("A=b\nC=\nD=e=f\n"), std::string("A=b\r\nC=\r\nD=e=f"),
        std::string("A=b\0C=\0D=e=f\0", 13)}) {
    const auto parsed = ParseEnvironment(text);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(*parsed, right);
  }
  const auto lines = ParseEnvironment(std::string("A=b\nc\0D=e\0", 10));
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->at("A"), "b\nc");
}

TEST(EnvironmentText, OtherTextIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("\n\n"), std::string("nonsense"), std::string("A=b\nnonsense\n"),
        std::string("- name: A=b"), std::string("=b"), std::string("A\x1b=b"),
        std::string("A=b\0nonsense\0", 13)}) {
    EXPECT_FALSE(ParseEnvironment(text)) << text;
  }
}

TEST(YamlText, IsWhatGoTakes) {
  for (const char* text : {"%YAML 1.1\n---\n", "# a\n%TAG ! x\n%YAML\t1.1 # b\r\n---",
                           "---\n%YAML 1.2", "a\tb\r\n", "\xc2\x85", "\xc2\xa0", "\xef\xbb\xbf",
                           "\xef\xbf\xbd", "\xf0\x9f\x98\x80", "\xff\xfe\x07"}) {
    EXPECT_TRUE(CheckYamlText(text)) << text;
  }
  for (const char* text :
       {"\x01", "\x1b", "\x7f", "\xc2\x90", "\xef\xbf\xbf", "\xff", "\xc3", "\xc0\x80",
        "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"}) {
    const Status checked = CheckYamlText("a\n" + std::string(text));
    ASSERT_FALSE(checked) << text;
    EXPECT_EQ(checked.error().message.substr(0, 3), "2: ");
  }
  EXPECT_FALSE(CheckYamlText(std::string_view("a\0", 2)));
  for (const char* text : {"%YAML 1.2\n---\n", "\n# a\n%YAML 9.9", "%YAML", "%YAML 1.11\n"}) {
    EXPECT_FALSE(CheckYamlText(text)) << text;
  }
}

}  // namespace
}  // namespace fairlead::extender
