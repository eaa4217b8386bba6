// `tls`, `linkprobe` and `extender`: how the programs run.
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/base/quote.h"
#include "common/config/names.h"
#include "common/config/section_reader.h"
#include "common/config/sections.h"
#include "common/config/suggest.h"

namespace fairlead {
namespace {

constexpr std::array<std::string_view, 3> kTransports{"auto", "verbs", "udp"};

Result<TransportChoice> ParseTransport(std::string_view text) {
  if (text == "auto") return TransportChoice::kAuto;
  if (text == "verbs") return TransportChoice::kVerbs;
  if (text == "udp") return TransportChoice::kUdp;
  return Fail(ErrorCode::kInvalidArgument,
              "transport " + Quoted(text) + " is unknown" + Suggest(text, kTransports));
}

struct Listener {
  std::string_view key;
  const ListenAddress& address;
};

// Of those of one program and protocol; the later one of a pair has the problem.
void RefuseClashes(SectionReader& reader, std::initializer_list<Listener> listeners) {
  for (const Listener& later : listeners) {
    for (const Listener& earlier : listeners) {
      if (earlier.key == later.key) break;
      if (!Clash(earlier.address, later.address)) continue;
      reader.Complain(later.key, FormatListenAddress(later.address) + " clashes with " +
                                     reader.PathOf(earlier.key) + " " +
                                     FormatListenAddress(earlier.address) +
                                     "; give each a port of its own");
      break;
    }
  }
}

}  // namespace

void ReadTls(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "tls", problems);
  TlsConfig& tls = config.tls;
  reader.Text("certificateFile", tls.certificate_file);
  reader.Text("keyFile", tls.key_file);
  reader.Text("caFile", tls.ca_file);
  reader.Flag("plaintext", tls.plaintext);
  reader.Finish();
  const bool any = reader.Has("certificateFile") || reader.Has("keyFile") || reader.Has("caFile");
  if (!any) return;
  if (tls.plaintext) {
    reader.Complain("plaintext", "is true beside TLS files; remove one or the other");
  }
  // Trust is mutual: each side shows a certificate and checks the other's.
  for (const std::string_view key : {"certificateFile", "keyFile", "caFile"}) {
    if (!reader.Has(key)) reader.Complain(key, "is missing; TLS needs all three files");
  }
}

void ReadLinkprobe(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "linkprobe", problems);
  LinkprobeConfig& probe = config.linkprobe;
  reader.Value("extender", probe.extender_address, ParseDialAddress);
  reader.Value("sessionListen", probe.session_listen, ParseListenAddress);
  reader.Value("sessionAdvertise", probe.session_advertise, ParseDialAddress);
  reader.Value("peerCertificateName", probe.peer_certificate_name, ParseCertificateName);
  reader.Value("opsListen", probe.ops_listen, ParseListenAddress);
  reader.Value("udpListen", probe.udp_listen, ParseListenAddress);
  reader.Value("transport", probe.transport, ParseTransport);
  reader.Text("device", probe.device);
  reader.Count("trafficClass", probe.traffic_class, 0, 255);
  reader.Count("paths", probe.paths, 1, 8);
  reader.Number("probesPerSecond", probe.probes_per_second, 0.1, 1000);
  reader.Duration("reportWindow", probe.report_window, Seconds(1), Seconds(3600));
  reader.Duration("reportInterval", probe.report_interval, Milliseconds(100), Seconds(60));
  reader.Text("tokenFile", probe.token_file);
  reader.Value("pluginSocket", probe.plugin_socket, ParseSocketPath);
  reader.Text("bandwidthLedger", probe.bandwidth_ledger);
  reader.Finish();
  RefuseClashes(reader, {{"sessionListen", probe.session_listen}, {"opsListen", probe.ops_listen}});
  if (probe.report_window < probe.report_interval) {
    reader.Complain("reportWindow",
                    "is shorter than reportInterval; probes in between would "
                    "never be reported");
  }
  if (probe.udp_listen.port + probe.paths > 65536U) {
    reader.Complain("udpListen", "leaves no port for each of " + std::to_string(probe.paths) +
                                     " paths; choose a lower port");
  }
}

void ReadExtender(const DocumentNode& node, Config& config, Problems& problems) {
  SectionReader reader(node, "extender", problems);
  ExtenderConfig& extender = config.extender;
  reader.Value("httpListen", extender.http_listen, ParseListenAddress);
  reader.Value("grpcListen", extender.grpc_listen, ParseListenAddress);
  reader.Value("opsListen", extender.ops_listen, ParseListenAddress);
  reader.Count("representativesPerSite", extender.representatives_per_site, 1, 10);
  reader.Count("neighboursInSite", extender.neighbours_in_site, 0, 10);
  reader.Duration("staleAfter", extender.stale_after, Seconds(1), Seconds(3600));
  reader.Duration("gangTtl", extender.gang_ttl, Seconds(1), Seconds(24 * 3600));
  reader.Text("tokenDirectory", extender.token_directory);
  reader.Number("volcanoScale", extender.volcano_scale, 0.01, 1000);
  reader.Count("fineScale", extender.fine_scale, 1, 100);
  reader.Flag("clientCertificates", extender.client_certificates);
  if (const DocumentNode* kubernetes = reader.Child("kubernetes")) {
    ReadKubernetes(*kubernetes, config, problems);
  }
  if (const DocumentNode* prometheus = reader.Child("prometheus")) {
    ReadPrometheus(*prometheus, config, problems);
  }
  if (const DocumentNode* bandwidth = reader.Child("bandwidth")) {
    ReadBandwidth(*bandwidth, config, problems);
  }
  reader.Finish();
  RefuseClashes(reader, {{"httpListen", extender.http_listen},
                         {"grpcListen", extender.grpc_listen},
                         {"opsListen", extender.ops_listen}});
  if (extender.client_certificates && config.tls.ca_file.empty()) {
    reader.Complain("clientCertificates",
                    "is true, but nothing says whose certificates are trusted; set tls.caFile and "
                    "the other TLS files");
  }
}

}  // namespace fairlead
