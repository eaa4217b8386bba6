// The section `deviceplugin`: every key, what the pools mean to one another, and every mistake.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/config/parse.h"
#include "common/config/resource_name.h"

namespace fairlead {
namespace {

constexpr std::string_view kEverything = R"(deviceplugin:
  opsListen: 127.0.0.1:1
  kubeletDirectory: /k
  registration: registry
  pools:
    - resource: rdma/hca
      network: host
      slots: 4
      variables: true
      ncclConf: true
      select:
        vendors: [15b3, "8086"]
        drivers: [mlx5_core]
        devices: ["mlx5_*", "rocep?s0"]
        interfaces: [ens1]
        pciAddresses: [0000:3b:00.0]
        linkTypes: [infiniband, ethernet]
        functions: [pf, vf, sf, none]
      trafficClass: 106
      serviceLevel: 3
      controlTrafficClass: 192
    - {resource: rdma/bulk, priorityOf: rdma/hca, slots: 2, dscp: 10}
    - {resource: fairlead.dev/gpu-hca}
  gidAllow: [10.0.0.0/8, "2001:db8::/32"]
  gidDeny: [10.1.0.0/16]
  outage: 1m
  health: {downAfter: 1s, upAfter: 2s}
  removeAfter: 3m
  cdi: true
  cdiDirectory: /cdi
  gpus:
    advertise: false
    resource: example.com/gpu
    pairResource: fairlead.dev/gpu-hca
    nvmlLibrary: /opt/nvml.so
  nfdFeatureFile: /features/fairlead
  probeSocket: /run/p.sock
  ncclConfDirectory: /confs
)";

DevicepluginConfig Parse(std::string_view yaml) {
  const Result<Config> config = ParseConfig(yaml, "f.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? config->deviceplugin : DevicepluginConfig();
}

TEST(DevicepluginSection, ReadsEveryKey) {
  DevicepluginConfig want;
  want.ops_listen = {"127.0.0.1", 1};
  want.kubelet_directory = "/k";
  want.registration = RegistrationChoice::kRegistry;
  PoolConfig hca;
  hca.network = PodNetwork::kHost;
  hca.slots = 4;
  hca.nccl_conf = true;
  hca.select.vendors = {"15b3", "8086"};
  hca.select.drivers = {"mlx5_core"};
  hca.select.devices = {"mlx5_*", "rocep?s0"};
  hca.select.interfaces = {"ens1"};
  hca.select.pci_addresses = {"0000:3b:00.0"};
  hca.select.link_types = {LinkLayer::kInfiniband, LinkLayer::kEthernet};
  hca.select.functions = {FunctionChoice::kPhysical, FunctionChoice::kVirtual,
                          FunctionChoice::kSubfunction, FunctionChoice::kNone};
  hca.priority = {.traffic_class = 106, .service_level = 3, .control_traffic_class = 192};
  PoolConfig bulk;
  bulk.resource = "rdma/bulk";
  bulk.priority_of = "rdma/hca";
  bulk.network = PodNetwork::kHost;  // as the pool's whose HCAs they are
  bulk.slots = 2;
  bulk.nccl_conf = true;  // the same
  bulk.priority.traffic_class = 10 * 4 + 2;
  PoolConfig pairs;
  pairs.resource = "fairlead.dev/gpu-hca";
  pairs.variables = false;
  want.pools = {hca, bulk, pairs};
  want.gid_allow = {ParseGidPrefix("10.0.0.0/8").value(), ParseGidPrefix("2001:db8::/32").value()};
  want.gid_deny = {ParseGidPrefix("10.1.0.0/16").value()};
  want.outage = Seconds(60);
  want.health = {Seconds(1), Seconds(2)};
  want.remove_after = Seconds(180);
  want.cdi = true;
  want.cdi_directory = "/cdi";
  want.gpus = {false, "example.com/gpu", "fairlead.dev/gpu-hca", "/opt/nvml.so"};
  want.nfd_feature_file = "/features/fairlead";
  want.probe_socket = "/run/p.sock";
  want.nccl_conf_directory = "/confs";
  EXPECT_EQ(Parse(kEverything), want);
}

TEST(DevicepluginSection, HasDefaults) {
  EXPECT_EQ(Parse("deviceplugin:\n"), DevicepluginConfig());
  EXPECT_EQ(Parse("site: {}\n"), DevicepluginConfig());
  EXPECT_EQ(Parse("deviceplugin: {pools: [{resource: rdma/hca}]}"), DevicepluginConfig());
  EXPECT_TRUE(Parse("deviceplugin: {pools: []}").pools.empty());
}

TEST(DevicepluginSection, CanTurnTheProbesSocketOff) {
  EXPECT_EQ(Parse("deviceplugin: {probeSocket: \"\"}").probe_socket, "");
}

TEST(DevicepluginSection, ChoosesOnePoolThatSetsVariables) {
  const struct {
    std::string pools;
    std::vector<bool> variables;
  } kCases[] = {
      {"{resource: a/a}, {resource: a/b}", {true, false}},
      {"{resource: a/a}, {resource: a/b, variables: true}", {false, true}},
      {"{resource: a/a, variables: false}, {resource: a/b}", {false, true}},
      {"{resource: a/a, variables: false}, {resource: a/b, variables: false}", {false, false}},
      {"{resource: a/c, priorityOf: a/b}, {resource: a/b}, {resource: a/a}", {true, true, false}},
      {"{resource: a/c, priorityOf: a/b}, {resource: a/a}, {resource: a/b}", {false, true, false}},
  };
  for (const auto& c : kCases) {
    std::vector<bool> got;
    for (const PoolConfig& pool : Parse("deviceplugin: {pools: [" + c.pools + "]}").pools) {
      got.push_back(pool.variables);
    }
    EXPECT_EQ(got, c.variables) << c.pools;
  }
}

struct Mistake {
  std::string section;  // inside the braces of `deviceplugin`
  std::string message;  // after "f.yaml:1: deviceplugin"
};

void ExpectMessages(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const Result<Config> config = ParseConfig("deviceplugin: {" + mistake.section + "}", "f.yaml");
    ASSERT_FALSE(config) << mistake.section;
    EXPECT_EQ(config.error().message, "f.yaml:1: deviceplugin" + mistake.message);
  }
}

TEST(DevicepluginMistakes, OfValues) {
  ExpectMessages({
      {"kubeletDirectory: k", ".kubeletDirectory: \"k\" is not an absolute path; begin it with /"},
      {"registration: legacie",
       ".registration: registration \"legacie\" is unknown; did you mean legacy?"},
      {"outage: 0s", ".outage: \"0s\" is outside 1s..1h"},
      {"outage: 010s",
       ".outage: \"010s\" has a leading zero; numbers are decimal, write it without"},
      {"gidAllow: [10.0.0.0/40]",
       ".gidAllow: subnet \"10.0.0.0/40\" has a length outside 0..32; write it like 10.0.0.0/8"},
      {"gidDeny: []", ".gidDeny: is empty; list values or remove the key"},
      {"gidDeny: [[a]]", ".gidDeny: holds something other than single values"},
      {"health: {down: 1s}", ".health: unknown key \"down\"; known: downAfter, upAfter"},
      {"health: 5s", ".health: is \"5s\", expected keys with values"},
      {"cdi: yes", ".cdi: \"yes\" is neither true nor false"},
      {"pools:", ".pools: has no value; list pools, or write [] for none"},
      {"pools: rdma/hca", ".pools: is \"rdma/hca\", expected a list"},
      {"pols: []", ": unknown key \"pols\"; did you mean pools?"},
      {"zzzzzzzz: 1",
       ": unknown key \"zzzzzzzz\"; known: opsListen, kubeletDirectory, registration, pools, "
       "gidAllow, gidDeny, outage, health, removeAfter, cdi, cdiDirectory, gpus, nfdFeatureFile, "
       "probeSocket, ncclConfDirectory"},
  });
}

TEST(DevicepluginMistakes, OfOnePool) {
  const auto pool = [](const std::string& keys) {
    return "pools: [{resource: rdma/hca, " + keys + "}]";
  };
  ExpectMessages({
      {"pools: [{slots: 1}]", ".pools[0].resource: is missing; add it"},
      {pool("slots: 0"), ".pools[0].slots: \"0\" is not a whole number from 1 to 256"},
      {pool("network: hosts"),
       ".pools[0].network: network \"hosts\" is unknown; did you mean host?"},
      {pool("trafficClass: 256"),
       ".pools[0].trafficClass: \"256\" is not a whole number from 0 to 255"},
      {pool("dscp: 64"), ".pools[0].dscp: \"64\" is not a whole number from 0 to 63"},
      {pool("trafficClass: 0, dscp: 0"),
       ".pools[0].dscp: stands beside trafficClass, which holds it already; remove one"},
      {pool("serviceLevel: 16"),
       ".pools[0].serviceLevel: \"16\" is not a whole number from 0 to 15"},
      {pool("select: {vendors: [0x15b3]}"),
       ".pools[0].select.vendors: \"0x15b3\" is not a PCI vendor; write four lower-case "
       "hexadecimal digits, like 15b3"},
      {pool("select: {drivers: [\"mlx5 core\"]}"),
       ".pools[0].select.drivers: \"mlx5 core\" is not a kernel driver's name; write it like "
       "mlx5_core"},
      {pool("select: {devices: [0000:3b:00.0]}"),
       ".pools[0].select.devices: \"0000:3b:00.0\" is a PCI address; list it under pciAddresses"},
      {pool("select: {interfaces: [\"ens[12]\"]}"),
       ".pools[0].select.interfaces: \"ens[12]\" is not a name; use letters, digits, '-', '_' and "
       "'.', with * for any characters and ? for one"},
      {pool("select: {pciAddresses: [3b:00.0]}"),
       ".pools[0].select.pciAddresses: \"3b:00.0\" is not a PCI address; write domain, bus, "
       "device and function in lower case, like 0000:3b:00.0"},
      {pool("select: {linkTypes: [roce]}"),
       ".pools[0].select.linkTypes: link type \"roce\" is unknown; known: infiniband, ethernet"},
      {pool("select: {functions: [pv]}"),
       ".pools[0].select.functions: function \"pv\" is unknown; did you mean pf?"},
      {pool("select: {vendor: [15b3]}"),
       ".pools[0].select: unknown key \"vendor\"; did you mean vendors?"},
  });
}

TEST(DevicepluginMistakes, OfPoolsAmongOneAnother) {
  ExpectMessages({
      {"pools: [{resource: a/a}, {resource: a/a}]",
       ".pools[1].resource: pool \"a/a\" is listed twice; keep one"},
      {"pools: [{resource: a/b-c}, {resource: a/b_c}]",
       ".pools[1].resource: \"a/b_c\" is spelt like \"a/b-c\" in names of variables; choose a name "
       "that differs in a letter"},
      {"pools: [{resource: a/hca}, {resource: a/b, priorityOf: a/hcb}]",
       ".pools[1].priorityOf: pool \"a/hcb\" is unknown; did you mean a/hca?"},
      {"pools: [{resource: a/a, priorityOf: a/a}]",
       ".pools[0].priorityOf: \"a/a\" leads back to itself or to no pool; one of them must select "
       "HCAs"},
      {"pools: [{resource: a/a}, {resource: a/b, priorityOf: a/a}, {resource: a/c, priorityOf: "
       "a/b}]",
       ".pools[2].priorityOf: \"a/b\" is a priority itself; name \"a/a\", whose HCAs they are"},
      {"pools: [{resource: a/a}, {resource: a/b, priorityOf: a/a, select: {}}]",
       ".pools[1].select: stands beside priorityOf; a priority takes it from a/a, remove the key"},
      {"pools: [{resource: a/a}, {resource: a/b, priorityOf: a/a, network: host}]",
       ".pools[1].network: stands beside priorityOf; a priority takes it from a/a, remove the key"},
      {"pools: [{resource: a/a}, {resource: a/b, ncclConf: true}]",
       ".pools[1].ncclConf: is true where no variables are set; add variables: true, or remove it"},
      {"pools: [{resource: a/a}, {resource: a/b, priorityOf: a/a, ncclConf: true}]",
       ".pools[1].ncclConf: stands beside priorityOf; a priority takes it from a/a, remove the key"},
      {"ncclConfDirectory: confs",
       ".ncclConfDirectory: \"confs\" is not an absolute path; begin it with /"},
      {"pools: [{resource: a/a, variables: true}, {resource: a/b, variables: true}]",
       ".pools[1].variables: is true for \"a/a\" too; a container with both would get one's values "
       "at random, choose one"},
  });
}

TEST(DevicepluginMistakes, OfPrioritiesInACircleAreToldForEach) {
  const std::string message = "leads back to itself or to no pool; one of them must select HCAs";
  const Result<Config> config = ParseConfig(
      "deviceplugin:\n  pools:\n  - {resource: a/a, priorityOf: a/b}\n  - {resource: a/b, "
      "priorityOf: a/a}\n",
      "f.yaml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message,
            "f.yaml:3: deviceplugin.pools[0].priorityOf: \"a/b\" " + message +
                "\nf.yaml:4: deviceplugin.pools[1].priorityOf: \"a/a\" " + message);
}

TEST(DevicepluginMistakes, OfGpus) {
  const std::string pools = "pools: [{resource: a/a}, {resource: a/b, priorityOf: a/a}], ";
  ExpectMessages({
      {"gpus: {pairResource: a/a}",
       ".gpus.pairResource: pool \"a/a\" is unknown; list a pool of this name, whose HCAs go out "
       "with their GPU"},
      {pools + "gpus: {pairResource: a/a}",
       ".gpus.pairResource: pool \"a/a\" shares its HCAs with a priority; pairs need HCAs of their "
       "own"},
      {pools + "gpus: {pairResource: a/b}",
       ".gpus.pairResource: pool \"a/b\" shares its HCAs with a priority; pairs need HCAs of their "
       "own"},
      {"gpus: {advertise: true, pairResource: rdma/hca}",
       ".gpus.pairResource: stands beside advertise: true; a GPU goes out alone or in a pair, "
       "choose one"},
      {"gpus: {advertise: true, resource: rdma/hca}",
       ".gpus.resource: \"rdma/hca\" is the name of a pool; choose another"},
      {"gpus: {nvmlLibrary: \"\"}", ".gpus.nvmlLibrary: is empty; give a value or remove the key"},
      {"gpus: {resource: fairlead.dev/probe}",
       ".gpus.resource: \"fairlead.dev/probe\" is the plugin's own for linkprobe; choose another "
       "name"},
  });
}

TEST(ResourceName, IsAnExtendedResources) {
  const std::string longest = std::string(240, 'a') + ".com";
  for (const std::string& good :
       {std::string("rdma/hca"), std::string("nvidia.com/gpu"), std::string("a/A.b_c-9"),
        std::string("my-kubernetes.io.example/x"), "a/" + std::string(63, 'x')}) {
    const auto parsed = ParseResourceName(good);
    ASSERT_TRUE(parsed) << good;
    EXPECT_EQ(*parsed, good);
  }
  for (const std::string& bad :
       {std::string(), std::string("hca"), std::string("/hca"), std::string("rdma/"),
        std::string("rdma/hca/x"), std::string("kubernetes.io/x"), std::string("a.kubernetes.io/x"),
        std::string("requests.a/x"), std::string("RDMA/hca"), std::string("rdma/-x"),
        std::string("rdma/h ca"), "a/" + std::string(64, 'x'), std::string(245, 'a') + "/x"}) {
    EXPECT_FALSE(ParseResourceName(bad)) << bad;
  }
  EXPECT_TRUE(ParseResourceName(longest + "/x"));
}

TEST(ResourceName, MakesAWordForVariables) {
  EXPECT_EQ(VariableWord("rdma/hca-bulk"), "RDMA_HCA_BULK");
  EXPECT_EQ(VariableWord("fairlead.dev/Gpu9"), "FAIRLEAD_DEV_GPU9");
}

}  // namespace
}  // namespace fairlead
