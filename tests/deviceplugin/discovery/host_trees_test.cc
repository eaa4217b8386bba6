// Whole hosts: each manifest in tests/testdata/hosts beside what must be made of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "deviceplugin/discovery/read_inventory.h"
#include "tests/deviceplugin/discovery/describe_inventory.h"
#include "tests/deviceplugin/discovery/manifest_files.h"
#include "tests/deviceplugin/discovery/manifest_gpus.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kHosts = "tests/testdata/hosts";

std::vector<std::string> HostNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kHosts)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class HostTree : public testing::TestWithParam<std::string> {};

TEST_P(HostTree, GivesTheExpectedInventory) {
  const std::string base = std::string(kHosts) + "/" + GetParam();
  const ManifestFiles files = ManifestFiles::Load(base + ".txt");
  NodeInventory inventory = ReadInventory(files, {});
  inventory.gpus = GpusOf(files);
  std::ostringstream expected;
  expected << std::ifstream(base + ".expected").rdbuf();
  EXPECT_EQ(DescribeInventory(inventory), expected.str());
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Hosts, HostTree, testing::ValuesIn(HostNames()), TestName);

}  // namespace
}  // namespace fairlead::deviceplugin
