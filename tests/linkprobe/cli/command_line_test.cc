#include "linkprobe/cli/command_line.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "linkprobe/cli/ad_hoc.h"
#include "linkprobe/cli/devices.h"
#include "linkprobe/cli/ping_report.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::linkprobe {
namespace {

Result<Command> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "fairlead-linkprobe");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return ParseCommandLine(static_cast<int>(words.size()), argv.data());
}

TEST(CommandLineTest, ReadsEachCommand) {
  const auto daemon = Parse({"--config", "f.yaml", "--node-name=n", "--log-level", "debug"});
  ASSERT_TRUE(daemon);
  EXPECT_EQ(std::get<DaemonCommand>(*daemon).node_name, "n");
  EXPECT_EQ(std::get<DaemonCommand>(*daemon).log_level, LogLevel::kDebug);

  const auto check = Parse({"--check-config", "--config", "f.yaml"});
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(std::get<CheckConfigCommand>(*check).config_file, "f.yaml");

  const auto ping = Parse({"ping", "10.0.0.1", "--key-file", "k", "--count", "5", "--interval",
                           "20ms", "--transport", "udp", "--json"});
  ASSERT_TRUE(ping);
  const auto& command = std::get<PingCommand>(*ping);
  EXPECT_EQ(command.peer, "10.0.0.1:7473");
  EXPECT_EQ(command.count, 5U);
  EXPECT_EQ(command.interval, Nanoseconds(Milliseconds(20)));
  EXPECT_EQ(command.options.transport, TransportKind::kUdp);
  EXPECT_TRUE(command.json);
  EXPECT_EQ(std::get<PingCommand>(*Parse({"ping", "[::1]", "--key-file", "k"})).peer, "[::1]:7473");
  EXPECT_EQ(std::get<PingCommand>(*Parse({"ping", "h:9", "--key-file", "k"})).peer, "h:9");

  EXPECT_EQ(std::get<RespondCommand>(*Parse({"respond", "--key-file", "k"})).listen,
            "0.0.0.0:7473");
  EXPECT_TRUE(std::get<DevicesCommand>(*Parse({"devices", "--json"})).json);

  const auto record = Parse(
      {"record", "a", "b:9", "--key-file", "k", "--out", "o", "--for", "1h", "--interval", "1s"});
  ASSERT_TRUE(record) << record.error().message;
  const auto& recorded = std::get<RecordCommand>(*record);
  EXPECT_EQ(recorded.peers, (std::vector<std::string>{"a:7473", "b:9"}));
  EXPECT_EQ(recorded.length, Nanoseconds(Seconds(3600)));
  EXPECT_EQ(recorded.window, Nanoseconds(Seconds(10)));  // ten probes
  const auto compare =
      Parse({"compare", "a", "b", "--svg", "s", "--confidence", "99%", "--seed", "7"});
  ASSERT_TRUE(compare) << compare.error().message;
  const auto& compared = std::get<CompareCommand>(*compare);
  EXPECT_EQ(compared.after, "b");
  EXPECT_EQ(compared.svg, "s");
  EXPECT_EQ(compared.confidence, 0.99);
  EXPECT_EQ(compared.seed, 7U);
  EXPECT_TRUE(std::holds_alternative<HelpCommand>(*Parse({"ping", "--help"})));
  EXPECT_TRUE(std::holds_alternative<VersionCommand>(*Parse({"--version"})));
  EXPECT_NE(HelpText().find("openssl rand -hex 32"), std::string::npos);
}

TEST(CommandLineTest, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "--config"},
      {{"--config", "f"}, "--node-name"},
      {{"--check-config"}, "--config"},
      {{"--config"}, "needs a value"},
      {{"--config", "f", "--node-name", "n", "--log-level", "loud"}, "loud"},
      {{"pign", "x"}, "pign"},
      {{"ping", "x"}, "--key-file"},
      {{"ping", "--key-file", "k"}, "PEER"},
      {{"ping", "x", "y", "--key-file", "k"}, "PEER"},
      {{"ping", "x", "--key-file", "k", "--count", "0"}, "--count 0"},
      {{"ping", "x", "--key-file", "k", "--count", "-1"}, "--count -1"},
      {{"ping", "x", "--key-file", "k", "--count", "many"}, "many"},
      {{"ping", "x", "--key-file", "k", "--interval", "5"}, "--interval"},
      {{"ping", "x", "--key-file", "k", "--interval", "1us"}, "1us"},
      {{"ping", "x", "--key-file", "k", "--transport", "tcp"}, "tcp"},
      {{"ping", "x", "--key-file", "k", "--paths", "9"}, "--paths 9"},
      {{"ping", "x", "--key-file", "k", "--traffic-class", "256"}, "256"},
      {{"ping", "x", "--key-file", "k", "--config", "f"}, "--config"},
      {{"devices", "all"}, "operand"},
      {{"record", "--key-file", "k", "--out", "o"}, "PEER"},
      {{"record", "a", "--key-file", "k"}, "--out"},
      {{"record", "a", "a:7473", "--key-file", "k", "--out", "o"}, "named twice"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--window", "500ms"}, "--window"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--interval", "2s", "--window", "10s"},
       "--window"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--for", "1s"}, "--for"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--bandwidth", "29s"}, "--bandwidth"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--bandwidth", "11m"}, "--bandwidth"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--saturate"}, "--saturate belongs to"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--ledger", "l"}, "--ledger belongs to"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--bandwidth", "1m", "--quota", "0"},
       "--quota"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--bandwidth", "1m", "--saturate",
        "--interval", "50ms"},
       "--interval 50ms"},
      {{"record", "a", "--key-file", "k", "--out", "o", "--ca-file", "c"}, "--ca-file belongs to"},
      {{"record", "--from", "http://h:1"}, "--out"},
      {{"record", "a", "--from", "http://h:1", "--out", "o"}, "PEER a"},
      {{"record", "--from", "http://h:1", "--out", "o", "--key-file", "k"}, "--key-file"},
      {{"record", "--from", "http://h:1", "--out", "o", "--bandwidth", "1m"}, "--bandwidth"},
      {{"compare", "a"}, "two recordings"},
      {{"compare", "a", "b", "--confidence", "1"}, "--confidence"},
      {{"compare", "a", "b", "--seed", "x"}, "x"},
  };
  for (const auto& [words, part] : cases) {
    const auto parsed = Parse(words);
    ASSERT_FALSE(parsed) << part;
    EXPECT_NE(parsed.error().message.find(part), std::string::npos) << parsed.error().message;
  }
}

TEST(CommandLineTest, RecordTestsOnlyWhereThatIsAskedForAndNeverFillsALineUnasked) {
  const auto parse = [](std::vector<std::string> more) {
    std::vector<std::string> words{"record", "a", "--key-file", "k", "--out", "o"};
    words.insert(words.end(), more.begin(), more.end());
    return std::get<RecordCommand>(*Parse(words));
  };
  EXPECT_FALSE(parse({}).tests);
  const RecordCommand trains = parse({"--bandwidth", "30s"});
  ASSERT_TRUE(trains.tests);
  EXPECT_EQ(trains.tests->every, Nanoseconds(Seconds(30)));
  EXPECT_FALSE(trains.tests->saturate);
  const RecordCommand filled =
      parse({"--bandwidth", "2m", "--saturate", "--quota", "5GB", "--ledger", "l"});
  EXPECT_TRUE(filled.tests->saturate);
  EXPECT_EQ(filled.interval, Nanoseconds(Milliseconds(20))) << "probes watch the test";
  EXPECT_EQ(trains.interval, Nanoseconds(Milliseconds(100)));
  EXPECT_EQ(filled.tests->quota_bytes, 5'000'000'000U);
  EXPECT_EQ(filled.tests->ledger_file, "l");
}

TEST(CommandLineTest, RecordFromAnExtenderLooksAsFarBackAsProbesDo) {
  const auto parsed = Parse({"record", "--from", "https://h:8471", "--out", "o"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  const auto& record = std::get<RecordCommand>(*parsed);
  EXPECT_EQ(record.from, "https://h:8471");
  EXPECT_TRUE(record.peers.empty());
  EXPECT_EQ(record.window, Nanoseconds(Seconds(60)));
  EXPECT_EQ(record.length, Nanoseconds(Seconds(1200)));
  const auto slow = Parse(
      {"record", "--from", "http://h:1", "--out", "o", "--window", "5m", "--ca-file", "ca.pem"});
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_EQ(std::get<RecordCommand>(*slow).length, Nanoseconds(Seconds(6000)))
      << "enough windows to compare";
  EXPECT_EQ(std::get<RecordCommand>(*slow).ca_file, "ca.pem");
}

TEST(KeyFileTest, MustBeLongEnoughAndPrivate) {
  const TempDirectory directory;
  const auto make = [&](const std::string& text, bool secret) {
    const std::string path = directory.Write("key", text);
    using std::filesystem::perms;
    std::filesystem::permissions(path, secret ? perms::owner_read | perms::owner_write
                                              : perms::owner_all | perms::others_read);
    return path;
  };
  EXPECT_EQ(ReadKeyFile(make("  0123456789abcdef\n", true))->size(), 16U);
  EXPECT_FALSE(ReadKeyFile(make("0123456789abcde\n", true)));
  EXPECT_FALSE(ReadKeyFile(make("\n\n", true)));
  const auto open = ReadKeyFile(make("0123456789abcdef", false));
  ASSERT_FALSE(open);
  EXPECT_NE(open.error().message.find("chmod 600"), std::string::npos);
  EXPECT_EQ(ReadKeyFile("/nonexistent").error().code, ErrorCode::kNotFound);
}

TEST(PingReportTest, ReadsLikePing) {
  PingReply reply{.path = 0, .sequence = 7, .rtt = std::chrono::microseconds(36123)};
  reply.remote = std::chrono::microseconds(210);
  reply.forward_hops = 2;
  reply.reverse_hops = 3;
  EXPECT_EQ(PingReplyLine(reply, "sg", false),
            "reply from sg: path=0 seq=7 rtt=36.123 ms hops=2/3 remote=0.210 ms");
  EXPECT_NE(PingReplyLine(reply, "sg", true).find("\"rtt_seconds\":0.036123"), std::string::npos);
}

TEST(PingReportTest, SumsUpWithDirections) {
  PathStatus path;
  path.measurement.rung = TransportRung::kUdpSw;
  path.measurement.rtt_min = Milliseconds(36);
  path.totals.sent = 103;
  path.totals.answered = 97;
  path.totals.lost_forward = 2;
  path.totals.lost_reverse = 1;
  const std::string text = PingSummary(path, "sg", false);
  EXPECT_NE(text.find("103 probes sent, 97 answered, 3 lost (3.00 %: 2 forward, 1 reverse, 0 "
                      "unknown), 3 under way"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("36.000/-/- ms"), std::string::npos) << text;
  EXPECT_NE(PingSummary(path, "sg", true).find("\"rtt_p50_seconds\":null"), std::string::npos);
}

TEST(DevicesTest, SaysWhichGidAndWhy) {
  RdmaPort port{.number = 1, .state = PortState::kActive, .link_layer = LinkLayer::kEthernet};
  port.active_mtu_bytes = 4096;
  port.gids = {{.index = 3, .gid = *ParseGid("::ffff:10.0.0.1"), .netdev = "eth1"}};
  port.ranked = RankGids(port.gids, GidPolicy{});
  RdmaDevice device;
  device.name = "mlx5_0";
  device.ports = {port};
  const std::string text = DescribeDevices({device}, false);
  EXPECT_NE(text.find("gid_index 3 (10.0.0.1)"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 1"), std::string::npos);
  EXPECT_NE(DescribeDevices({}, false).find("UDP"), std::string::npos);
  EXPECT_NE(DescribeDevices({}, true).find("\"chosen\": null"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::linkprobe
