#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/file.h"
#include "deviceplugin/cdi/cdi_file.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::deviceplugin {
namespace {

using testing::HasSubstr;

std::vector<CdiDevice> OneHca() {
  return {
      {.name = "0000-3b-00-0",
       .nodes = {
           {.container_path = "/dev/infiniband/uverbs0", .host_path = "/dev/infiniband/uverbs0"},
           {.container_path = "/dev/infiniband/rdma_cm", .host_path = "/dev/infiniband/rdma_cm"}}}};
}

TEST(CdiSpec, IsTheDocumentThatRuntimesRead) {
  const auto spec = nlohmann::json::parse(CdiSpec("fairlead.dev/hca", OneHca()));
  const auto expected = nlohmann::json::parse(R"({
    "cdiVersion": "0.5.0", "kind": "fairlead.dev/hca",
    "devices": [{"name": "0000-3b-00-0", "containerEdits": {"deviceNodes": [
      {"path": "/dev/infiniband/uverbs0", "hostPath": "/dev/infiniband/uverbs0", "permissions": "rw"},
      {"path": "/dev/infiniband/rdma_cm", "hostPath": "/dev/infiniband/rdma_cm", "permissions": "rw"}
    ]}}]})");
  EXPECT_EQ(spec, expected);
  EXPECT_EQ(CdiName("fairlead.dev/hca", "0000-3b-00-0"), "fairlead.dev/hca=0000-3b-00-0");
}

class CdiFileTest : public testing::Test {
 protected:
  const TempDirectory temp_;
  const std::string directory_ = temp_.path();
};

TEST_F(CdiFileTest, FollowsTheDevices) {
  CdiFile file(directory_);
  ASSERT_TRUE(file.Publish(OneHca()));
  EXPECT_EQ(ReadFile(file.path(), 1 << 16), CdiSpec(CdiFile::kKind, OneHca()));
  const auto first = std::filesystem::last_write_time(file.path());
  ASSERT_TRUE(file.Publish(OneHca()));
  EXPECT_EQ(std::filesystem::last_write_time(file.path()), first);
  ASSERT_TRUE(file.Publish({}));
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  EXPECT_TRUE(file.Remove());
}

TEST_F(CdiFileTest, SaysWhichPathCannotBeWritten) {
  CdiFile file(directory_ + "/missing");
  const Status status = file.Publish(OneHca());
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("/missing/fairlead.dev-hca.json"));
  std::filesystem::create_directory(directory_ + "/missing");
  EXPECT_TRUE(file.Publish(OneHca()));  // once it can be written it is
}

}  // namespace
}  // namespace fairlead::deviceplugin
