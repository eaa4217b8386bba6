#include "common/config/restart_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/base/file.h"
#include "common/config/document.h"
#include "common/config/parse.h"

namespace fairlead {
namespace {

std::string Pending(Program program, const std::string& before, const std::string& after) {
  return PendingKeys(CompareRestartKeys(program, ParseConfig(before, "a").value(),
                                        ParseConfig(after, "b").value()));
}

TEST(RestartKeys, AreThoseThatTheProgramReadsAtItsStart) {
  const std::string before = "extender: {gangTtl: 5s}\n";
  const struct {
    std::string after;
    std::string extender;
    std::string linkprobe;
  } kCases[] = {
      {before, "", ""},
      {"extender: {gangTtl: 6s, staleAfter: 5s, representativesPerSite: 1}", "", ""},
      {"{sites: [{name: hk}], nodes: [{name: a, site: hk, hcas: 1}], detector: {window: 2s}}", "",
       ""},
      {"extender: {httpListen: \"0.0.0.0:1\"}", "extender.httpListen", ""},
      {"extender: {gangTtl: 6s, grpcListen: \"0.0.0.0:1\", tokenDirectory: /t}",
       "extender.grpcListen, extender.tokenDirectory", ""},
      {"extender: {gangTtl: 5s, volcanoScale: 2, fineScale: 10}", "", ""},
      {"{tls: {certificateFile: a, keyFile: b, caFile: c}, extender: {clientCertificates: true}}",
       "tls.certificateFile, tls.keyFile, tls.caFile, extender.clientCertificates",
       "tls.certificateFile, tls.keyFile, tls.caFile"},
      {"tls: {plaintext: true}", "tls.plaintext", "tls.plaintext"},
      {"tls: {certificateFile: a, keyFile: b, caFile: c}",
       "tls.certificateFile, tls.keyFile, tls.caFile",
       "tls.certificateFile, tls.keyFile, tls.caFile"},
      {"linkprobe: {paths: 2, transport: udp, probesPerSecond: 5}", "",
       "linkprobe.transport, linkprobe.paths, linkprobe.probesPerSecond"},
      {"linkprobe: {extender: \"a:1\", sessionListen: \"a:2\", sessionAdvertise: \"a:3\", "
       "peerCertificateName: p.q, opsListen: \"a:4\", udpListen: \"a:5\", device: d, trafficClass: "
       "1, reportWindow: 5s, reportInterval: 2s, tokenFile: t, pluginSocket: /p, bandwidthLedger: "
       "/l}",
       "",
       "linkprobe.extender, linkprobe.sessionListen, linkprobe.sessionAdvertise, "
       "linkprobe.peerCertificateName, linkprobe.opsListen, linkprobe.udpListen, linkprobe.device, "
       "linkprobe.trafficClass, linkprobe.reportWindow, linkprobe.reportInterval, "
       "linkprobe.tokenFile, "
       "linkprobe.pluginSocket, linkprobe.bandwidthLedger"},
      {"extender: {gangTtl: 5s, bandwidth: {saturation: true}}", "", ""},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Pending(Program::kExtender, before, c.after), c.extender) << c.after;
    EXPECT_EQ(Pending(Program::kLinkprobe, before, c.after), c.linkprobe) << c.after;
  }
}

TEST(RestartKeys, OfThePluginAreItsSocketsAndFiles) {
  EXPECT_EQ(
      Pending(Program::kDeviceplugin, "tls: {plaintext: false}",
              "tls: {plaintext: true}\ndeviceplugin: {outage: 1m, removeAfter: 1m, cdi: true}"),
      "");
  EXPECT_EQ(
      Pending(Program::kDeviceplugin, "tls: {plaintext: false}",
              "deviceplugin: {opsListen: \"a:1\", kubeletDirectory: /k, registration: registry, "
              "cdiDirectory: /c, gpus: {advertise: true}, nfdFeatureFile: /n, probeSocket: /p, "
              "ncclConfDirectory: /d}"),
      "deviceplugin.opsListen, deviceplugin.kubeletDirectory, deviceplugin.registration, "
      "deviceplugin.cdiDirectory, deviceplugin.gpus, deviceplugin.nfdFeatureFile, "
      "deviceplugin.probeSocket, deviceplugin.ncclConfDirectory");
}

// A key that is added to the file must be on one of the two lists.
TEST(RestartKeys, AndLiveOnesAreAllKeysOfTheShippedExample) {
  std::set<std::string, std::less<>> known{
      "extender.bandwidth",        "extender.representativesPerSite",
      "extender.neighboursInSite", "extender.staleAfter",
      "extender.gangTtl",          "extender.volcanoScale",
      "extender.fineScale",        "deviceplugin.pools",
      "deviceplugin.gidAllow",     "deviceplugin.gidDeny",
      "deviceplugin.outage",       "deviceplugin.health",
      "deviceplugin.removeAfter",  "deviceplugin.cdi"};
  for (const Program program : {Program::kExtender, Program::kLinkprobe, Program::kDeviceplugin}) {
    for (const RestartKey& key : CompareRestartKeys(program, {}, {})) {
      known.insert(std::string(key.key));
    }
  }
  std::set<std::string, std::less<>> shipped{"tls.plaintext",  // stands for the files
                                                               // Shown there as comments.
                                             "deviceplugin.gidAllow", "deviceplugin.gidDeny",
                                             "deviceplugin.nfdFeatureFile"};
  Problems problems;
  const DocumentNode root =
      ReadDocument(ReadFile("deploy/fairlead.yaml", 1U << 20).value(), problems);
  for (const DocumentNode& section : root.children) {
    if (section.key != "tls" && section.key != "extender" && section.key != "linkprobe" &&
        section.key != "deviceplugin") {
      continue;
    }
    for (const DocumentNode& key : section.children) shipped.insert(section.key + "." + key.key);
  }
  EXPECT_EQ(known, shipped);
}

TEST(RestartKeys, AreToldInWords) {
  EXPECT_EQ(WithPendingKeys("ok", {{"a", false}}), "ok");
  EXPECT_EQ(WithPendingKeys("ok", {{"a", true}, {"b", false}, {"c", true}}),
            "ok; a restart is needed for changed configuration keys: a, c");
}

}  // namespace
}  // namespace fairlead
