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
  EXPECT_EQ(probe.plugin_socket, defaults.linkprobe.plugin_socket);
  EXPECT_EQ(probe.bandwidth_ledger, defaults.linkprobe.bandwidth_ledger);
  const ExtenderConfig& extender = shipped.extender;
  EXPECT_EQ(extender.http_listen.port, defaults.extender.http_listen.port);
  EXPECT_EQ(extender.grpc_listen.port, defaults.extender.grpc_listen.port);
  EXPECT_EQ(extender.ops_listen.port, defaults.extender.ops_listen.port);
  EXPECT_EQ(extender.representatives_per_site, defaults.extender.representatives_per_site);
  EXPECT_EQ(extender.neighbours_in_site, defaults.extender.neighbours_in_site);
  EXPECT_EQ(extender.stale_after, defaults.extender.stale_after);
  EXPECT_EQ(extender.gang_ttl, defaults.extender.gang_ttl);
  EXPECT_EQ(extender.kubernetes, defaults.extender.kubernetes);
  EXPECT_EQ(extender.bandwidth, defaults.extender.bandwidth);
  EXPECT_EQ(shipped.site_node_label, defaults.site_node_label);
}

TEST_F(ShippedExample, MigrationKeysAreTheDefaults) {
  EXPECT_EQ(shipped.migration, defaults.migration);
}

TEST_F(ShippedExample, DevicepluginKeysAreTheDefaults) {
  EXPECT_EQ(shipped.deviceplugin, defaults.deviceplugin);
}

// The section with those of its keys that stand there as comments, all but lines with `except`.
std::string Uncommented(std::string_view section, std::string_view except) {
  std::string uncommented;
  bool inside = false;
  const std::string text = ReadFile("deploy/fairlead.yaml", 1U << 20).value();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const bool top = !line.empty() && line[0] != ' ' && line[0] != '#';
    if (top) inside = line == section;
    const std::size_t mark = line.find_first_not_of(' ');
    // Remarks begin with a capital or stand further to the right.
    const bool is_key = mark <= 6 && line.compare(mark, 2, "# ") == 0 &&
                        (line.find(": ", mark) != std::string::npos || line.ends_with(":")) &&
                        (line[mark + 2] < 'A' || line[mark + 2] > 'Z');
    if (inside && is_key && line.find(except) == std::string::npos) line.erase(mark, 2);
    if (inside) uncommented += line + "\n";
  }
  return uncommented;
}

TEST(ShippedMigrationComments, AreKeysThatTheParserTakes) {
  const std::string text = "sites: [{name: hk}, {name: sg}]\n" + Uncommented("migration:", "#none");
  const auto parsed = ParseConfig(text, "deploy/fairlead.yaml");
  ASSERT_TRUE(parsed) << parsed.error().message << "\n" << text;
  const MigrationConfig& migration = parsed->migration;
  EXPECT_EQ(migration.windows.size(), 1U);
  EXPECT_EQ(migration.freezes.size(), 5U);
  EXPECT_TRUE(migration.policy.max_rtt && migration.policy.max_jitter && migration.policy.max_loss);
  EXPECT_EQ(migration.policy.min_bandwidth_bits_per_second, 5'000'000'000U);
  EXPECT_EQ(migration.lines.size(), 1U);
  EXPECT_EQ(migration.namespaces.size(), 1U);
  EXPECT_EQ(migration.classes.size(), 1U);
}

// What has no default worth writing stands there as a comment, which must be right as well.
TEST(ShippedDevicepluginComments, AreKeysThatTheParserTakes) {
  std::string uncommented = Uncommented("deviceplugin:", "dscp: 26");
  // A pair needs a pool without priorities.
  const std::size_t pool = uncommented.find("  gidAllow:");
  ASSERT_NE(pool, std::string::npos);
  uncommented.insert(pool, "    - {resource: fairlead.dev/gpu-hca, select: {functions: [vf]}}\n");
  const auto parsed = ParseConfig(uncommented, "deploy/fairlead.yaml");
  ASSERT_TRUE(parsed) << parsed.error().message << "\n" << uncommented;
  const DevicepluginConfig& plugin = parsed->deviceplugin;
  ASSERT_EQ(plugin.pools.size(), 3U);
  EXPECT_EQ(plugin.pools[0].select.vendors, std::vector<std::string>{"15b3"});
  EXPECT_EQ(plugin.pools[0].select.functions.size(), 2U);
  EXPECT_EQ(plugin.pools[0].priority.traffic_class, 106U);
  EXPECT_EQ(plugin.pools[0].priority.control_traffic_class, 192U);
  EXPECT_EQ(plugin.pools[1].priority_of, "rdma/hca");
  EXPECT_EQ(plugin.gid_deny.size(), 1U);
  EXPECT_EQ(plugin.gpus.pair_resource, "fairlead.dev/gpu-hca");
  EXPECT_FALSE(plugin.nfd_feature_file.empty());
}

}  // namespace
}  // namespace fairlead
