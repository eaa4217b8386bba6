#include "common/config/parse.h"

#include <gtest/gtest.h>

#include <string>

namespace fairlead {
namespace {

constexpr std::string_view kEverything = R"(# every key once
site:
  nodeLabel: topology.kubernetes.io/zone
sites:
  - name: hk
    latitude: 22.32
    longitude: 114.17
  - {name: sg, latitude: 1.35, longitude: 103.82}
  - name: us
lines:
  - {between: [hk, sg], capacity: 10Gbps}
  - between: [us, hk]
nodes:
  - {name: hk-1.example, site: hk, hcas: 8}
  - {name: sg-1, site: sg, hcas: 0}
tls:
  certificateFile: /tls/tls.crt
  keyFile: /tls/tls.key
  caFile: /tls/ca.crt
  plaintext: false
detector:
  window: 2s
  windowsBad: 3
  windowsConsidered: 5
  bandRatio: 5%
  bandFloor: 2ms
  pdvFactor: 2.5
  pdvFloor: 4ms
  pdvWindow: 4s
  lossDegraded: 0.002
  lossWindow: 30s
  lossCritical: 2%
  lossCriticalWindow: 5s
  downAfter: 7s
  baselineSpan: 5m
  baselineWindows: 20
  recovery: 10s
  dwell: 11s
  flapPenaltyMax: 2m
  hostNoise: 15ms
  baselineAdopt: 12h
linkprobe:
  extender: extender.fairlead.svc:8472
  sessionListen: "[::]:7000"
  sessionAdvertise: 10.0.0.1:7000
  peerCertificateName: probe.fairlead.svc
  opsListen: 127.0.0.1:0
  udpListen: 0.0.0.0:7002
  transport: verbs
  device: mlx5_0
  trafficClass: 106
  paths: 4
  probesPerSecond: 2.5
  reportWindow: 30s
  reportInterval: 500ms
  tokenFile: /token
extender:
  httpListen: 0.0.0.0:80
  grpcListen: 0.0.0.0:81
  opsListen: 0.0.0.0:82
  representativesPerSite: 2
  neighboursInSite: 1
  staleAfter: 20s
  gangTtl: 90s
  tokenDirectory: /tokens
  volcanoScale: 2.5
  fineScale: 10
  clientCertificates: false
  kubernetes:
    mode: standalone
    stale: 2m
    tokenAudience: fairlead
    probeServiceAccount: ml/probe
  prometheus:
    url: http://prometheus:9090/p
    caFile: /ca
    tokenFile: /prometheus-token
    plaintext: true
    interval: 10s
    timeout: 5s
    queries:
    - {name: a, value: loss, query: "x > 0", fromLabel: src, toLabel: dst}
    - {name: b, value: utilisation, query: "y", from: hk, to: sg}
)";

TEST(ParseConfig, ReadsEveryKey) {
  const Result<Config> config = ParseConfig(kEverything, "fairlead.yaml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->site_node_label, "topology.kubernetes.io/zone");
  ASSERT_EQ(config->sites.size(), 3U);
  EXPECT_EQ(config->sites[0].name, "hk");
  EXPECT_DOUBLE_EQ(config->sites[0].coordinates->latitude_degrees, 22.32);
  EXPECT_DOUBLE_EQ(config->sites[1].coordinates->longitude_degrees, 103.82);
  EXPECT_FALSE(config->sites[2].coordinates);
  ASSERT_EQ(config->lines.size(), 2U);
  EXPECT_EQ(config->lines[0].site_a, "hk");
  EXPECT_EQ(config->lines[0].site_b, "sg");
  EXPECT_EQ(config->lines[0].capacity_bits_per_second, 10'000'000'000U);
  EXPECT_EQ(config->lines[1].capacity_bits_per_second, std::nullopt);
  ASSERT_EQ(config->nodes.size(), 2U);
  EXPECT_EQ(config->nodes[0].name, "hk-1.example");
  EXPECT_EQ(config->nodes[0].hcas, 8U);
  EXPECT_EQ(config->tls.certificate_file, "/tls/tls.crt");
  EXPECT_EQ(config->tls.key_file, "/tls/tls.key");
  EXPECT_EQ(config->tls.ca_file, "/tls/ca.crt");
  EXPECT_FALSE(config->tls.plaintext);
}

TEST(ParseConfig, ReadsTheDetector) {
  const DetectorSettings d = ParseConfig(kEverything, "f").value().detector;
  EXPECT_EQ(d.window, Seconds(2));
  EXPECT_EQ(d.windows_bad, 3U);
  EXPECT_EQ(d.windows_considered, 5U);
  EXPECT_DOUBLE_EQ(d.band_ratio, 0.05);
  EXPECT_EQ(d.band_floor, Milliseconds(2));
  EXPECT_DOUBLE_EQ(d.pdv_factor, 2.5);
  EXPECT_EQ(d.pdv_floor, Milliseconds(4));
  EXPECT_EQ(d.pdv_window, Seconds(4));
  EXPECT_DOUBLE_EQ(d.loss_degraded, 0.002);
  EXPECT_EQ(d.loss_window, Seconds(30));
  EXPECT_DOUBLE_EQ(d.loss_critical, 0.02);
  EXPECT_EQ(d.loss_critical_window, Seconds(5));
  EXPECT_EQ(d.down_after, Seconds(7));
  EXPECT_EQ(d.baseline_span, Seconds(300));
  EXPECT_EQ(d.baseline_windows, 20U);
  EXPECT_EQ(d.recovery, Seconds(10));
  EXPECT_EQ(d.dwell, Seconds(11));
  EXPECT_EQ(d.flap_penalty_max, Seconds(120));
  EXPECT_EQ(d.host_noise, Milliseconds(15));
  EXPECT_EQ(d.baseline_adopt, Seconds(12 * 3600));
}

TEST(ParseConfig, ReadsThePrograms) {
  const Config config = ParseConfig(kEverything, "f").value();
  const LinkprobeConfig& probe = config.linkprobe;
  EXPECT_EQ(probe.extender_address, "extender.fairlead.svc:8472");
  EXPECT_EQ(probe.session_listen.host, "::");
  EXPECT_EQ(probe.session_listen.port, 7000);
  EXPECT_EQ(probe.session_advertise, "10.0.0.1:7000");
  EXPECT_EQ(probe.peer_certificate_name, "probe.fairlead.svc");
  EXPECT_EQ(probe.ops_listen.port, 0);
  EXPECT_EQ(probe.udp_listen.port, 7002);
  EXPECT_EQ(probe.transport, TransportChoice::kVerbs);
  EXPECT_EQ(probe.device, "mlx5_0");
  EXPECT_EQ(probe.traffic_class, 106U);
  EXPECT_EQ(probe.paths, 4U);
  EXPECT_DOUBLE_EQ(probe.probes_per_second, 2.5);
  EXPECT_EQ(probe.report_window, Seconds(30));
  EXPECT_EQ(probe.report_interval, Milliseconds(500));
  EXPECT_EQ(probe.token_file, "/token");
  const ExtenderConfig& extender = config.extender;
  EXPECT_EQ(extender.http_listen.port, 80);
  EXPECT_EQ(extender.kubernetes, (KubernetesConfig{.source = ClusterSource::kStandalone,
                                                   .kubeconfig = "",
                                                   .context = "",
                                                   .stale = Seconds(120),
                                                   .token_audience = "fairlead",
                                                   .probe_service_account = "ml/probe"}));
  EXPECT_EQ(extender.grpc_listen.port, 81);
  EXPECT_EQ(extender.ops_listen.port, 82);
  EXPECT_EQ(extender.representatives_per_site, 2U);
  EXPECT_EQ(extender.neighbours_in_site, 1U);
  EXPECT_EQ(extender.stale_after, Seconds(20));
  EXPECT_EQ(extender.gang_ttl, Seconds(90));
  EXPECT_EQ(extender.token_directory, "/tokens");
  EXPECT_EQ(extender.volcano_scale, 2.5);
  EXPECT_EQ(extender.fine_scale, 10U);
  EXPECT_FALSE(extender.client_certificates);
  const PrometheusConfig& prometheus = extender.prometheus;
  EXPECT_EQ(prometheus.url, "http://prometheus:9090/p");
  EXPECT_EQ(prometheus.ca_file, "/ca");
  EXPECT_EQ(prometheus.token_file, "/prometheus-token");
  EXPECT_TRUE(prometheus.plaintext);
  EXPECT_EQ(prometheus.interval, Seconds(10));
  EXPECT_EQ(prometheus.timeout, Seconds(5));
  EXPECT_EQ(prometheus.stale_after, Seconds(30));  // three intervals
  ASSERT_EQ(prometheus.queries.size(), 2U);
  EXPECT_EQ(prometheus.queries[0].value, PrometheusValue::kLoss);
  EXPECT_EQ(prometheus.queries[0].query, "x > 0");
  EXPECT_EQ(prometheus.queries[0].to_label, "dst");
  EXPECT_EQ(prometheus.queries[1].value, PrometheusValue::kUtilisation);
  EXPECT_EQ(prometheus.queries[1].to_site, "sg");
}

TEST(ParseConfig, KeepsTheDefaultsOfWhatIsNotThere) {
  const Config config = ParseConfig("detector:\nsites:\nlinkprobe: {}\n", "f").value();
  EXPECT_EQ(config.detector.window, DetectorSettings().window);
  EXPECT_EQ(config.linkprobe.udp_listen.port, LinkprobeConfig().udp_listen.port);
  EXPECT_EQ(config.site_node_label, Config().site_node_label);
  EXPECT_TRUE(config.sites.empty());
}

TEST(ParseConfig, TakesNamesThatYamlWouldRead) {
  const Config config = ParseConfig("sites: [{name: no}, {name: 123}, {name: on}]", "f").value();
  ASSERT_EQ(config.sites.size(), 3U);
  EXPECT_EQ(config.sites[0].name, "no");
  EXPECT_EQ(config.sites[1].name, "123");
}

}  // namespace
}  // namespace fairlead
