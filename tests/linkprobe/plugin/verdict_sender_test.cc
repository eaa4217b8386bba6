// The sender against real sockets: what arrives, and what is made of nobody listening.
#include "linkprobe/plugin/verdict_sender.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "common/base/local_address.h"
#include "fairlead/v1/node.pb.h"
#include "linkprobe/plugin/verdict_message.h"
#include "tests/common/support/temp_directory.h"
#include "tests/linkprobe/fakes/wait_for.h"

namespace fairlead::linkprobe {
namespace {

namespace fs = std::filesystem;

const NicOpinion kBad{.nic = {.device = "mlx5_0", .port = 2},
                      .bad = true,
                      .sentence = "3 of 4 peers (2 in this site) lose probes",
                      .at = MonotonicTime(Seconds(100)),
                      .peers = 4,
                      .failing = 3,
                      .failing_in_site = 2};

TEST(VerdictMessage, CarriesEveryField) {
  v1::NicVerdicts read;
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({&kBad, 1}, {}, kBad.at + Milliseconds(1500))));
  EXPECT_EQ(read.protocol_version(), 1U);
  ASSERT_EQ(read.verdicts_size(), 1);
  const v1::NicVerdict& verdict = read.verdicts(0);
  EXPECT_EQ(verdict.device(), "mlx5_0");
  EXPECT_EQ(verdict.port(), 2U);
  EXPECT_TRUE(verdict.bad());
  EXPECT_EQ(verdict.sentence(), kBad.sentence);
  EXPECT_EQ(verdict.age_ns(), 1'500'000'000U);
  EXPECT_EQ(verdict.peers(), 4U);
  EXPECT_EQ(verdict.failing_peers(), 3U);
  EXPECT_EQ(verdict.failing_in_site(), 2U);
}

TEST(VerdictMessage, KeepsTheBoundsOfTheProtocol) {
  NicOpinion long_winded = kBad;
  long_winded.sentence = std::string(5000, 'x');
  v1::NicVerdicts read;
  // Measured after `now`: a clock read in another order is no negative age.
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({&long_winded, 1}, {}, kBad.at - Seconds(1))));
  EXPECT_EQ(read.verdicts(0).sentence().size(), 512U);
  EXPECT_EQ(read.verdicts(0).age_ns(), 0U);
  ASSERT_TRUE(read.ParseFromString(EncodeVerdicts({}, {}, kBad.at)));
  EXPECT_EQ(read.verdicts_size(), 0);
}

const VerdictSender::Lines kNoLines = [] { return LinesOfSite(); };

class VerdictSenderTest : public testing::Test {
 protected:
  FileDescriptor Listen() {
    FileDescriptor fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const auto address = MakeLocalAddress(path_).value();
    EXPECT_EQ(bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return fd;
  }

  // The next message within half a minute.
  static std::optional<v1::NicVerdicts> Receive(int fd) {
    pollfd ready{fd, POLLIN, 0};
    if (poll(&ready, 1, 30'000) != 1) return std::nullopt;
    char buffer[16384];
    const ssize_t got = recv(fd, buffer, sizeof buffer, 0);
    v1::NicVerdicts read;
    if (got < 0 || !read.ParseFromArray(buffer, static_cast<int>(got))) return std::nullopt;
    return read;
  }

  const SystemClock clock_;
  const TempDirectory temp_;
  const fs::path directory_ = temp_.path();
  const std::string path_ = directory_ / "plugin.sock";
};

TEST_F(VerdictSenderTest, TellsAgainAndAgainAndKnowsWhatItSaid) {
  const FileDescriptor plugin = Listen();
  std::atomic<int> asked = 0;
  std::atomic<std::size_t> before = 0;
  const VerdictSender sender(
      path_,
      [&](const std::vector<NicOpinion>& last) {
        ++asked;
        before = last.size();
        return std::vector{kBad};
      },
      kNoLines, clock_, Milliseconds(1));
  for (int i = 0; i < 3; ++i) {
    const auto message = Receive(plugin.get());
    ASSERT_TRUE(message);
    EXPECT_EQ(message->verdicts(0).device(), "mlx5_0");
  }
  EXPECT_TRUE(WaitFor([&] { return sender.status().sent >= 3; }));
  EXPECT_EQ(sender.status().opinions, std::vector{kBad});
  EXPECT_GE(asked, 3);
  EXPECT_EQ(before, 1U);
}

TEST_F(VerdictSenderTest, TellsOfTheLinesAsTheyAre) {
  const FileDescriptor plugin = Listen();
  std::atomic<int> milliseconds = 36;
  const VerdictSender sender(
      path_, [](const auto&) { return std::vector<NicOpinion>(); },
      [&] {
        return LinesOfSite{.site = "hk",
                           .lines = {{.peer_site = "sg", .rtt = Milliseconds(milliseconds)}}};
      },
      clock_, Milliseconds(1));
  const auto rtt = [&] {
    const auto message = Receive(plugin.get());
    return message && message->lines_size() == 1 ? message->lines(0).rtt_ns() : 0;
  };
  EXPECT_EQ(rtt(), 36'000'000U);
  milliseconds = 90;
  EXPECT_TRUE(WaitFor([&] { return rtt() == 90'000'000U; }));
}

TEST_F(VerdictSenderTest, PutsUpWithAPluginThatIsAbsentAndFindsOneThatComes) {
  const VerdictSender sender(
      path_, [](const auto&) { return std::vector{kBad}; }, kNoLines, clock_, Milliseconds(1));
  EXPECT_TRUE(WaitFor([&] { return sender.status().absent >= 2; }));
  EXPECT_EQ(sender.status().sent, 0U);
  {
    const FileDescriptor plugin = Listen();
    EXPECT_TRUE(Receive(plugin.get()));
  }
  // The file is still there, the process behind it is not.
  const std::uint64_t absent = sender.status().absent;
  EXPECT_TRUE(WaitFor([&] { return sender.status().absent > absent; }));
  EXPECT_EQ(sender.status().failed, 0U);
}

TEST_F(VerdictSenderTest, NeverWaitsForAPluginThatDoesNotRead) {
  const FileDescriptor plugin = Listen();
  const VerdictSender sender(
      path_, [](const auto&) { return std::vector{kBad}; }, kNoLines, clock_, Milliseconds(1));
  EXPECT_TRUE(WaitFor([&] { return sender.status().busy >= 2; }));
  while (recv(plugin.get(), nullptr, 0, MSG_DONTWAIT) >= 0) continue;
  const std::uint64_t sent = sender.status().sent;
  EXPECT_TRUE(WaitFor([&] { return sender.status().sent > sent; }));
}

TEST_F(VerdictSenderTest, CountsASocketThatCannotBe) {
  const VerdictSender sender(
      "/" + std::string(200, 'x'), [](const auto&) { return std::vector{kBad}; }, kNoLines, clock_,
      Milliseconds(1));
  EXPECT_TRUE(WaitFor([&] { return sender.status().failed >= 2; }));
}

TEST_F(VerdictSenderTest, JudgesNothingWithoutASocket) {
  const VerdictSender sender(
      "",
      [](const auto&) -> std::vector<NicOpinion> {
        ADD_FAILURE() << "judged";
        return {};
      },
      kNoLines, clock_, Milliseconds(1));
  EXPECT_EQ(sender.status().sent, 0U);
}

}  // namespace
}  // namespace fairlead::linkprobe
