#include "deviceplugin/doctor_facts/probe_rtts.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <thread>

#include "common/base/file_descriptor.h"
#include "deviceplugin/doctor_facts/whereabouts.h"

namespace fairlead::deviceplugin {
namespace {

constexpr const char* kMetrics = R"(# HELP fairlead_linkprobe_rtt_p50_seconds Median
# TYPE fairlead_linkprobe_rtt_p50_seconds gauge
fairlead_linkprobe_rtt_p50_seconds{src_site="hk",dst_site="sg",peer="sg-1",path="0",transport="udp_sw"} 0.0361
fairlead_linkprobe_rtt_p50_seconds{src_site="hk",dst_site="sg",peer="sg-1",path="1",transport="udp_sw"} 0.0365
fairlead_linkprobe_rtt_p50_seconds{src_site="hk",dst_site="hk",peer="hk-2",path="0",transport="udp_sw"} 0.0002
fairlead_linkprobe_rtt_p50_seconds{src_site="hk",dst_site="us",peer="us-1",path="0",transport="udp_sw"} NaN
fairlead_linkprobe_rtt_p50_seconds{src_site="hk",dst_site="xx"
fairlead_linkprobe_rtt_p99_seconds{src_site="hk",dst_site="tyo"} 0.1
fairlead_linkprobe_peer_difference{src_site="hk",dst_site="sg",peer="sg-1",path="0",transport="rdma_ud_sw",trait="path_mtu",here="4096",there="1024"} 1
fairlead_linkprobe_peer_difference{src_site="hk",dst_site="sg",peer="sg-1",path="1",transport="rdma_ud_sw",trait="path_mtu",there="1024",here="4096"} 1
fairlead_linkprobe_peer_difference{} 1
fairlead_linkprobe_spurious_retransmission{device="mlx5_0",port="1",cause="adaptive_timer"} 0
fairlead_linkprobe_spurious_retransmission{device="mlx5_0",port="1",cause="peers"} 1
fairlead_linkprobe_spurious_retransmission{device="mlx5_1",port="x",cause="peers"} 1
)";

TEST(ProbeRttsTest, TheSlowestPathToEachOtherSite) {
  const ProbeRtts rtts = ParseProbeMetrics(kMetrics);
  EXPECT_EQ(rtts.site, "hk");
  const std::map<std::string, Nanoseconds> expected{{"sg", Nanoseconds(36'500'000)}};
  EXPECT_EQ(rtts.rtts, expected);
}

TEST(ProbeRttsTest, EachDifferenceFromAPeerOnce) {
  const std::vector<PeerDifference> expected{
      {.trait = "path_mtu", .here = "4096", .there = "1024", .peer = "sg-1", .site = "sg"}};
  EXPECT_EQ(ParseProbeMetrics(kMetrics).differences, expected);
}

TEST(ProbeRttsTest, PortsThatSeePacketsAgain) {
  const std::vector<ResendingPort> expected{{.device = "mlx5_0", .port = 1, .cause = "peers"}};
  EXPECT_EQ(ParseProbeMetrics(kMetrics).resending, expected);
}

TEST(ProbeRttsTest, OddTextGivesNothing) {
  EXPECT_TRUE(ParseProbeMetrics("").rtts.empty());
  EXPECT_TRUE(ParseProbeMetrics("fairlead_linkprobe_rtt_p50_seconds{").rtts.empty());
  EXPECT_TRUE(ParseProbeMetrics("fairlead_linkprobe_rtt_p50_seconds{}").rtts.empty());
  EXPECT_TRUE(ParseProbeMetrics("fairlead_linkprobe_rtt_p50_seconds{src_site=\"a").rtts.empty());
}

// A socket of the loopback that listens, and its port.
std::pair<FileDescriptor, std::uint16_t> Listen() {
  FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(fd.get(), generic, size), 0);
  EXPECT_EQ(getsockname(fd.get(), generic, &size), 0);
  EXPECT_EQ(listen(fd.get(), 1), 0);
  return {std::move(fd), ntohs(address.sin_port)};
}

TEST(ProbeRttsTest, WhoeverAnswersIsAsked) {
  const auto [listener, port] = Listen();
  const std::jthread server([&, fd = listener.get()] {
    const FileDescriptor client(accept(fd, nullptr, nullptr));
    std::array<char, 512> request;
    EXPECT_GT(recv(client.get(), request.data(), request.size(), 0), 0);
    const std::string answer = std::string("HTTP/1.0 200 OK\r\n\r\n") + kMetrics;
    EXPECT_EQ(send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(answer.size()));
  });
  const auto rtts = AskProbe(port, Seconds(60));
  ASSERT_TRUE(rtts) << rtts.error().message;
  EXPECT_EQ(rtts->site, "hk");
}

TEST(ProbeRttsTest, NobodyThereIsAnError) {
  std::uint16_t port = 0;
  { port = Listen().second; }
  EXPECT_FALSE(AskProbe(port, Seconds(60)));
}

TEST(ProbeRttsTest, WhoSaysNothingIsNotAwaited) {
  const auto [listener, port] = Listen();
  EXPECT_FALSE(AskProbe(port, Milliseconds(5)));
}

Config OneNode(std::uint16_t probe_port) {
  Config config;
  config.linkprobe.ops_listen.port = probe_port;
  config.nodes = {{.name = "hk-1", .site = "hk", .hcas = 8}};
  return config;
}

TEST(WhereaboutsTest, WithoutAProbeTheListOfNodesTellsTheSite) {
  std::uint16_t port = 0;
  { port = Listen().second; }
  const Config config = OneNode(port);
  EXPECT_EQ(FindWhereabouts(config, {.site = "", .node_name = "hk-1", .rtts = {}}).site, "hk");
  EXPECT_EQ(FindWhereabouts(config, {.site = "", .node_name = "other", .rtts = {}}).site, "");
  const Whereabouts asked = FindWhereabouts(
      config, {.site = "sg", .node_name = "hk-1", .rtts = {{"hk", Milliseconds(36)}}});
  EXPECT_EQ(asked.site, "sg");
  EXPECT_EQ(asked.rtts.at("hk").source, RttSource::kGiven);
}

constexpr MonotonicTime kNow{Seconds(10'000)};

HeardLines Heard(const std::string& site) {
  return {.site = site,
          .lines = {{.peer = "sg",
                     .rtt = Milliseconds(36),
                     .at = kNow - Seconds(4),
                     .loss = {{0.0, 0.001}},
                     .capacity_bits_per_second = 7},
                    {.peer = "us", .rtt = Milliseconds(150), .at = kNow - Seconds(601)}}};
}

TEST(WhereaboutsTest, WhatWasHeardOverTheSocketGoesBeforeTheListOfNodes) {
  const Whereabouts heard = HeardWhereabouts(OneNode(1), "hk-1", Heard("sin"), kNow);
  EXPECT_EQ(heard.site, "sin");
  ASSERT_EQ(heard.rtts.size(), 1U) << "the other one is stale";
  const KnownRtt& sg = heard.rtts.at("sg");
  EXPECT_EQ(sg.rtt, Milliseconds(36));
  EXPECT_EQ(sg.source, RttSource::kMeasured);
  EXPECT_EQ(sg.age, Seconds(4));
  EXPECT_EQ(HeardWhereabouts(OneNode(1), "hk-1", {}, kNow).site, "hk");
}

TEST(WhereaboutsTest, WhatIsKnownAlreadyStays) {
  Whereabouts out{.site = "hk", .rtts = {{"sg", {.rtt = Milliseconds(90)}}}};
  AddHeard(Heard("hk"), kNow, out);
  EXPECT_EQ(out.rtts.at("sg").rtt, Milliseconds(90));
  out = {.site = "tyo", .rtts = {}};
  AddHeard(Heard("hk"), kNow, out);
  EXPECT_TRUE(out.rtts.empty()) << "another site's lines are others";
}

}  // namespace
}  // namespace fairlead::deviceplugin
