// No single bad file may hide a device, whatever file it is and however it is bad.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "deviceplugin/discovery/read_inventory.h"
#include "deviceplugin/inventory/device_id.h"
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

constexpr const char* kPorts =
    "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/infiniband/mlx5_0/ports/";

NodeInventory Changed(const std::vector<std::string>& lines) {
  ManifestFiles files = ManifestFiles::Load("tests/testdata/hosts/connectx-dual-port.txt");
  for (const std::string& line : lines) files.Change(line);
  return ReadInventory(files, {});
}

TEST(BadNames, PortsThatAreNoneAreLeftOutWithAWord) {
  std::vector<std::string> lines;
  for (const std::string name : {"0", "01", "0x1", "256", "4294967297", "-1", "x"}) {
    lines.push_back(kPorts + name + "/state = 4: ACTIVE");
  }
  const NodeInventory inventory = Changed(lines);
  ASSERT_EQ(inventory.hcas[0].ports.size(), 1U);
  EXPECT_EQ(inventory.hcas[0].ports[0].number, 1U);
  ASSERT_EQ(inventory.hcas[0].problems.size(), lines.size());
  EXPECT_EQ(inventory.hcas[0].problems.front(),
            "Port \"-1\" of mlx5_0 is none; ports are 1 to 255.");
}

TEST(BadNames, GidPlacesThatAreNoneAreLeftOutWithAWord) {
  const NodeInventory before = Changed({});
  std::vector<std::string> lines;
  for (const std::string name : {"01", "0x1", "65536", "4294967296", "-1", "x"}) {
    lines.push_back(std::string(kPorts) + "1/gids/" + name +
                    " = 0000:0000:0000:0000:0000:ffff:0a09:0909");
    lines.push_back(std::string(kPorts) + "1/gid_attrs/types/" + name + " = RoCE v2");
  }
  const NodeInventory after = Changed(lines);
  EXPECT_EQ(after.hcas[0].ports[0].gids.size(), before.hcas[0].ports[0].gids.size());
  EXPECT_EQ(after.hcas[0].ports[0].gid_table_length, before.hcas[0].ports[0].gid_table_length);
  EXPECT_EQ(after.hcas[0].problems.size(), lines.size() / 2);
}

TEST(BadNames, AnHcaThatNoListCanHoldIsLeftOutWithAWord) {
  for (const std::string name :
       {"a,b", "a:1", "=a", "^a", "a;b", "\xff", "\x1b[31m", "a\"", "(a)"}) {
    const NodeInventory inventory =
        Changed({"/sys/class/infiniband/" + name + "/node_type = 1: CA",
                 "/sys/class/infiniband/" + name + "/ports/1/state = 4: ACTIVE"});
    EXPECT_EQ(NamesOf(inventory), (std::vector<std::string>{"mlx5_0", "mlx5_1"})) << name;
    ASSERT_EQ(inventory.problems.size(), 1U) << name;
    EXPECT_TRUE(inventory.problems[0].find("rdma dev set") != std::string::npos);
    for (const char c : inventory.problems[0]) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  }
}

// Another tree after so many questions, as where a device goes while it is read.
class TreeThatChanges final : public HostFiles {
 public:
  TreeThatChanges(const ManifestFiles& first, const ManifestFiles& then, int after)
      : first_(first), then_(then), left_(after) {}
  FileResult<std::string> Read(const std::string& path) const override { return Now().Read(path); }
  FileResult<std::vector<std::string>> List(const std::string& path) const override {
    return Now().List(path);
  }
  FileResult<std::string> Resolve(const std::string& path) const override {
    return Now().Resolve(path);
  }
  FileResult<FileKind> Kind(const std::string& path) const override { return Now().Kind(path); }
  bool changed() const { return left_ < 0; }

 private:
  const ManifestFiles& Now() const { return left_-- > 0 ? first_ : then_; }

  const ManifestFiles& first_;
  const ManifestFiles& then_;
  mutable int left_;
};

// An id that only half a device has would be listed, and kept as one that has vanished.
TEST(DeviceThatGoesWhileItIsRead, HasItsOwnIdOrIsNotThere) {
  for (const std::string host : {"connectx-dual-port", "subfunctions"}) {
    const ManifestFiles whole = ManifestFiles::Load("tests/testdata/hosts/" + host + ".txt");
    const std::vector<std::string> ids = HcaIds(ReadInventory(whole, {}).hcas);
    const std::string last = ReadInventory(whole, {}).hcas.back().name;
    // The kernel's order: the link to the device, the class entry, the rest.
    const std::string entry = "/sys/class/infiniband/" + last;
    ManifestFiles unlinked = whole;
    unlinked.Remove(*whole.Resolve(entry) + "/device");
    ManifestFiles gone = unlinked;
    gone.Remove(entry);
    using Trees = std::pair<const ManifestFiles*, const ManifestFiles*>;
    for (const auto& [first, then] :
         {Trees(&whole, &unlinked), Trees(&whole, &gone), Trees(&unlinked, &gone)}) {
      bool changed = true;
      for (int after = 0; changed; after += 29) {  // each would take a minute
        const TreeThatChanges files(*first, *then, after);
        for (const std::string& id : HcaIds(ReadInventory(files, {}).hcas)) {
          EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << host << id << after;
        }
        changed = files.changed();
      }
    }
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
