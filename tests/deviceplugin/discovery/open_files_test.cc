#include "deviceplugin/discovery/open_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/deviceplugin/discovery/host_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;

class OpenFilesTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& content) {
    directory_.Write(path, content);
  }

  const HostDirectory directory_;
  const std::string& root_ = directory_.root();
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

TEST_F(OpenFilesTest, SeesInTimeThatAFolderIsAnotherOne) {
  Write("/sys/mlx5_0/state", "4: ACTIVE\n");
  Write("/sys/mlx5_1/state", "1: DOWN\n");
  EXPECT_EQ(files_.Read("/sys/mlx5_0/state"), "4: ACTIVE\n");
  fs::rename(root_ + "/sys/mlx5_0", root_ + "/sys/mlx5_9");
  fs::rename(root_ + "/sys/mlx5_1", root_ + "/sys/mlx5_0");
  for (int reading = 0; reading < 20; ++reading) (void)files_.Read("/sys/mlx5_0/state");
  EXPECT_EQ(files_.Read("/sys/mlx5_0/state"), "1: DOWN\n");
  fs::rename(root_ + "/sys/mlx5_0", root_ + "/sys/mlx5_1");
  fs::rename(root_ + "/sys/mlx5_9", root_ + "/sys/mlx5_0");
  files_.CloseAll();
  EXPECT_EQ(files_.Read("/sys/mlx5_0/state"), "4: ACTIVE\n");
}

TEST_F(OpenFilesTest, KeepsNoMoreOpenThanItSays) {
  for (std::size_t i = 0; i < 2 * OpenFiles::kMostOpen; ++i) {
    const std::string path = "/sys/" + std::to_string(i);
    Write(path, path);
    EXPECT_EQ(files_.Read(path), path);
    EXPECT_EQ(files_.Read(path), path);
  }
  EXPECT_EQ(files_.CloseUnread(), OpenFiles::kMostOpen);
}

TEST_F(OpenFilesTest, GivesAllBackWhereDescriptorsLack) {
  Write("/sys/a", "a\n");
  Write("/sys/b", "b\n");
  EXPECT_EQ(files_.Read("/sys/a"), "a\n");
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto b = files_.Read("/sys/b");
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(b, tl::unexpected(FileError{EMFILE, "/sys/b"}));
  EXPECT_GT(host_.starved(), 0U);
  EXPECT_EQ(files_.CloseUnread(), 0U);
  EXPECT_EQ(files_.Read("/sys/b"), "b\n");
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
