#include "deviceplugin/inventory/device_id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace fairlead::deviceplugin {
namespace {

Hca Named(std::string name) {
  Hca hca;
  hca.name = std::move(name);
  hca.uverbs = "uverbs0";
  return hca;
}

Hca At(std::string name, std::string_view pci) {
  Hca hca = Named(std::move(name));
  hca.pci = ParsePci(pci).value();
  hca.function = PciFunction::kPhysical;
  return hca;
}

// RFC 1123: at most 63 of a-z, 0-9 and '-', with neither end a '-'.
bool IsLabel(const std::string& id) {
  return !id.empty() && id.size() <= 63 && id.front() != '-' && id.back() != '-' &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

TEST(DeviceId, IsThePciAddressWhereThereIsOne) {
  EXPECT_EQ(HcaId(At("mlx5_0", "0000:3b:00.0")), "0000-3b-00-0");
  EXPECT_EQ(HcaId(At("mlx5_0", "10000:01:00.7")), "10000-01-00-7");
  Hca sub = At("rocep6s0f0S88", "0000:06:00.0");
  sub.function = PciFunction::kSubfunction;
  sub.subfunction = 88;
  EXPECT_EQ(HcaId(sub), "0000-06-00-0-sf88");
  EXPECT_EQ(SlotId(HcaId(sub), 2), "0000-06-00-0-sf88-s2");
}

TEST(DeviceId, IsTheNameOtherwise) {
  EXPECT_EQ(HcaId(Named("rxe0")), "rxe0");
  EXPECT_EQ(HcaId(Named("rxe_eth0")), "rxe-eth0");
  EXPECT_EQ(HcaId(Named("siw_br0")), "siw-br0");
  EXPECT_TRUE(HcaId(Named("rxe-eth0")).starts_with("rxe-eth0-x"));
}

// Names that would look alike, or like an identifier of another kind.
TEST(DeviceId, TellsLookalikesApartStably) {
  const std::vector<std::string> names{"rxe_eth0",
                                       "rxe-eth0",
                                       "RXE_eth0",
                                       "rxe.eth0",
                                       "rxe__eth0",
                                       "_rxe_eth0",
                                       "rxe_eth0_",
                                       "rxe",
                                       "rxe_s2",
                                       "rxe_x0123abcd",
                                       "0000_3b_00_0",
                                       "abcd_3b_00_0",
                                       "abcd_3b_00_0_sf1",
                                       "___",
                                       "\xe7\xb6\xb2",
                                       "",
                                       "0",
                                       "a b"};
  std::set<std::string> ids{"0000-3b-00-0", "abcd-3b-00-0", "abcd-3b-00-0-sf1", SlotId("rxe", 2)};
  const std::size_t others = ids.size();
  for (const std::string& name : names) {
    const std::string id = HcaId(Named(name));
    EXPECT_TRUE(IsLabel(id)) << name << " " << id;
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), names.size() + others);
  // Written down, because an upgrade must not change them.
  EXPECT_EQ(HcaId(Named("rxe-eth0")), "rxe-eth0-xdf2b2fc4");
  EXPECT_EQ(HcaId(Named("0000_3b_00_0")), "0000-3b-00-0-xa0002a18");
}

TEST(DeviceId, IsALabelForAnyName) {
  std::mt19937 random(7);
  std::set<std::string> names;
  std::set<std::string> ids;
  for (int i = 0; i < 3000; ++i) {
    std::string name(1 + random() % 63, ' ');
    for (char& c : name) {
      const std::string alphabet = "ab01_-.AZ";
      c = i % 3 == 0 ? static_cast<char>(1 + random() % 255) : alphabet[random() % alphabet.size()];
    }
    const std::string id = HcaId(Named(name));
    EXPECT_TRUE(IsLabel(id)) << id;
    EXPECT_TRUE(IsLabel(SlotId(id, 4294967295U))) << id;
    EXPECT_EQ(id, HcaId(Named(name)));
    names.insert(name);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), names.size());
}

TEST(HcaIds, AreNeverTheSame) {
  std::vector<Hca> hcas{At("mlx5_1", "0000:3b:00.0"), At("mlx5_0", "0000:3b:00.0"),
                        At("smi1", "0000:3b:00.0"), Named("rxe0"), At("mlx5_2", "0000:3b:00.1")};
  hcas[1].uverbs.clear();
  const std::vector<std::string> ids = HcaIds(hcas);
  EXPECT_EQ(ids[0], "0000-3b-00-0");
  EXPECT_TRUE(ids[1].starts_with("0000-3b-00-0-x"));
  EXPECT_TRUE(ids[2].starts_with("0000-3b-00-0-x"));
  EXPECT_EQ(ids[3], "rxe0");
  EXPECT_EQ(ids[4], "0000-3b-00-1");
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(HcaIds, DoNotDependOnTheOrder) {
  std::vector<Hca> hcas{At("a", "0000:3b:00.0"), At("b", "0000:3b:00.0"), At("c", "0000:3b:00.0"),
                        Named("rxe_0"), Named("rxe-0")};
  std::map<std::string, std::string> expected;
  const auto first = HcaIds(hcas);
  for (std::size_t i = 0; i < hcas.size(); ++i) expected[hcas[i].name] = first[i];
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(hcas.begin(), hcas.end(), random);
    const auto ids = HcaIds(hcas);
    for (std::size_t i = 0; i < hcas.size(); ++i) EXPECT_EQ(ids[i], expected[hcas[i].name]);
  }
}

TEST(HcaIds, OneThatIsKnownKeepsItsOwn) {
  const Hca a = At("a", "0000:3b:00.0"), b = At("b", "0000:3b:00.0"), c = At("c", "0000:3b:00.0");
  KnownHcaIds known;
  const auto both = HcaIds(std::vector{a, b});
  known[{HcaId(a), "a"}] = both[0];
  known[{HcaId(b), "b"}] = both[1];
  EXPECT_EQ(HcaIds(std::vector{b}, known), std::vector{both[1]}) << "though it is alone now";
  EXPECT_EQ(HcaIds(std::vector{b, a}, known), (std::vector{both[1], both[0]}));
  // A new one never takes what one that is there has; a renamed one goes on as itself.
  EXPECT_EQ(HcaIds(std::vector{At("0", "0000:3b:00.0"), a}, known)[1], both[0]);
  EXPECT_EQ(HcaIds(std::vector{c, b}, known), (std::vector{both[0], both[1]}));
}

TEST(GpuId, IsTheUuid) {
  Gpu gpu;
  gpu.uuid = "GPU-8F6D0c2a-0001-0203-0405-060708090a0b";
  EXPECT_EQ(GpuId(gpu), "gpu-8f6d0c2a-0001-0203-0405-060708090a0b");
  EXPECT_TRUE(IsLabel(SlotId(GpuId(gpu), 4294967295U)));
  gpu.uuid = "MIG-GPU-8f6d0c2a-0001-0203-0405-060708090a0b/1/0";
  EXPECT_TRUE(IsLabel(GpuId(gpu)));
  const std::string one = GpuId(gpu);
  gpu.uuid = "MIG-GPU-8f6d0c2a-0001-0203-0405-060708090a0b/2/0";
  EXPECT_NE(GpuId(gpu), one);
  gpu.uuid.clear();
  gpu.index = 3;
  EXPECT_EQ(GpuId(gpu), "gpu-3");
  gpu.pci = PciAddress{0, 0x18, 0, 0};
  EXPECT_EQ(GpuId(gpu), "gpu-0000-18-00-0");
}

}  // namespace
}  // namespace fairlead::deviceplugin
