// Every kind of mistake in a configuration file, and what the reader is told.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/config/parse.h"

namespace fairlead {
namespace {

using namespace std::string_literals;

struct Mistake {
  std::string yaml;
  std::string message;  // the whole of it
};

void ExpectMessages(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const Result<Config> config = ParseConfig(mistake.yaml, "f.yaml");
    ASSERT_FALSE(config) << mistake.yaml;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(config.error().message, mistake.message);
  }
}

TEST(ConfigMistakes, OfTheFile) {
  const std::string not_yaml = "f.yaml:1: is not valid YAML: ";
  ExpectMessages({
      {"", "f.yaml: is empty; write at least one key, for example sites:"},
      {"# only a comment\n", "f.yaml: is empty; write at least one key, for example sites:"},
      {"---\n", "f.yaml: is empty; write at least one key, for example sites:"},
      {"site: {}\n---\nsite: {}\n",
       "f.yaml:2: starts a second document; one file holds one configuration"},
      {"\xef\xbb\xbfsite: {}",
       "f.yaml:1: starts with a byte order mark; save the file as UTF-8 without one"},
      {"\xff\xfes\0i\0"s,
       "f.yaml:1: starts with a byte order mark; save the file as UTF-8 without one"},
      {"site: {}\nsites: \xff\n", "f.yaml:2: is not valid UTF-8; save the file as UTF-8"},
      {"site: \xed\xa0\x80", "f.yaml:1: is not valid UTF-8; save the file as UTF-8"},
      {"site: \xc0\xaf", "f.yaml:1: is not valid UTF-8; save the file as UTF-8"},
      {"site: \xe2\x82", "f.yaml:1: is not valid UTF-8; save the file as UTF-8"},
      {"site:\0 {}"s, "f.yaml:1: holds a control character; remove it"},
      {"site:\n\tnodeLabel: x\n", "f.yaml:2: is indented with a tab; YAML wants spaces"},
      {"site: {", not_yaml + "\"end of map flow not found\" (column 1)"},
      {"site: a: b", not_yaml + "\"illegal map value\" (column 8)"},
      // The parser repeats the byte, and bytes are for no terminal.
      {"site: \"\\\xd0\x84\"", not_yaml + "\"unknown escape character: \\xd0\" (column 10)"},
      {std::string((1 << 20) + 1, '#'),
       "f.yaml: is 1048577 bytes long, at most 1 MiB is read; is this the right file?"},
  });
}

TEST(ConfigMistakes, OfYamlsFinerArts) {
  ExpectMessages({
      {"site: &a {}", "f.yaml:1: anchor \"a\": anchors are not supported; write the value out"},
      {"site: !!map {}",
       "f.yaml:1: tag \"tag:yaml.org,2002:map\": tags are not supported; remove it"},
      {"? [a, b]\n: c", "f.yaml:1: a list or mapping is used as a key; a key is one word"},
      {"? {a: b}\n: c", "f.yaml:1: a list or mapping is used as a key; a key is one word"},
      {"sites: [[[[[[[[[1]]]]]]]]]", "f.yaml:1: is nested deeper than 8 levels"},
      {"<<: {}",
       "f.yaml:1: unknown key \"<<\"; known: site, sites, lines, nodes, tls, detector, linkprobe, "
       "extender, migration, deviceplugin"},
      {"\"\": 1", "f.yaml:1: a key is empty; every value needs a name before its colon"},
      {"~: 1", "f.yaml:1: a key is empty; every value needs a name before its colon"},
  });
}

TEST(ConfigMistakes, OfShape) {
  ExpectMessages({
      {"hello", "f.yaml:1: is \"hello\", expected keys with values"},
      {"[site]", "f.yaml:1: is a list, expected keys with values"},
      {"site: hk", "f.yaml:1: site: is \"hk\", expected keys with values"},
      {"sites: hk", "f.yaml:1: sites: is \"hk\", expected a list"},
      {"sites: {name: hk}", "f.yaml:1: sites: is a mapping, expected a list"},
      {"sites:\n - hk\n", "f.yaml:2: sites[0]: is \"hk\", expected keys with values"},
      {"sites: [{name: [hk]}]", "f.yaml:1: sites[0].name: is a list, expected a single value"},
      {"detector: {window: }",
       "f.yaml:1: detector.window: has no value; give one or remove the key"},
      {"tls: {plaintext: yes}", "f.yaml:1: tls.plaintext: \"yes\" is neither true nor false"},
      {"tls: {plaintext: \"true\"}",
       "f.yaml:1: tls.plaintext: is the text \"true\", expected true or false; remove the quotes"},
      {"detector: {windowsBad: \"3\"}",
       "f.yaml:1: detector.windowsBad: is the text \"3\", expected a number; remove the quotes"},
      {"linkprobe: {device: \"\"}",
       "f.yaml:1: linkprobe.device: is empty; give a value or remove the key"},
  });
}

TEST(ConfigMistakes, OfKeys) {
  ExpectMessages({
      {"detektor: {}", "f.yaml:1: unknown key \"detektor\"; did you mean detector?"},
      {"detector:\n  windows_bad: 8",
       "f.yaml:2: detector: unknown key \"windows_bad\"; did you mean windowsBad?"},
      {"sites: [{nme: hk, name: sg}]",
       "f.yaml:1: sites[0]: unknown key \"nme\"; did you mean name?"},
      {"site: {}\nsite: {}",
       "f.yaml:2: key \"site\" was given before, on line 1; keep one of them"},
      {"sites: [{}]", "f.yaml:1: sites[0].name: is missing; add it"},
  });
}

TEST(ConfigMistakes, OfSitesLinesAndNodes) {
  const std::string two = "sites: [{name: hk}, {name: sg}]\n";
  ExpectMessages({
      {"site: {nodeLabel: \"a b\"}",
       "f.yaml:1: site.nodeLabel: \"a b\" is not a label key; write it like "
       "topology.kubernetes.io/region"},
      {"sites: [{name: hk, latitude: 91, longitude: 0}]",
       "f.yaml:1: sites[0].latitude: \"91\" is outside -90..90"},
      {"sites: [{name: hk, latitude: nan, longitude: 0}]",
       "f.yaml:1: sites[0].latitude: \"nan\" is not a number; write it like 10 or 0.5"},
      {"sites: [{name: hk, latitude: 1}]",
       "f.yaml:1: sites[0].latitude: needs longitude beside it"},
      {"sites: [{name: hk, longitude: 1}]",
       "f.yaml:1: sites[0].longitude: needs latitude beside it"},
      {"sites: [{name: hk},\n {name: hk}]",
       "f.yaml:2: sites[1].name: site \"hk\" is listed twice; keep one"},
      {two + "lines: [{between: [hk, sgg]}]",
       "f.yaml:2: lines[0].between: site \"sgg\" is unknown; did you mean sg?"},
      {two + "lines: [{between: [hk, hk]}]",
       "f.yaml:2: lines[0].between: names \"hk\" twice; a line joins two different sites"},
      {two + "lines: [{between: [hk]}]",
       "f.yaml:2: lines[0].between: names 1 sites, expected two: between: [hk, sg]"},
      {two + "lines: [{between: [hk, [sg]]}]",
       "f.yaml:2: lines[0].between: holds something other than site names: between: [hk, sg]"},
      {two + "lines: [{capacity: 1Gbps}]", "f.yaml:2: lines[0].between: is missing; add it"},
      {two + "lines: [{between: [hk, sg], capacity: 0bps}]",
       "f.yaml:2: lines[0].capacity: is 0; remove the key if the capacity is not known"},
      {two + "lines: [{between: [hk, sg]}, {between: [sg, hk]}]",
       "f.yaml:2: lines[1].between: the line sg-hk is listed twice; keep one"},
      {"nodes: [{name: a, site: hk, hcas: 1}]",
       "f.yaml:1: nodes[0].site: site \"hk\" is unknown; list it under sites"},
      {two + "nodes: [{name: a, site: hk, hcas: -1}]",
       "f.yaml:2: nodes[0].hcas: \"-1\" is not a whole number from 0 to 1024"},
      {two + "nodes: [{name: a, site: hk}]", "f.yaml:2: nodes[0].hcas: is missing; add it"},
      {two + "nodes: [{name: a, site: hk, hcas: 1}, {name: a, site: sg, hcas: 1}]",
       "f.yaml:2: nodes[1].name: node \"a\" is listed twice; keep one"},
      {two + "nodes: [{name: ../a, site: hk, hcas: 1}]",
       "f.yaml:2: nodes[0].name: \"../a\" is not a node name; use lower-case letters, digits, '-' "
       "and '.', as kubectl get nodes shows it"},
  });
}

TEST(ConfigMistakes, OfProgramsAndDetector) {
  ExpectMessages({
      {"detector: {bandRatio: 3}",
       "f.yaml:1: detector.bandRatio: ratio \"3\" is outside 0..1; 3% is written 3% or 0.03"},
      {"detector: {windowsBad: 11}",
       "f.yaml:1: detector.windowsBad: 11 is more than windowsConsidered 10; m of n needs m <= n"},
      {"detector: {windowsConsidered: 5}",
       "f.yaml:1: detector.windowsBad: 8 is more than windowsConsidered 5; m of n needs m <= n"},
      {"detector: {lossCritical: 0.0001}",
       "f.yaml:1: detector.lossCritical: is below lossDegraded; critical is the larger loss"},
      {"detector: {baselineSpan: 5s}",
       "f.yaml:1: detector.baselineSpan: 5s is too short to hold 10 windows of 1s; raise it or "
       "lower baselineWindows"},
      {"detector: {dwell: 10m}",
       "f.yaml:1: detector.flapPenaltyMax: 5m is shorter than dwell 10m; a penalty never shortens "
       "the dwell"},
      {"detector: {window: 0s}", "f.yaml:1: detector.window: \"0s\" is outside 10ms..24h"},
      {"tls: {keyFile: k, caFile: c}",
       "f.yaml:1: tls.certificateFile: is missing; TLS needs all three files"},
      {"tls: {certificateFile: a, keyFile: b, caFile: c, plaintext: true}",
       "f.yaml:1: tls.plaintext: is true beside TLS files; remove one or the other"},
      {"linkprobe: {transport: verb}",
       "f.yaml:1: linkprobe.transport: transport \"verb\" is unknown; did you mean verbs?"},
      {"linkprobe: {extender: host}",
       "f.yaml:1: linkprobe.extender: \"host\" is not an address with a port; write it like "
       "0.0.0.0:9471 or [::]:9471"},
      {"linkprobe: {extender: \"host:0\"}",
       "f.yaml:1: linkprobe.extender: \"host:0\" has port 0, which nobody can dial; name the port"},
      {"linkprobe: {pluginSocket: run/x}",
       "f.yaml:1: linkprobe.pluginSocket: \"run/x\" is not an absolute path; begin it with /, or "
       "write \"\" for none"},
      {"linkprobe: {opsListen: \"::1:5\"}",
       "f.yaml:1: linkprobe.opsListen: \"::1:5\" is not an address with a port; write it like "
       "0.0.0.0:9471 or [::]:9471"},
      {"linkprobe: {opsListen: \"a:65536\"}",
       "f.yaml:1: linkprobe.opsListen: port of \"a:65536\": \"65536\" is not a whole number from 0 "
       "to 65535"},
      {"linkprobe: {udpListen: \"a:65535\", paths: 2}",
       "f.yaml:1: linkprobe.udpListen: leaves no port for each of 2 paths; choose a lower port"},
      {"linkprobe: {reportWindow: 1s, reportInterval: 2s}",
       "f.yaml:1: linkprobe.reportWindow: is shorter than reportInterval; probes in between would "
       "never be reported"},
      {"extender: {kubernetes: {mode: auto}}",
       "f.yaml:1: extender.kubernetes.mode: mode \"auto\" is unknown; known: standalone, "
       "inCluster, kubeconfig"},
      {"extender:\n  kubernetes: {mode: kubeconfig}",
       "f.yaml:2: extender.kubernetes.kubeconfig: is missing; mode kubeconfig needs the file's "
       "path"},
      {"extender: {bandwidth: {bytesPerDay: 1MB}}",
       "f.yaml:1: extender.bandwidth.bytesPerDay: 1MB does not suffice for one test, which takes "
       "up to 30MB"},
      {"extender: {bandwidth: {saturation: true, bytesPerDay: 1GB}}",
       "f.yaml:1: extender.bandwidth.bytesPerDay: 1GB does not suffice for one test, which takes "
       "up to 4GB"},
      {"extender: {bandwidth: {mostUse: 1.5}}",
       "f.yaml:1: extender.bandwidth.mostUse: ratio \"1.5\" is outside 0..1; 3% is written 3% or "
       "0.03"},
      {"linkprobe: {bandwidthLedger: \"\"}",
       "f.yaml:1: linkprobe.bandwidthLedger: is empty; give a value or remove the key"},
      {"extender: {prometheus: {url: prometheus, queries: [{name: a, value: rtt, query: x, "
       "fromLabel: s, toLabel: d}]}}",
       "f.yaml:1: extender.prometheus.url: \"prometheus\" is no address of a Prometheus; write "
       "https://HOST:PORT"},
      {"extender: {prometheus: {queries: [{name: a, value: rtt, query: x, fromLabel: s, toLabel: "
       "d}]}}",
       "f.yaml:1: extender.prometheus.url: is missing; write https://HOST:PORT of the Prometheus "
       "to "
       "ask"},
      {"extender:\n  prometheus: {url: https://p:9090}",
       "f.yaml:2: extender.prometheus.queries: are none; a Prometheus that is asked nothing tells "
       "nothing"},
      {"extender: {prometheus: {url: https://p:9090, interval: 60s, staleAfter: 60s, queries: "
       "[{name: a, value: rtt, query: x, fromLabel: s, toLabel: d}]}}",
       "f.yaml:1: extender.prometheus.staleAfter: is not longer than interval; each value would be "
       "forgotten before it is renewed"},
      {"extender: {prometheus: {url: https://p:9090, queries: [{name: a, value: speed, query: x, "
       "fromLabel: s, toLabel: d}]}}",
       "f.yaml:1: extender.prometheus.queries[0].value: value \"speed\" is unknown; known: rtt, "
       "loss, utilisation"},
      {"extender: {prometheus: {url: https://p:9090, queries: [{name: a, value: rtt, query: x, "
       "fromLabel: s}]}}",
       "f.yaml:1: extender.prometheus.queries[0].toLabel: is missing; both ends are needed"},
      {"extender: {prometheus: {url: https://p:9090, queries: [{name: a, value: rtt, query: x}]}}",
       "f.yaml:1: extender.prometheus.queries[0].from: says the line with from and to, or with "
       "fromLabel and toLabel: one of them"},
      {"sites: [{name: hk}, {name: sg}]\nextender: {prometheus: {url: https://p:9090, queries: "
       "[{name: a, value: rtt, query: x, from: hk, to: lon}]}}",
       "f.yaml:2: extender.prometheus.queries[0].to: \"lon\" is not one of the sites"},
      {"sites: [{name: hk}, {name: sg}]\nextender: {prometheus: {url: https://p:9090, queries: "
       "[{name: a, value: rtt, query: x, from: hk, to: hk}]}}",
       "f.yaml:2: extender.prometheus.queries[0].to: is the same site as from; a line joins two"},
      {"extender: {kubernetes: {context: a}}",
       "f.yaml:1: extender.kubernetes.context: is only used with mode: kubeconfig; remove it"},
      {"extender: {kubernetes: {tokenAudience: \"\"}}",
       "f.yaml:1: extender.kubernetes.tokenAudience: is empty; tokens for the API server itself "
       "would then prove a probe"},
      {"extender: {kubernetes: {probeServiceAccount: probe}}",
       "f.yaml:1: extender.kubernetes.probeServiceAccount: \"probe\" is no service account; write "
       "it like fairlead/fairlead-linkprobe"},
      {"sites: [{name: hk}]\nnodes: [{name: a, site: hk, hcas: 1}]\n"
       "extender: {kubernetes: {mode: inCluster}}",
       "f.yaml:3: extender.kubernetes.mode: is not standalone, but nodes lists nodes, which then "
       "come from the API server; remove one or the other"},
      {"extender:\n  clientCertificates: true",
       "f.yaml:2: extender.clientCertificates: is true, but nothing says whose certificates are "
       "trusted; set tls.caFile and the other TLS files"},
      {"extender: {staleAfter: 30}",
       "f.yaml:1: extender.staleAfter: duration \"30\" has no unit (one of ns, us, ms, s, m, h); "
       "write it like 250ms"},
  });
}

TEST(ConfigMistakes, OfNumbersThatLookOctal) {
  const auto message = [](const std::string& key, const std::string& value) {
    return "f.yaml:1: " + key + ": \"" + value +
           "\" has a leading zero; numbers are decimal, write it without";
  };
  const std::string sites = "sites: [{name: hk}, {name: sg}]";
  ExpectMessages({
      {"{" + sites + ", nodes: [{name: a, site: hk, hcas: 010}]}", message("nodes[0].hcas", "010")},
      {"{" + sites + ", nodes: [{name: a, site: hk, hcas: 00}]}", message("nodes[0].hcas", "00")},
      {"{" + sites + ", lines: [{between: [hk, sg], capacity: 010Gbps}]}",
       message("lines[0].capacity", "010Gbps")},
      {"sites: [{name: hk, latitude: -022, longitude: 1}]", message("sites[0].latitude", "-022")},
      {"detector: {windowsBad: 08}", message("detector.windowsBad", "08")},
      {"detector: {windowsConsidered: 010}", message("detector.windowsConsidered", "010")},
      {"detector: {baselineWindows: 010}", message("detector.baselineWindows", "010")},
      {"detector: {bandRatio: 03%}", message("detector.bandRatio", "03%")},
      {"detector: {window: 01s}", message("detector.window", "01s")},
      {"linkprobe: {trafficClass: 010}", message("linkprobe.trafficClass", "010")},
      {"linkprobe: {paths: 01}", message("linkprobe.paths", "01")},
      {"linkprobe: {probesPerSecond: 010}", message("linkprobe.probesPerSecond", "010")},
      {"linkprobe: {opsListen: \"0.0.0.0:09471\"}",
       "f.yaml:1: linkprobe.opsListen: \"0.0.0.0:09471\" has a port with a leading zero; write it "
       "without"},
      {"extender: {representativesPerSite: 03}", message("extender.representativesPerSite", "03")},
      {"extender: {neighboursInSite: 02}", message("extender.neighboursInSite", "02")},
  });
  EXPECT_TRUE(ParseConfig("{" + sites + ", nodes: [{name: a, site: hk, hcas: 0}]}", "f.yaml"));
  EXPECT_TRUE(ParseConfig("detector: {bandRatio: 0.05, dwell: 0s}", "f.yaml"));
}

TEST(ConfigMistakes, OfListenersThatClash) {
  ExpectMessages({
      {"extender:\n  httpListen: 0.0.0.0:1\n  grpcListen: 127.0.0.1:1\n  opsListen: 10.0.0.1:1\n",
       "f.yaml:3: extender.grpcListen: 127.0.0.1:1 clashes with extender.httpListen 0.0.0.0:1; "
       "give "
       "each a port of its own\n"
       "f.yaml:4: extender.opsListen: 10.0.0.1:1 clashes with extender.httpListen 0.0.0.0:1; give "
       "each a port of its own"},
      {"extender: {httpListen: \"0.0.0.0:9472\"}",
       "f.yaml:1: extender.opsListen: 0.0.0.0:9472 clashes with extender.httpListen 0.0.0.0:9472; "
       "give each a port of its own"},
      {"linkprobe: {opsListen: \"[::]:7471\"}",
       "f.yaml:1: linkprobe.opsListen: [::]:7471 clashes with linkprobe.sessionListen "
       "0.0.0.0:7471; "
       "give each a port of its own"},
  });
  // UDP and TCP have ports of their own.
  EXPECT_TRUE(ParseConfig("linkprobe: {udpListen: \"0.0.0.0:9471\"}", "f.yaml"));
}

TEST(ConfigMistakes, AreReportedTogetherInTheOrderOfTheFile) {
  ExpectMessages(
      {{"extender: {staleAfter: 30s, gangTtl: 5}\nsites: [{name: hk, latitude: 99}]\n"
        "sites: []\ndetektor: 1\n",
        "f.yaml:1: extender.gangTtl: duration \"5\" has no unit (one of ns, us, ms, s, "
        "m, h); write it like 250ms\n"
        "f.yaml:2: sites[0].latitude: \"99\" is outside -90..90\n"
        "f.yaml:2: sites[0].latitude: needs longitude beside it\n"
        "f.yaml:3: key \"sites\" was given before, on line 2; keep one of them\n"
        "f.yaml:4: unknown key \"detektor\"; did you mean detector?"}});
}

TEST(ConfigMistakes, AreCutWhereThereAreTooMany) {
  std::string yaml;
  for (int i = 0; i < 120; ++i) yaml += "key" + std::to_string(i) + ": 1\n";
  const std::string message = ParseConfig(yaml, "f.yaml").error().message;
  EXPECT_TRUE(message.ends_with("\nand 70 more")) << message;
}

TEST(ConfigMistakes, OfSizeEndSoon) {
  std::string keys;
  for (int i = 0; i < 70'000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  std::string items = "nodes:\n";
  for (int i = 0; i < 30'000; ++i) items += "- {name: n" + std::to_string(i) + "}\n";
  const std::string brackets(1'000'000, '[');
  std::string dashes;
  for (int i = 0; i < 300'000; ++i) dashes += "- ";
  for (const std::string& yaml : {keys, items, brackets, dashes}) {
    EXPECT_FALSE(ParseConfig(yaml, "f.yaml"));
  }
}

}  // namespace
}  // namespace fairlead
