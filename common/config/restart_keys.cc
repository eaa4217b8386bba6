#include "common/config/restart_keys.h"

#include <utility>

namespace fairlead {
namespace {

// The keys of one section, compared one after the other.
template <class Section>
class Comparison {
 public:
  Comparison(const Section& a, const Section& b, std::vector<RestartKey>& out)
      : a_(a), b_(b), out_(out) {}

  template <class Value>
  void Add(std::string_view key, Value Section::*member) const {
    out_.push_back({.key = key, .pending = a_.*member != b_.*member});
  }

 private:
  const Section& a_;
  const Section& b_;
  std::vector<RestartKey>& out_;
};

}  // namespace

std::vector<RestartKey> CompareRestartKeys(Program program, const Config& started_with,
                                           const Config& now) {
  std::vector<RestartKey> keys;
  if (program != Program::kDeviceplugin) {  // it talks to kubelet alone, over sockets of the node
    const Comparison tls(started_with.tls, now.tls, keys);
    tls.Add("tls.certificateFile", &TlsConfig::certificate_file);
    tls.Add("tls.keyFile", &TlsConfig::key_file);
    tls.Add("tls.caFile", &TlsConfig::ca_file);
    tls.Add("tls.plaintext", &TlsConfig::plaintext);
  }
  switch (program) {
    case Program::kExtender: {
      using Own = ExtenderConfig;
      const Comparison own(started_with.extender, now.extender, keys);
      own.Add("extender.httpListen", &Own::http_listen);
      own.Add("extender.grpcListen", &Own::grpc_listen);
      own.Add("extender.opsListen", &Own::ops_listen);
      own.Add("extender.tokenDirectory", &Own::token_directory);
      own.Add("extender.clientCertificates", &Own::client_certificates);
      own.Add("extender.kubernetes", &Own::kubernetes);
      own.Add("extender.prometheus", &Own::prometheus);
      break;
    }
    case Program::kLinkprobe: {
      using Own = LinkprobeConfig;
      const Comparison own(started_with.linkprobe, now.linkprobe, keys);
      own.Add("linkprobe.extender", &Own::extender_address);
      own.Add("linkprobe.sessionListen", &Own::session_listen);
      own.Add("linkprobe.sessionAdvertise", &Own::session_advertise);
      own.Add("linkprobe.peerCertificateName", &Own::peer_certificate_name);
      own.Add("linkprobe.opsListen", &Own::ops_listen);
      own.Add("linkprobe.udpListen", &Own::udp_listen);
      own.Add("linkprobe.transport", &Own::transport);
      own.Add("linkprobe.device", &Own::device);
      own.Add("linkprobe.trafficClass", &Own::traffic_class);
      own.Add("linkprobe.paths", &Own::paths);
      own.Add("linkprobe.probesPerSecond", &Own::probes_per_second);
      own.Add("linkprobe.reportWindow", &Own::report_window);
      own.Add("linkprobe.reportInterval", &Own::report_interval);
      own.Add("linkprobe.tokenFile", &Own::token_file);
      own.Add("linkprobe.pluginSocket", &Own::plugin_socket);
      own.Add("linkprobe.bandwidthLedger", &Own::bandwidth_ledger);
      break;
    }
    case Program::kDeviceplugin: {
      using Own = DevicepluginConfig;
      const Comparison own(started_with.deviceplugin, now.deviceplugin, keys);
      own.Add("deviceplugin.opsListen", &Own::ops_listen);
      own.Add("deviceplugin.kubeletDirectory", &Own::kubelet_directory);
      own.Add("deviceplugin.registration", &Own::registration);
      own.Add("deviceplugin.cdiDirectory", &Own::cdi_directory);
      own.Add("deviceplugin.gpus", &Own::gpus);
      own.Add("deviceplugin.nfdFeatureFile", &Own::nfd_feature_file);
      own.Add("deviceplugin.probeSocket", &Own::probe_socket);
      own.Add("deviceplugin.ncclConfDirectory", &Own::nccl_conf_directory);
      break;
    }
  }
  return keys;
}

std::string PendingKeys(const std::vector<RestartKey>& keys) {
  std::string names;
  for (const RestartKey& key : keys) {
    if (!key.pending) continue;
    if (!names.empty()) names += ", ";
    names += key.key;
  }
  return names;
}

std::string WithPendingKeys(std::string reason, const std::vector<RestartKey>& keys) {
  const std::string names = PendingKeys(keys);
  if (names.empty()) return reason;
  return std::move(reason) + "; a restart is needed for changed configuration keys: " + names;
}

}  // namespace fairlead
