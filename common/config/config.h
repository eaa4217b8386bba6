// The one configuration of the three programs: key `fairlead.yaml` of the ConfigMap `fairlead`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.h"
#include "common/config/bandwidth_config.h"
#include "common/config/deviceplugin_config.h"
#include "common/config/listen_address.h"
#include "common/config/migration_config.h"
#include "common/config/prometheus_config.h"
#include "common/geo/fibre_floor.h"
#include "common/link/detector_settings.h"

namespace fairlead {

// A site and where it lies. Without coordinates no fibre floor is known for its lines.
struct SiteConfig {
  std::string name;
  std::optional<Coordinates> coordinates;
};

// What carries a link: its declared capacity, which a NIC's rate does not tell.
struct LineConfig {
  std::string site_a;
  std::string site_b;
  std::optional<std::uint64_t> capacity_bits_per_second;
};

// Standalone inventory: the nodes and their free `rdma/hca` where no Kubernetes API is read.
struct NodeConfig {
  std::string name;
  std::string site;
  std::uint32_t hcas = 0;
};

// TLS between programs. Plain text outside loopback needs `plaintext: true` in as many words.
struct TlsConfig {
  std::string certificate_file;
  std::string key_file;
  std::string ca_file;
  bool plaintext = false;
};

enum class TransportChoice { kAuto, kVerbs, kUdp };

struct LinkprobeConfig {
  std::string extender_address;  // host:port of the extender's gRPC service
  ListenAddress session_listen{"0.0.0.0", 7471};
  std::string session_advertise;  // host:port peers dial; empty: the listen address
  // The DNS name that every peer's certificate has; empty: the host of the peer's address.
  std::string peer_certificate_name;
  ListenAddress ops_listen{"0.0.0.0", 9471};
  ListenAddress udp_listen{"0.0.0.0", 7472};  // the UDP rung's first port; path i uses port + i
  TransportChoice transport = TransportChoice::kAuto;
  std::string device;               // RDMA device name; empty: the best usable one
  std::uint32_t traffic_class = 0;  // IP traffic class byte of the probes
  std::uint32_t paths = 1;          // QPs or source ports per peer
  double probes_per_second = 10;    // per peer and path
  Nanoseconds report_window = Seconds(60);
  Nanoseconds report_interval = Seconds(1);
  std::string token_file;
  std::string plugin_socket = kPluginSocket;  // where the device plugin listens; empty: not told
  // What bandwidth tests sent, by line and day, so that a restart does not forget it.
  std::string bandwidth_ledger = "/var/lib/fairlead/bandwidth-spent";
};

// Where the extender learns of nodes, pods and gangs.
enum class ClusterSource { kStandalone, kInCluster, kKubeconfig };

struct KubernetesConfig {
  ClusterSource source = ClusterSource::kStandalone;
  std::string kubeconfig;  // path
  std::string context;     // in it; empty: its current-context
  // What was not heard of for so long is not believed any more. An API server where nothing happens
  // is heard of once a minute.
  Nanoseconds stale = Seconds(90);
  std::string token_audience = "fairlead-extender";  // of the probes' service-account tokens
  std::string probe_service_account = "fairlead/fairlead-linkprobe";  // namespace/name

  bool operator==(const KubernetesConfig&) const = default;
};

struct ExtenderConfig {
  ListenAddress http_listen{"0.0.0.0", 8471};
  ListenAddress grpc_listen{"0.0.0.0", 8472};
  ListenAddress ops_listen{"0.0.0.0", 9472};
  std::uint32_t representatives_per_site = 3;
  std::uint32_t neighbours_in_site = 2;
  Nanoseconds stale_after = Seconds(30);  // a link not reported for so long is not known
  Nanoseconds gang_ttl = Seconds(60);     // how long an unbound pod's place is remembered
  std::string token_directory;            // standalone: a file per node, named like the node
  double volcano_scale = 1;               // of Volcano's scores, which are 0 to 100
  std::uint32_t fine_scale = 1;           // of kube-scheduler's, which are 0 to 10
  bool client_certificates = false;       // who calls http_listen must show one of tls.caFile
  KubernetesConfig kubernetes;
  PrometheusConfig prometheus;
  BandwidthConfig bandwidth;
};

struct Config {
  std::string site_node_label = "topology.kubernetes.io/region";
  std::vector<SiteConfig> sites;
  std::vector<LineConfig> lines;
  std::vector<NodeConfig> nodes;
  TlsConfig tls;
  DetectorSettings detector;
  LinkprobeConfig linkprobe;
  ExtenderConfig extender;
  MigrationConfig migration;
  DevicepluginConfig deviceplugin;
};

}  // namespace fairlead
