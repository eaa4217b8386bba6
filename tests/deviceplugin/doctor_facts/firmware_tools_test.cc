// NVIDIA's tools as hosts have them: absent, of one family or the other, old, hanging.
#include "deviceplugin/doctor_facts/firmware_tools.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

constexpr char kNewTable[] = R"(#!/bin/sh
echo "Device: $2"
echo "Configurations:                 Default             Current             Next Boot"
echo "        NUM_OF_VFS              0                   8                   16"
)";
constexpr char kOldTable[] = R"(#!/bin/sh
echo "Configurations:                 Next Boot"
echo "        NUM_OF_VFS              16"
)";
constexpr char kRegister[] = R"(#!/bin/sh
echo "Field Name                             | Data"
echo "roce_adp_retrans_en                    | 0x00000001"
)";
constexpr char kUnknownRegister[] = "#!/bin/sh\necho '-E- Unknown register ROCE_ACCL'\nexit 1\n";
constexpr char kHangs[] = "#!/bin/sh\nexec sleep 1000\n";

// A host whose programs are a shell's and these.
class FirmwareToolsTest : public testing::Test {
 protected:
  FirmwareToolsTest() {
    ::setenv("PATH", (directory_.path().string() + ":/usr/bin:/bin").c_str(), 1);
  }
  ~FirmwareToolsTest() override { ::setenv("PATH", path_.c_str(), 1); }

  void Install(const std::string& name, const std::string& script) {
    std::filesystem::permissions(directory_.Write(name, script), std::filesystem::perms::owner_all);
  }
  static FirmwareAnswers Ask(Nanoseconds patience = Seconds(60)) {
    const auto answers = AskFirmwareTools({"0000:3b:00.0"}, patience);
    EXPECT_EQ(answers.size(), 1U);
    return answers.empty() ? FirmwareAnswers{} : answers.front();
  }

 private:
  const TempDirectory directory_;
  const std::string path_ = std::getenv("PATH");
};

TEST_F(FirmwareToolsTest, NeitherFamilyIsThere) {
  const FirmwareAnswers answers = Ask();
  EXPECT_THAT(answers.settings.why_not(), HasSubstr("is not installed"));
  EXPECT_THAT(answers.acceleration.why_not(), HasSubstr("is not installed"));
}

TEST_F(FirmwareToolsTest, MstflintStandsInForMft) {
  Install("mstconfig", kNewTable);
  Install("mstreg", kRegister);
  const FirmwareAnswers answers = Ask();
  ASSERT_TRUE(answers.settings) << answers.settings.why_not();
  EXPECT_EQ(answers.settings->at("NUM_OF_VFS").current, "8");
  ASSERT_TRUE(answers.acceleration) << answers.acceleration.why_not();
  EXPECT_EQ(answers.acceleration->at("roce_adp_retrans_en"), 1U);
}

TEST_F(FirmwareToolsTest, AnOldOneTellsWhatItKnows) {
  Install("mstconfig", kOldTable);
  Install("mstreg", kUnknownRegister);
  const FirmwareAnswers answers = Ask();
  ASSERT_TRUE(answers.settings) << answers.settings.why_not();
  EXPECT_EQ(answers.settings->at("NUM_OF_VFS").next_boot, "16");
  EXPECT_EQ(answers.settings->at("NUM_OF_VFS").current, "");
  EXPECT_THAT(answers.acceleration.why_not(), HasSubstr("mstreg failed"));
}

TEST_F(FirmwareToolsTest, OneWithoutTheOtherTellsItsPart) {
  Install("mstconfig", kNewTable);
  const FirmwareAnswers answers = Ask();
  EXPECT_TRUE(answers.settings);
  EXPECT_THAT(answers.acceleration.why_not(), HasSubstr("mstreg is not installed"));
}

TEST_F(FirmwareToolsTest, OneThatHangsIsNotWaitedFor) {
  Install("mlxconfig", kHangs);
  Install("mlxreg", kHangs);
  const FirmwareAnswers answers = Ask(Milliseconds(50));
  EXPECT_THAT(answers.settings.why_not(), HasSubstr("mlxconfig had not ended"));
  EXPECT_THAT(answers.acceleration.why_not(), HasSubstr("mlxreg had not ended"));
}

TEST_F(FirmwareToolsTest, GarbageIsNotKnown) {
  Install("mstconfig", "#!/bin/sh\nprintf '\\377\\001 Next Boot\\n\\000\\n| 0x\\n'\n");
  Install("mstreg", "#!/bin/sh\n");
  const FirmwareAnswers answers = Ask();
  EXPECT_FALSE(answers.settings);
  EXPECT_FALSE(answers.acceleration);
}

}  // namespace
}  // namespace fairlead::deviceplugin
