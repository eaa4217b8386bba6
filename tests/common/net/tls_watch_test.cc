#include "common/net/tls_watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/inotify.h>

#include <array>
#include <string>

#include "common/base/file_descriptor.h"
#include "tests/common/support/broken_tls.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"
#include "tests/common/support/token_echo.h"

namespace fairlead {
namespace {

constexpr Seconds kRefresh(1);

// Sees a file being opened.
class Opened {
 public:
  explicit Opened(const std::string& path) : fd_(inotify_init1(IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(fd_.get(), path.c_str(), IN_OPEN), 0) << path;
  }

  // Waits until the files have been looked at from beginning to end: the certificate is opened
  // first, so that its second time comes after the first look has ended.
  bool AwaitALook() {
    for (int i = 0; i < 2; ++i) {
      pollfd event{.fd = fd_.get(), .events = POLLIN, .revents = 0};
      if (poll(&event, 1, 30000) != 1) return false;
      std::array<char, 4096> events;
      // One at a time: as long as nobody takes them, equal ones are merged into one.
      if (read(fd_.get(), events.data(), sizeof(inotify_event)) != sizeof(inotify_event)) {
        return false;
      }
    }
    return true;
  }

 private:
  const FileDescriptor fd_;
};

class TlsWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::permissions(token_.path(), std::filesystem::perms(0600));
  }
  bool Reaches(const TokenEchoServer& server, const TlsConfig& tls, bool patient = false) {
    const auto answer = CallTokenEcho(server.address(), tls, &token_, patient, kRefresh);
    return answer.status.ok() && answer.token == "secret-token";
  }

  const TestPki pki_, renewed_;
  const TempDirectory directory_, peer_directory_, renewed_directory_;
  const TokenSource token_{peer_directory_.Write("token", "secret-token\n")};
  const TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  const TlsConfig peer_ = pki_.Issue(peer_directory_, "IP:127.0.0.1");
  const TlsConfig renewed_peer_ = renewed_.Issue(renewed_directory_, "IP:127.0.0.1");
};

TEST_F(TlsWatchTest, AServerKeepsItsLastGoodFilesWhateverHappensToThem) {
  const TokenEchoServer server(tls_, kRefresh);
  ASSERT_TRUE(Reaches(server, peer_));
  for (const TlsBreakage& breakage : TlsBreakages(renewed_peer_)) {
    breakage.happen(directory_);
    ASSERT_TRUE(Opened(tls_.certificate_file).AwaitALook()) << breakage.what;
    EXPECT_TRUE(Reaches(server, peer_)) << breakage.what;
    EXPECT_FALSE(Reaches(server, renewed_peer_)) << breakage.what;
    pki_.Issue(directory_, "IP:127.0.0.1");
  }
  renewed_.Issue(directory_, "IP:127.0.0.1");
  EXPECT_TRUE(Reaches(server, renewed_peer_, true));
  EXPECT_FALSE(Reaches(server, peer_));
}

TEST_F(TlsWatchTest, AClientKeepsItsLastGoodFilesWhateverHappensToThem) {
  const TokenEchoServer server(peer_);
  const TokenEchoServer renewed_server(renewed_peer_);
  ASSERT_TRUE(Reaches(server, tls_));
  for (const TlsBreakage& breakage : TlsBreakages(renewed_peer_)) {
    breakage.happen(directory_);
    ASSERT_TRUE(Opened(tls_.certificate_file).AwaitALook()) << breakage.what;
    EXPECT_TRUE(Reaches(server, tls_)) << breakage.what;
    EXPECT_FALSE(Reaches(renewed_server, tls_)) << breakage.what;
    pki_.Issue(directory_, "IP:127.0.0.1");
  }
  renewed_.Issue(directory_, "IP:127.0.0.1");
  EXPECT_TRUE(Reaches(renewed_server, tls_, true));
  EXPECT_FALSE(Reaches(server, tls_));
}

TEST_F(TlsWatchTest, OneSetOfFilesHasOneProvider) {
  const auto first = WatchTlsFiles(tls_, kRefresh);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(*WatchTlsFiles(tls_, kRefresh), *first);
  EXPECT_NE(*WatchTlsFiles(peer_, kRefresh), *first);
  directory_.Write("tls.key", "");
  EXPECT_EQ(*WatchTlsFiles(tls_, kRefresh), *first);
}

TEST_F(TlsWatchTest, FilesThatWereNeverGoodAreRefusedUntilTheyAre) {
  directory_.Write("tls.key", "");
  EXPECT_FALSE(WatchTlsFiles(tls_, kRefresh));
  pki_.Issue(directory_, "IP:127.0.0.1");
  EXPECT_TRUE(WatchTlsFiles(tls_, kRefresh));
}

}  // namespace
}  // namespace fairlead
