// The files on a real file system: names, what stays when one cannot be written, what is removed.
#include "deviceplugin/nccl_conf/conf_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "common/base/file.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Ids = std::vector<std::string>;

constexpr MonotonicTime kNow{Seconds(10'000)};
constexpr WallTime kWallNow{Seconds(1'800'000'000)};
constexpr std::string_view kText = "# NCCL's settings of a container with rdma/hca: mlx5_0:1.\n";

TEST(ConfFileName, IsTheSameInAnyOrderAndOfEachContainerAnother) {
  EXPECT_EQ(ConfFileName("rdma/hca", Ids{"0000-3b-00-0-s0"}), "RDMA_HCA.0000-3b-00-0-s0.conf");
  EXPECT_NE(ConfFileName("rdma/hca-bulk", Ids{"0000-3b-00-0-s0"}),
            ConfFileName("rdma/hca", Ids{"0000-3b-00-0-s0"}));
  EXPECT_EQ(ConfFileName("rdma/hca", Ids{"b", "a"}), ConfFileName("rdma/hca", Ids{"a", "b"}));
  EXPECT_NE(ConfFileName("rdma/hca", Ids{"a", "b"}), ConfFileName("rdma/hca", Ids{"a", "c"}));
  EXPECT_NE(ConfFileName("rdma/hca", Ids{"a"}), ConfFileName("rdma/hca", Ids{"a", "a"}));
  EXPECT_THAT(ConfFileName("rdma/hca", Ids{"a", "b"}), testing::StartsWith("RDMA_HCA.a+1."));
  Ids many;
  for (int i = 0; i < 256; ++i) many.push_back(std::string(60, 'x') + std::to_string(i));
  EXPECT_LE(ConfFileName("example.com/" + std::string(63, 'n'), many).size(), 245U);
}

class ConfFilesTest : public testing::Test {
 protected:
  std::string Contents(const std::string& name) {
    const auto text = ReadFile(files_.PathOf(name), 65536);
    return text ? *text : "(" + text.error().message + ")";
  }
  Ids Names() {
    Ids names;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // As if it had been written so long before kWallNow.
  void Age(const std::string& name, Seconds age) {
    const timespec at{.tv_sec = (kWallNow.time_since_epoch() - age) / Seconds(1), .tv_nsec = 0};
    const timespec times[] = {at, at};
    ASSERT_EQ(utimensat(AT_FDCWD, files_.PathOf(name).c_str(), times, 0), 0);
  }
  const TempDirectory temp_;
  const fs::path directory_ = temp_.path() / "confs";
  ConfFiles files_{directory_};
};

TEST_F(ConfFilesTest, MakesItsDirectoryAndReplacesFilesWhole) {
  ASSERT_TRUE(files_.Write("a.conf", "old"));
  struct stat first {};
  ASSERT_EQ(stat(files_.PathOf("a.conf").c_str(), &first), 0);
  ASSERT_TRUE(files_.Write("a.conf", "new"));
  struct stat second {};
  ASSERT_EQ(stat(files_.PathOf("a.conf").c_str(), &second), 0);
  EXPECT_NE(first.st_ino, second.st_ino) << "a container that runs keeps what it mounted";
  EXPECT_EQ(second.st_mode & 0777U, 0644U);
  EXPECT_EQ(Contents("a.conf"), "new");
  EXPECT_THAT(Names(), ElementsAre("a.conf"));
  EXPECT_EQ(files_.counts().written, 2U);
}

TEST_F(ConfFilesTest, TakesThePlaceOfADirectoryThatARuntimeMade) {
  fs::create_directories(directory_ / "a.conf");
  ASSERT_TRUE(files_.Write("a.conf", "text"));
  EXPECT_EQ(Contents("a.conf"), "text");
}

TEST_F(ConfFilesTest, CountsWhatCannotBeWrittenAndWhetherThereIsALastOne) {
  // A file in its place, so that nothing can be written below it, also not by root.
  temp_.Write("confs", "in the way");
  const Status none = files_.Write("a.conf", "text");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr(directory_.string()));
  EXPECT_EQ(files_.counts().without, 1U);
  EXPECT_EQ(files_.counts().kept, 0U);
}

TEST_F(ConfFilesTest, AWriteThatFailsLeavesTheLastGoodFile) {
  ASSERT_TRUE(files_.Write("a.conf", "good"));
  // Where the new bytes would be written first.
  fs::create_directory(directory_ / ".a.conf.new");
  ASSERT_FALSE(files_.Write("a.conf", "new"));
  EXPECT_EQ(Contents("a.conf"), "good");
  EXPECT_EQ(files_.counts().kept, 1U);
  fs::remove(directory_ / ".a.conf.new");
  ASSERT_TRUE(files_.Write("a.conf", "new"));
  EXPECT_EQ(Contents("a.conf"), "new");
}

PodHoldings Holds(const Ids& ids, MonotonicTime read_at = kNow) {
  PodHoldings holdings;
  for (const std::string& id : ids) {
    holdings.holdings.push_back({.pod_namespace = "team",
                                 .pod = "trainer-" + id,
                                 .container = "main",
                                 .resource = "rdma/hca",
                                 .device_ids = {id}});
  }
  holdings.read_at = read_at;
  return holdings;
}

TEST_F(ConfFilesTest, RemovesWhatNobodyHoldsAnyMore) {
  for (const char* id : {"a", "b", "c"}) {
    const std::string name = ConfFileName("rdma/hca", Ids{id});
    ASSERT_TRUE(files_.Write(name, kText));
    Age(name, Seconds(std::string_view(id) == "c" ? 100 : 1000));
  }
  temp_.Write("confs/.RDMA_HCA.a.conf.new", "# NCCL's sett");  // of a run that was killed
  Age(".RDMA_HCA.a.conf.new", Seconds(1000));
  temp_.Write("confs/README", "not ours");
  Age("README", Seconds(1000));
  files_.Tidy(Holds({"a"}), kNow, kWallNow);
  EXPECT_THAT(Names(), ElementsAre("RDMA_HCA.a.conf", "RDMA_HCA.c.conf", "README"))
      << "b is held by nobody; c may be held by a container of which kubelet has not told yet";
}

TEST_F(ConfFilesTest, RemovesNothingWhileKubeletDoesNotTell) {
  ASSERT_TRUE(files_.Write("RDMA_HCA.a.conf", kText));
  Age("RDMA_HCA.a.conf", Seconds(1000));
  files_.Tidy(PodHoldings(), kNow, kWallNow);
  files_.Tidy(Holds({}, kNow - Seconds(61)), kNow, kWallNow);
  EXPECT_THAT(Names(), ElementsAre("RDMA_HCA.a.conf"));
  files_.Tidy(Holds({}), kNow, kWallNow);
  EXPECT_THAT(Names(), IsEmpty());
}

// Whoever names /etc as the directory keeps what is there.
TEST_F(ConfFilesTest, LeavesTheFilesOfOthersAlone) {
  ASSERT_TRUE(files_.Write("RDMA_HCA.a.conf", kText));
  temp_.Write("confs/resolv.conf", "nameserver 192.0.2.1\n");
  temp_.Write("confs/empty.conf", "");
  temp_.Write("confs/.other.conf.new", "theirs");
  const Ids all{".other.conf.new", "RDMA_HCA.a.conf", "empty.conf", "resolv.conf"};
  ASSERT_THAT(Names(), testing::ElementsAreArray(all));
  for (const std::string& name : all) Age(name, Seconds(1000));
  files_.Tidy(Holds({}), kNow, kWallNow);
  EXPECT_THAT(Names(), ElementsAre(".other.conf.new", "empty.conf", "resolv.conf"));
}

TEST_F(ConfFilesTest, HasNothingToTidyWithoutADirectory) {
  files_.Tidy(Holds({}), kNow, kWallNow);
  EXPECT_FALSE(fs::exists(directory_));
}

}  // namespace
}  // namespace fairlead::deviceplugin
