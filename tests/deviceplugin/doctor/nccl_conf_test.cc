// The file as NCCL reads it: what is set, what is a comment, and what stands in for missing facts.
#include "deviceplugin/doctor/nccl_conf.h"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/deviceplugin/doctor/facts.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using Env = std::map<std::string, std::string>;

// By the rules of setEnvFile in NCCL's src/misc/param.cc.
Env AsNcclReads(const std::string& text) {
  Env env;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] == '#') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    env.emplace(line.substr(0, std::min<std::size_t>(equals, 1023)), line.substr(equals + 1, 1023));
  }
  return env;
}

// Comments as they were before they were broken into lines.
std::string Unwrapped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool broken = text.compare(at, 3, "\n# ") == 0 && at > 0 && text[at - 1] != '\n';
    out += broken ? ' ' : text[at];
    if (broken) at += 2;
  }
  return out;
}

NcclJob Job() {
  NcclJob job;
  job.hcas = {std::make_shared<const Hca>(WellHca())};
  job.settings.resource = "rdma/hca";
  job.settings.priority.traffic_class = 106;
  return job;
}

const Env kEnv{{"NCCL_IB_HCA", "=mlx5_0:1"},
               {"NCCL_IB_ADDR_FAMILY", "AF_INET"},
               {"NCCL_IB_TC", "106"},
               {"NCCL_IB_TIMEOUT", "20"},
               {"NCCL_IB_RETRY_CNT", "7"}};

SiteLines Lines() {
  LineFacts sg = LineTo("sg", Milliseconds(30), 100'000'000'000);
  sg.rtt_age = Seconds(12);
  sg.loss = {0.0, 0.00012};
  return {.site = "hk", .lines = {sg, LineTo("tyo", Milliseconds(48), 40'000'000'000)}};
}

std::string TextOf(const NcclJob& job, Known<SiteLines> lines, const Env& env = kEnv) {
  return NcclConfText(
      {.job = job, .env = env, .lines = std::move(lines), .default_route = std::string("eno1")});
}

TEST(NcclConf, HasTheValuesForTheWorstLine) {
  const std::string text = TextOf(Job(), Lines());
  EXPECT_THAT(AsNcclReads(text),
              ElementsAre(Pair("NCCL_BUFFSIZE", "33554432"), Pair("NCCL_IB_ADDR_FAMILY", "AF_INET"),
                          Pair("NCCL_IB_HCA", "=mlx5_0:1"), Pair("NCCL_IB_RETRY_CNT", "7"),
                          Pair("NCCL_IB_TC", "106"), Pair("NCCL_IB_TIMEOUT", "20"),
                          Pair("NCCL_MIN_CTAS", "12")));
  EXPECT_THAT(
      Unwrapped(text),
      HasSubstr("Worst line of site hk: the line to sg (30 ms, 100 Gbps), with 375 MB under "
                "way to fill it. The RTT is the median that linkprobe measured 12 s ago. "
                "Its probes lose 0 % to 0.012 %."));
}

TEST(NcclConf, SaysTheReasonBeforeEachLine) {
  std::string before;
  std::istringstream lines(TextOf(Job(), Lines()));
  int settings = 0;
  for (std::string line; std::getline(lines, line); before = line) {
    EXPECT_LE(line.size(), 100U);
    if (line.empty() || line[0] == '#') continue;
    ++settings;
    EXPECT_THAT(before, testing::StartsWith("# ")) << line;
  }
  EXPECT_EQ(settings, 7);
}

TEST(NcclConf, SaysWhatIsLeftToNcclAndWhy) {
  const std::string text = TextOf(Job(), Lines());
  EXPECT_THAT(text, HasSubstr("# Left to NCCL:\n"));
  EXPECT_THAT(text, HasSubstr("\n# NCCL_ALGO: "));
  EXPECT_THAT(Unwrapped(text), HasSubstr("NCCL_IB_QPS_PER_CONNECTION: One is enough"));
  EXPECT_THAT(text, Not(HasSubstr("GDR_LEVEL"))) << "nobody knows this container's GPUs";
}

TEST(NcclConf, WithoutFactsOfALineSaysSoAndKeepsWhatNeedsNone) {
  for (const Known<SiteLines>& lines :
       {Known<SiteLines>::Not("the site of this node is not known; give --site NAME"),
        Known<SiteLines>(SiteLines{.site = "hk", .lines = {}})}) {
    const std::string text = Unwrapped(TextOf(Job(), lines));
    EXPECT_EQ(AsNcclReads(TextOf(Job(), lines)), kEnv);
    EXPECT_THAT(text, HasSubstr("No facts of a line: "));
    EXPECT_THAT(text, HasSubstr("What depends on one is left to NCCL."));
  }
}

TEST(NcclConf, TakesLightInFibreForAnRttThatNobodyMeasured) {
  SiteLines lines{.site = "hk", .lines = {LineTo("sg", Milliseconds(25), 100'000'000'000)}};
  lines.lines[0].rtt_source = RttSource::kFloor;
  const std::string text = TextOf(Job(), lines);
  EXPECT_THAT(Unwrapped(text), HasSubstr("at least 25 ms"));
  EXPECT_THAT(Unwrapped(text), HasSubstr("The RTT is not measured here"));
  EXPECT_EQ(AsNcclReads(text).count("NCCL_BUFFSIZE"), 1U);
}

TEST(NcclConf, ThePoolsOwnValueGoesBeforeAnAdvice) {
  Env env = kEnv;
  env["NCCL_IB_SL"] = "3";  // on RoCE no advice would set it
  const std::string text = TextOf(Job(), Lines(), env);
  EXPECT_EQ(AsNcclReads(text).at("NCCL_IB_SL"), "3");
  EXPECT_THAT(text, HasSubstr("# Of the pool.\nNCCL_IB_SL=3\n"));
}

TEST(NcclConf, OnTheHostsNetworkNamesTheInterface) {
  NcclJob job = Job();
  job.settings.network = PodNetwork::kHost;
  Env env = kEnv;
  env["NCCL_IB_GID_INDEX"] = "3";
  const Env read = AsNcclReads(TextOf(job, Lines(), env));
  EXPECT_EQ(read.at("NCCL_SOCKET_IFNAME"), "=eno1");
  EXPECT_EQ(read.at("NCCL_IB_GID_INDEX"), "3");
}

TEST(NcclConf, CountsTheContainersOwnHcasOnly) {
  NcclJob job = Job();
  Hca second = WellHca();
  second.name = "mlx5_1";
  job.hcas.push_back(std::make_shared<const Hca>(second));
  LineFacts wide = LineTo("sg", Milliseconds(30), 400'000'000'000);
  const SiteLines lines{.site = "hk", .lines = {wide}};
  EXPECT_THAT(TextOf(Job(), lines), HasSubstr("(30 ms, 100 Gbps)"));
  EXPECT_THAT(TextOf(job, lines), HasSubstr("(30 ms, 200 Gbps)"));
}

TEST(NcclConf, TakesWhatNcclWouldReadWholeOnly) {
  EXPECT_TRUE(FitsNcclConf("NCCL_IB_HCA", std::string(1023, 'x')));
  EXPECT_FALSE(FitsNcclConf("NCCL_IB_HCA", std::string(1024, 'x')));
  EXPECT_FALSE(FitsNcclConf("NCCL_IB_HCA", "a\nb"));
  EXPECT_FALSE(FitsNcclConf("UCX_NET_DEVICES", "mlx5_0:1"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
