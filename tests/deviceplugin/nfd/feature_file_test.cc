#include "deviceplugin/nfd/feature_file.h"

#include <gmock/gmock.h>

namespace fairlead::deviceplugin {
namespace {

WatchedHca Watched(const std::string& driver, RdmaProtocol protocol, std::uint64_t gigabits,
                   bool healthy, bool present = true) {
  WatchedHca watched;
  watched.hca.driver = driver;
  watched.hca.protocol = protocol;
  watched.hca.ports.resize(1);
  watched.hca.ports[0].rate_bits_per_second = gigabits * 1'000'000'000;
  watched.healthy = healthy;
  watched.present = present;
  return watched;
}

TEST(FeatureFile, CountsWhatIsThere) {
  EXPECT_EQ(FeatureFile({}, NetnsMode::kUnknown),
            "fairlead.dev/hca.count=0\n"
            "fairlead.dev/hca.healthy=0\n");
  const std::vector<WatchedHca> hcas{
      Watched("mlx5_core", RdmaProtocol::kRoce, 400, true),
      Watched("mlx5_core", RdmaProtocol::kInfiniband, 200, false),
      Watched("efa", RdmaProtocol::kEfa, 800, true, false),
  };
  EXPECT_EQ(FeatureFile(hcas, NetnsMode::kShared),
            "fairlead.dev/hca.count=2\n"
            "fairlead.dev/hca.driver.mlx5_core=true\n"
            "fairlead.dev/hca.healthy=1\n"
            "fairlead.dev/hca.protocol.infiniband=true\n"
            "fairlead.dev/hca.protocol.roce=true\n"
            "fairlead.dev/hca.rate-gbps=400\n"
            "fairlead.dev/rdma.netns-mode=shared\n");
}

TEST(FeatureFile, NamesStayLabelsWhateverADriverIsCalled) {
  const std::vector<WatchedHca> hcas{Watched("my driver/x:\n=", RdmaProtocol::kUnknown, 0, true),
                                     Watched("", RdmaProtocol::kUnknown, 0, true)};
  EXPECT_THAT(FeatureFile(hcas, NetnsMode::kExclusive),
              testing::HasSubstr("fairlead.dev/hca.driver.my-driver-x=true\n"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
