#include "linkprobe/cli/bandwidth_arguments.h"

#include <gmock/gmock.h>

#include "linkprobe/cli/advise.h"

namespace fairlead::linkprobe {
namespace {

using ::testing::HasSubstr;

Result<Command> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "fairlead-linkprobe");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return ParseCommandLine(static_cast<int>(words.size()), argv.data());
}

TEST(BandwidthArgumentsTest, ReadsWhatATestNeeds) {
  const auto bare = Parse({"bw", "10.0.0.2", "--key-file", "k"});
  ASSERT_TRUE(bare) << bare.error().message;
  const auto& usual = std::get<BandwidthCommand>(*bare);
  EXPECT_EQ(usual.peer, "10.0.0.2:7473");
  EXPECT_EQ(usual.line, "10.0.0.2");
  EXPECT_EQ(usual.most_bytes, usual.quota_bytes);
  EXPECT_FALSE(usual.declared_bits_per_second);

  const auto all =
      Parse({"bw",    "10.0.0.2:1", "--key-file", "k",           "--rate",  "10Gbps",   "--line",
             "hk-sg", "--quota",    "1GB",        "--max-bytes", "100MB",   "--ledger", "f",
             "--qps", "8",          "--hold",     "2s",          "--train", "--json"});
  ASSERT_TRUE(all) << all.error().message;
  const auto& command = std::get<BandwidthCommand>(*all);
  EXPECT_EQ(command.declared_bits_per_second, 10'000'000'000U);
  EXPECT_EQ(command.line, "hk-sg");
  EXPECT_EQ(command.quota_bytes, 1'000'000'000U);
  EXPECT_EQ(command.most_bytes, 100'000'000U);
  EXPECT_EQ(command.queue_pairs, 8U);
  EXPECT_EQ(command.hold, Nanoseconds(Seconds(2)));
  EXPECT_TRUE(command.train && command.json);
}

TEST(BandwidthArgumentsTest, SaysWhatIsWrong) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
      {{}, "one PEER"},
      {{"p", "--rate", "0bps"}, "--rate is 0"},
      {{"p", "--rate", "fast"}, "--rate"},
      {{"p", "--quota", "0B"}, "--quota is 0"},
      {{"p", "--qps", "65"}, "1..64"},
      {{"p", "--hold", "31s"}, "100ms..30s"},
      {{"p", "--line", "a\nb"}, "line break"}};
  for (const auto& [words, why] : cases) {
    std::vector<std::string> full{"bw", "--key-file", "k"};
    full.insert(full.end(), words.begin(), words.end());
    const auto parsed = Parse(full);
    ASSERT_FALSE(parsed) << why;
    EXPECT_THAT(parsed.error().message, HasSubstr(why));
  }
}

TEST(AdviseArgumentsTest, PrintsAdviceOrWhyNot) {
  const auto parsed = Parse({"advise", "--rtt", "36ms", "--rate", "100Gbps"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  auto command = std::get<AdviseCommand>(*parsed);
  EXPECT_THAT(*DescribeAdvice(command), HasSubstr("429.2 MiB"));
  command.json = true;
  EXPECT_THAT(*DescribeAdvice(command), HasSubstr("\"NCCL_IB_TIMEOUT\":17"));
  EXPECT_THAT(Parse({"advise", "--rtt", "36ms"}).error().message, HasSubstr("--rate"));
  const auto odd = Parse({"advise", "--rtt", "36ms", "--rate", "1Gbps", "--mtu", "1500"});
  ASSERT_TRUE(odd);
  EXPECT_FALSE(DescribeAdvice(std::get<AdviseCommand>(*odd)));
  const auto soft = Parse({"advise", "--rtt", "23ms", "--rate", "1Gbps", "--packets", "128",
                           "--qps", "1", "--send-requests", "100"});
  ASSERT_TRUE(soft);
  EXPECT_THAT(*DescribeAdvice(std::get<AdviseCommand>(*soft)), HasSubstr("128 x 4096 B"));
}

}  // namespace
}  // namespace fairlead::linkprobe
