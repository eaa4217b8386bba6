#include "deviceplugin/discovery/port_states.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "deviceplugin/discovery/read_inventory.h"
#include "tests/deviceplugin/discovery/manifest_files.h"

namespace fairlead::deviceplugin {
namespace {

bool AnyDiffers(const HostFiles& files, const NodeInventory& inventory) {
  return std::any_of(inventory.hcas.begin(), inventory.hcas.end(),
                     [&](const Hca& hca) { return PortStatesDiffer(files, hca); });
}

TEST(PortStatesDiffer, OnlyWhenAStateIsAnotherOne) {
  const std::string port = "/sys/devices/pci0000:15/0000:15:01.0/0000:18:00.0/infiniband/ibp24s0/";
  const struct {
    const char* change;
    bool differs;
  } kCases[] = {{"ports/1/state = 4: ACTIVE", false},
                {"ports/1/state = 1: DOWN", true},
                {"ports/1/phys_state = 2: Polling", true},
                {"ports/1/state !ENODEV", true},
                {"ports/1/state = what", true},
                {"ports/1/lid = 0x1c", false},
                {"fw_ver = 28.40.0", false}};
  const ManifestFiles whole = ManifestFiles::Load("tests/testdata/hosts/infiniband.txt");
  const NodeInventory inventory = ReadInventory(whole, {});
  for (const auto& c : kCases) {
    ManifestFiles files = whole;
    files.Change(port + c.change);
    EXPECT_EQ(AnyDiffers(files, inventory), c.differs) << c.change;
    // Once it has been read again there is nothing new, not even in what cannot be read.
    EXPECT_FALSE(AnyDiffers(files, ReadInventory(files, {}))) << c.change;
  }
  ManifestFiles gone = whole;
  gone.Remove("/sys/class/infiniband/ibp24s0");
  EXPECT_TRUE(AnyDiffers(gone, inventory));
  EXPECT_FALSE(AnyDiffers(gone, {}));
}

}  // namespace
}  // namespace fairlead::deviceplugin
