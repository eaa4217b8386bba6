#include "deviceplugin/publish/node_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "common/base/file.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;
using testing::Not;

class NodeFilesTest : public testing::Test {
 protected:
  NodeFilesTest() {
    config_.cdi = true;
    config_.cdi_directory = Path("cdi");
    config_.nfd_feature_file = Path("features.d/fairlead");
    std::filesystem::create_directory(Path("cdi"));
    std::filesystem::create_directory(Path("features.d"));
    for (const char* name : {"a", "b"}) {
      WatchedHca& watched = state_.watched.emplace_back();
      watched.id = name;
      watched.hca.name = name;
      watched.hca.uverbs = "uverbs-" + watched.id;
      watched.hca.ports.resize(1);
    }
    state_.inventory.rdma_cm = true;
  }

  std::string Path(const std::string& name) const { return (directory_.path() / name).string(); }
  std::string Cdi() const { return Text(Path("cdi/fairlead.dev-hca.json")); }
  std::string Nfd() const { return Text(config_.nfd_feature_file); }
  static std::string Text(const std::string& path) {
    return ReadFile(path, 1 << 20).value_or(std::string());
  }

  const TempDirectory directory_;
  DevicepluginConfig config_;
  NodeState state_;
};

TEST_F(NodeFilesTest, FollowTheDevicesThatAreThere) {
  NodeFiles files(config_);
  files.Publish(state_, config_);
  EXPECT_THAT(Cdi(), HasSubstr("/dev/infiniband/uverbs-a"));
  EXPECT_THAT(Cdi(), HasSubstr("/dev/infiniband/uverbs-b"));
  EXPECT_THAT(Cdi(), HasSubstr("/dev/infiniband/rdma_cm"));
  EXPECT_THAT(Nfd(), HasSubstr("fairlead.dev/hca.count=2\n"));

  // One that has vanished is still listed, but its node may be another device's by now.
  state_.watched[0].present = false;
  state_.watched[1].healthy = false;
  files.Publish(state_, config_);
  EXPECT_THAT(Cdi(), Not(HasSubstr("uverbs-a")));
  EXPECT_THAT(Cdi(), HasSubstr("uverbs-b"));
  EXPECT_THAT(Nfd(), HasSubstr("fairlead.dev/hca.count=1\nfairlead.dev/hca.healthy=0\n"));

  // Without a node nothing can be handed out; a specification without devices is none.
  state_.watched[1].hca.uverbs.clear();
  files.Publish(state_, config_);
  EXPECT_TRUE(std::filesystem::is_empty(Path("cdi")));
  EXPECT_THAT(Nfd(), HasSubstr("fairlead.dev/hca.count=1\n"));
}

TEST_F(NodeFilesTest, CdiComesAndGoesWithTheConfiguration) {
  NodeFiles files(config_);
  config_.cdi = false;
  files.Publish(state_, config_);
  EXPECT_TRUE(std::filesystem::is_empty(Path("cdi")));
  config_.cdi = true;
  files.Publish(state_, config_);
  EXPECT_THAT(Cdi(), HasSubstr("uverbs-a"));
  config_.cdi = false;
  files.Publish(state_, config_);
  EXPECT_TRUE(std::filesystem::is_empty(Path("cdi")));
}

TEST_F(NodeFilesTest, WhatAnEarlierRunLeftIsReplaced) {
  directory_.Write("cdi/fairlead.dev-hca.json", "old");
  directory_.Write("features.d/fairlead", "old");
  NodeFiles(config_).Publish(state_, config_);
  EXPECT_THAT(Cdi(), HasSubstr("uverbs-a"));
  EXPECT_THAT(Nfd(), HasSubstr("hca.count=2"));
  directory_.Write("cdi/fairlead.dev-hca.json", "old");
  config_.cdi = false;
  NodeFiles(config_).Publish(state_, config_);
  EXPECT_TRUE(std::filesystem::is_empty(Path("cdi")));
}

TEST_F(NodeFilesTest, WhatSomebodyRemovesIsWrittenAgain) {
  NodeFiles files(config_);
  EXPECT_TRUE(files.Intact());
  files.Publish(state_, config_);
  EXPECT_TRUE(files.Intact());
  for (const std::string& path : {Path("cdi/fairlead.dev-hca.json"), config_.nfd_feature_file}) {
    std::filesystem::remove(path);
    EXPECT_FALSE(files.Intact());
    testing::internal::CaptureStderr();
    files.Publish(state_, config_);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(path));
    EXPECT_TRUE(files.Intact());
    EXPECT_NE(Text(path), "");
  }
}

TEST_F(NodeFilesTest, NoFeatureFileUnlessConfigured) {
  config_.nfd_feature_file.clear();
  NodeFiles(config_).Publish(state_, config_);
  EXPECT_TRUE(std::filesystem::is_empty(Path("features.d")));
}

TEST_F(NodeFilesTest, AreWrittenOnceTheirDirectoriesAreThere) {
  std::filesystem::remove(Path("cdi"));
  std::filesystem::remove(Path("features.d"));
  NodeFiles files(config_);
  testing::internal::CaptureStderr();
  files.Publish(state_, config_);
  files.Publish(state_, config_);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(Cdi() + Nfd(), "");
  // Each tells its failure once.
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 2) << log;
  EXPECT_THAT(log, HasSubstr(Path("cdi/fairlead.dev-hca.json")));
  EXPECT_THAT(log, HasSubstr(config_.nfd_feature_file));
  EXPECT_THAT(log, HasSubstr("or set deviceplugin.cdiDirectory"));
  EXPECT_THAT(log, HasSubstr("or set deviceplugin.nfdFeatureFile"));
  EXPECT_EQ(files.failures().cdi, 2U);
  EXPECT_EQ(files.failures().nfd, 2U);
  std::filesystem::create_directory(Path("cdi"));
  std::filesystem::create_directory(Path("features.d"));
  files.Publish(state_, config_);
  EXPECT_THAT(Cdi(), HasSubstr("uverbs-a"));
  EXPECT_THAT(Nfd(), HasSubstr("hca.count=2"));
  EXPECT_EQ(files.failures().cdi, 2U);
  EXPECT_EQ(files.failures().nfd, 2U);
}

}  // namespace
}  // namespace fairlead::deviceplugin
