#include "deviceplugin/discovery/open_files.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;

class OpenFilesTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& content) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << content;
  }

  const TempDirectory temp_;
  const std::string root_ = temp_.path();
  const RootedFiles host_{root_};
  OpenFiles files_{host_};
};

TEST_F(OpenFilesTest, ReadsWhatIsThereNow) {
  Write("/sys/state", "4: ACTIVE\n");
  EXPECT_EQ(files_.Read("/sys/state"), "4: ACTIVE\n");
  Write("/sys/state", "1: DOWN\n");
  EXPECT_EQ(files_.Read("/sys/state"), "1: DOWN\n");
  Write("/sys/state", std::string(5000, 'x'));
  EXPECT_EQ(files_.Read("/sys/state"), std::string(5000, 'x'));
  EXPECT_EQ(files_.CloseUnread(), 1U);
}

TEST_F(OpenFilesTest, SeesThatAFileIsAnotherOneOrGone) {
  Write("/sys/state", "4: ACTIVE\n");
  EXPECT_EQ(files_.Read("/sys/state"), "4: ACTIVE\n");
  Write("/sys/other", "2: INIT\n");
  fs::rename(root_ + "/sys/other", root_ + "/sys/state");
  EXPECT_EQ(files_.Read("/sys/state"), "2: INIT\n");
  fs::remove(root_ + "/sys/state");
  EXPECT_EQ(files_.Read("/sys/state"), tl::unexpected(FileError{ENOENT, "/sys/state"}));
  EXPECT_EQ(files_.CloseUnread(), 0U);
  Write("/sys/state", "3: ARMED\n");
  EXPECT_EQ(files_.Read("/sys/state"), "3: ARMED\n");
}

TEST_F(OpenFilesTest, FailsAsTheHostsFilesDo) {
  fs::create_directories(root_ + "/sys/folder");
  Write("/sys/large", std::string(65537, 'x'));
  for (const char* path : {"/sys/folder", "/sys/large", "/sys/none", "/sys/large/below"}) {
    EXPECT_EQ(files_.Read(path), host_.Read(path)) << path;
  }
  EXPECT_EQ(files_.CloseUnread(), 0U);
}

TEST_F(OpenFilesTest, ClosesWhatIsNoLongerRead) {
  Write("/sys/a", "a\n");
  Write("/sys/b", "b\n");
  EXPECT_EQ(files_.Read("/sys/a"), "a\n");
  EXPECT_EQ(files_.Read("/sys/b"), "b\n");
  EXPECT_EQ(files_.CloseUnread(), 2U);
  EXPECT_EQ(files_.Read("/sys/b"), "b\n");
  EXPECT_EQ(files_.CloseUnread(), 1U);
  EXPECT_EQ(files_.CloseUnread(), 0U);
}

// What sysfs itself says of one file, read through a descriptor that stays open.
TEST(OpenFilesOfSysfs, AreReadAnewEachTime) {
  const RootedFiles host("");
  const OpenFiles files(host);
  const auto first = files.Read("/sys/class/net/lo/mtu");
  ASSERT_TRUE(first);
  EXPECT_EQ(first, host.Read("/sys/class/net/lo/mtu"));
  EXPECT_EQ(files.Read("/sys/class/net/lo/mtu"), first);
}

}  // namespace
}  // namespace fairlead::deviceplugin
