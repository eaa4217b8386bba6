#include "deviceplugin/discovery/rooted_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "deviceplugin/discovery/read_inventory.h"
#include "tests/deviceplugin/discovery/describe_inventory.h"
#include "tests/deviceplugin/discovery/host_directory.h"
#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;

class RootedFilesTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& content) {
    directory_.Write(path, content);
  }

  const HostDirectory directory_;
  const std::string& root_ = directory_.root();
};

TEST_F(RootedFilesTest, ReadsBelowItsRoot) {
  Write("/sys/a/state", "4: ACTIVE\n");
  Write("/sys/b/x", "");
  fs::create_symlink("../a", root_ + "/sys/b/link");
  const RootedFiles files(root_ + "//");
  EXPECT_EQ(files.Read("/sys/b/link/state"), "4: ACTIVE\n");
  EXPECT_EQ(files.Read("/sys/b/x"), "");
  EXPECT_EQ(files.List("/sys/b"), (std::vector<std::string>{"link", "x"}));
  EXPECT_EQ(files.Resolve("/sys/b/link"), "/sys/a");
  EXPECT_EQ(files.Kind("/sys/b/link"), FileKind::kDirectory);
  EXPECT_EQ(files.Kind("/sys/a/state"), FileKind::kRegular);
}

TEST_F(RootedFilesTest, ReadsManyOfADirectoryAsOneByOne) {
  Write("/sys/gids/0", "fe80::1\n");
  Write("/sys/gids/1", std::string(65537, 'x'));
  Write("/sys/gids/2", std::string(8192, 'x'));
  Write("/sys/gids/3", "");
  const std::vector<std::string> names{"0", "none", "1", "2", "3", "."};
  const RootedFiles files(root_);
  const auto texts = files.ReadEach("/sys/gids", names);
  ASSERT_EQ(texts.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(texts[i], files.Read("/sys/gids/" + names[i])) << names[i];
  }
  EXPECT_EQ(texts, files.HostFiles::ReadEach("/sys/gids", names));
  EXPECT_EQ(files.ReadEach("/sys/other", names), files.HostFiles::ReadEach("/sys/other", names));
}

TEST_F(RootedFilesTest, TellsWhatWentWrong) {
  Write("/sys/huge", std::string(65537, 'x'));
  Write("/sys/large", std::string(65536, 'x'));
  ASSERT_EQ(mkfifo((root_ + "/sys/pipe").c_str(), 0600), 0);
  fs::create_symlink("/usr", root_ + "/sys/out");
  const RootedFiles files(root_);
  EXPECT_EQ(files.Read("/sys/large")->size(), 65536U);
  EXPECT_EQ(files.Read("/sys/huge").error().error_number, EFBIG);
  EXPECT_EQ(files.Read("/sys/pipe").error().error_number, ENXIO);
  EXPECT_EQ(files.Read("/sys").error().error_number, EISDIR);
  EXPECT_EQ(files.Read("/sys/none").error().error_number, ENOENT);
  EXPECT_EQ(files.List("/sys/huge").error().error_number, ENOTDIR);
  EXPECT_EQ(files.Resolve("/sys/out").error().error_number, EXDEV);
  EXPECT_EQ(files.Kind("/sys/pipe"), FileKind::kOther);
  EXPECT_EQ(Describe(files.Read("/sys/none").error()),
            "Cannot read \"/sys/none\": no such file or directory (errno 2).");
}

// The process has no descriptor left, which tells nothing of the host.
TEST_F(RootedFilesTest, CountsWhatItCouldNotHaveForWantOfDescriptors) {
  Write("/sys/a", "text");
  const RootedFiles files(root_);
  EXPECT_EQ(files.Read("/sys/none").error().error_number, ENOENT);
  EXPECT_EQ(files.starved(), 0U);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto text = files.Read("/sys/a");
  const auto names = files.List("/sys");
  const auto many = files.ReadEach("/sys", {"a"});
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(text.error().error_number, EMFILE);
  EXPECT_EQ(names.error().error_number, EMFILE);
  EXPECT_EQ(many[0].error().error_number, EMFILE);
  EXPECT_EQ(files.starved(), 3U);
  EXPECT_EQ(files.Read("/sys/a"), "text");
}

TEST_F(RootedFilesTest, SeesTheDevicesOfTheMachine) {
  EXPECT_EQ(RootedFiles("").Kind("/dev/null"), FileKind::kCharacterDevice);
  EXPECT_EQ(RootedFiles("/").Kind("/dev/null"), FileKind::kCharacterDevice);
  EXPECT_EQ(RootedFiles("/").Resolve("/dev/../proc"), "/proc");
  EXPECT_EQ(RootedFiles("/").Read("/dev/null").error().error_number, ENXIO);
}

// The two kinds of files must not differ in what they make of a host. Where the manifest refuses a
// read there is no file here, which the kernel's old ways of saying "empty" allow too.
TEST_F(RootedFilesTest, ReadsAWholeHostAsItsManifest) {
  ManifestFiles manifest = ManifestFiles::Load("tests/testdata/hosts/ipv6-only.txt");
  for (const auto& [path, content] : manifest.RegularFiles()) Write(path, content);
  const std::string device = "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0";
  fs::create_directories(root_ + "/sys/bus/pci/drivers/mlx5_core");
  fs::create_directories(root_ + "/sys/class/net");
  fs::create_directories(root_ + "/sys/class/infiniband");
  fs::create_directories(root_ + "/dev/infiniband");
  fs::create_symlink("../../../../bus/pci/drivers/mlx5_core", root_ + device + "/driver");
  fs::create_symlink("../../../0000:3b:00.0", root_ + device + "/infiniband/mlx5_0/device");
  fs::create_symlink("../../../0000:3b:00.0", root_ + device + "/net/eth0/device");
  fs::create_symlink("../.." + device.substr(4) + "/net/eth0", root_ + "/sys/class/net/eth0");
  fs::create_symlink("../.." + device.substr(4) + "/infiniband/mlx5_0",
                     root_ + "/sys/class/infiniband/mlx5_0");
  fs::create_symlink("/dev/null", root_ + "/dev/infiniband/uverbs0");
  fs::create_symlink("/dev/null", root_ + "/dev/infiniband/rdma_cm");
  EXPECT_EQ(DescribeInventory(ReadInventory(RootedFiles(root_), {})),
            DescribeInventory(ReadInventory(manifest, {})));
}

}  // namespace
}  // namespace fairlead::deviceplugin
