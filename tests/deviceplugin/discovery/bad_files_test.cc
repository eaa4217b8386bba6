// No single bad file may hide a device, whatever file it is and however it is bad.
#include <gtest/gtest.h>

#include <regex>

#include "deviceplugin/discovery/read_inventory.h"
#include "tests/deviceplugin/discovery/describe_inventory.h"
#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {
namespace {

std::vector<std::string> NamesOf(const NodeInventory& inventory) {
  std::vector<std::string> names;
  for (const Hca& hca : inventory.hcas) names.push_back(hca.name);
  return names;
}

// Whether a change may go without a word: a table's places that say EINVAL are empty, many files
// may be empty, few drivers name their ports, and a firmware or a network device of another
// namespace may be called anything.
bool MayBeSilent(const std::string& path, const std::string& way) {
  const bool free_text = path.ends_with("/fw_ver") || path.ends_with("/board_id") ||
                         path.ends_with("/phys_port_name") ||
                         path.find("/ndevs/") != std::string::npos || path.ends_with("/operstate");
  return way == "=" || way == "!EINVAL" || (way == "= nonsense" && free_text);
}

std::vector<std::string> Problems(const NodeInventory& inventory) {
  std::vector<std::string> problems = inventory.problems;
  for (const Hca& hca : inventory.hcas) {
    problems.insert(problems.end(), hca.problems.begin(), hca.problems.end());
  }
  return problems;
}

class OneBadFile : public testing::TestWithParam<std::string> {};

TEST_P(OneBadFile, HidesNoDevice) {
  // One of each kind is enough: not every empty place of a table, not the second of two like
  // devices.
  const std::regex another(".*(/gids/([0-9][0-9]|[4-9])|sf[.]3|S89|sf89|s89|ibp42s0|ibs1).*");
  for (const std::string host : {"subfunctions", "infiniband"}) {
    const ManifestFiles whole = ManifestFiles::Load("tests/testdata/hosts/" + host + ".txt");
    const NodeInventory before = ReadInventory(whole, {});
    ASSERT_FALSE(before.hcas.empty());
    ASSERT_TRUE(Problems(before).empty());
    for (const auto& [path, content] : whole.RegularFiles()) {
      if (std::regex_match(path, another)) continue;
      ManifestFiles files = whole;
      files.Change(path + " " + GetParam());
      const NodeInventory after = ReadInventory(files, {});
      EXPECT_EQ(NamesOf(after), NamesOf(before)) << path;
      for (std::size_t i = 0; i < after.hcas.size(); ++i) {
        EXPECT_EQ(after.hcas[i].ports.size(), before.hcas[i].ports.size()) << path;
      }
      const std::vector<std::string> problems = Problems(after);
      for (const std::string& problem : problems) EXPECT_TRUE(problem.ends_with('.')) << problem;
      if (DescribeInventory(after) != DescribeInventory(before) && !MayBeSilent(path, GetParam())) {
        EXPECT_FALSE(problems.empty()) << path;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, OneBadFile,
                         testing::Values("!EACCES", "!EIO", "!EINVAL", "!EFBIG", "=", "char",
                                         "= \\xff\\x00\\xfe", "= nonsense"));

TEST(MissingPieces, CostOnlyThemselves) {
  const ManifestFiles whole = ManifestFiles::Load("tests/testdata/hosts/connectx-dual-port.txt");
  for (const char* path :
       {"/sys/class/net", "/sys/class/infiniband_verbs", "/sys/class/infiniband_mad", "/dev",
        "/sys/bus", "/sys/class/infiniband/mlx5_0/ports",
        "/sys/devices/pci0000:3a/0000:3a:00.0/"
        "0000:3b:00.0/infiniband/mlx5_0/ports/1/gids"}) {
    ManifestFiles files = whole;
    files.Remove(path);
    EXPECT_EQ(NamesOf(ReadInventory(files, {})), (std::vector<std::string>{"mlx5_0", "mlx5_1"}))
        << path;
  }
}

TEST(DriverThatComesLater, FillsIn) {
  ManifestFiles files = ManifestFiles::Load("tests/testdata/hosts/ipv6-only.txt");
  const ManifestFiles whole = files;
  files.Remove("/sys/class/infiniband");
  files.Remove("/sys/class/infiniband_verbs");
  EXPECT_TRUE(ReadInventory(files, {}).hcas.empty());
  EXPECT_TRUE(ReadInventory(files, {}).problems.empty());
  EXPECT_EQ(ReadInventory(whole, {}).hcas.size(), 1U);
}

}  // namespace
}  // namespace fairlead::deviceplugin
