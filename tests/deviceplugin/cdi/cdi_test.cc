#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "deviceplugin/cdi/cdi_spec.h"

namespace fairlead::deviceplugin {
namespace {

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

}  // namespace
}  // namespace fairlead::deviceplugin
