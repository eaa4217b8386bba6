// deploy/fairlead.yaml says which values are defaults; people copy from it.
#include <gtest/gtest.h>

#include <string>

#include "common/base/file.h"
#include "common/config/parse.h"

namespace fairlead {
namespace {

class ShippedExample : public testing::Test {
 protected:
  void SetUp() override {
    const auto text = ReadFile("deploy/fairlead.yaml", 1U << 20);
    ASSERT_TRUE(text) << text.error().message;
    const auto parsed = ParseConfig(*text, "deploy/fairlead.yaml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    shipped = *parsed;
  }

  Config shipped;
  const Config defaults;
};

TEST_F(ShippedExample, DetectorKeysAreTheDefaults) {
  EXPECT_EQ(shipped.detector, defaults.detector);
}

TEST_F(ShippedExample, ProgramKeysAreTheDefaults) {
  const LinkprobeConfig& probe = shipped.linkprobe;
  EXPECT_EQ(probe.session_listen.port, defaults.linkprobe.session_listen.port);
  EXPECT_EQ(probe.ops_listen.port, defaults.linkprobe.ops_listen.port);
  EXPECT_EQ(probe.udp_listen.port, defaults.linkprobe.udp_listen.port);
  EXPECT_EQ(probe.transport, defaults.linkprobe.transport);
  EXPECT_EQ(probe.traffic_class, defaults.linkprobe.traffic_class);
  EXPECT_EQ(probe.paths, defaults.linkprobe.paths);
  EXPECT_EQ(probe.probes_per_second, defaults.linkprobe.probes_per_second);
  EXPECT_EQ(probe.report_window, defaults.linkprobe.report_window);
  EXPECT_EQ(probe.report_interval, defaults.linkprobe.report_interval);
  const ExtenderConfig& extender = shipped.extender;
  EXPECT_EQ(extender.http_listen.port, defaults.extender.http_listen.port);
  EXPECT_EQ(extender.grpc_listen.port, defaults.extender.grpc_listen.port);
  EXPECT_EQ(extender.ops_listen.port, defaults.extender.ops_listen.port);
  EXPECT_EQ(extender.representatives_per_site, defaults.extender.representatives_per_site);
  EXPECT_EQ(extender.neighbours_in_site, defaults.extender.neighbours_in_site);
  EXPECT_EQ(extender.stale_after, defaults.extender.stale_after);
  EXPECT_EQ(extender.gang_ttl, defaults.extender.gang_ttl);
  EXPECT_EQ(shipped.site_node_label, defaults.site_node_label);
}

}  // namespace
}  // namespace fairlead
