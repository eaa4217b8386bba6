#include "common/net/channel_security.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(IsLoopback, IsTrueForWhatNeverLeavesThisMachine) {
  for (const std::string_view host : {"localhost", "127.0.0.1", "127.255.0.9", "::1", "[::1]",
                                      "::ffff:127.0.0.1", "unix:/run/x", "unix-abstract:x"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const std::string_view host :
       {"", "0.0.0.0", "::", "128.0.0.1", "10.0.0.1", "localhost.example.com", "LOCALHOST.", "host",
        "127.0.0.1.example.com", "127.1", "::2", "fe80::1", "[]", "unix"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

TEST(HostOf, TakesThePortAway) {
  EXPECT_EQ(HostOf("127.0.0.1:80"), "127.0.0.1");
  EXPECT_EQ(HostOf("[::1]:80"), "::1");
  EXPECT_EQ(HostOf("::1"), "::1");
  EXPECT_EQ(HostOf("host"), "host");
  EXPECT_EQ(HostOf("unix:/run/x:y"), "unix:/run/x:y");
  EXPECT_EQ(HostOf("[::1"), "[::1");
  EXPECT_EQ(HostOf(""), "");
}

TEST(ChooseSecurity, AllowsPlainTextOnlyOnLoopbackOrInSoManyWords) {
  TlsConfig none;
  TlsConfig plaintext;
  plaintext.plaintext = true;
  TlsConfig files;
  files.certificate_file = "/tls.crt";
  const struct {
    TlsConfig tls;
    std::string_view address;
    std::optional<ChannelSecurity> expected;
  } kCases[] = {
      {none, "127.0.0.1:1", ChannelSecurity::kPlaintext},
      {none, "localhost:1", ChannelSecurity::kPlaintext},
      {none, "unix:/run/x", ChannelSecurity::kPlaintext},
      {none, "10.0.0.1:1", std::nullopt},
      {none, "0.0.0.0:1", std::nullopt},
      {none, "[::]:1", std::nullopt},
      {none, "dns:///localhost:1", std::nullopt},
      {none, "", std::nullopt},
      {plaintext, "10.0.0.1:1", ChannelSecurity::kPlaintext},
      {files, "10.0.0.1:1", ChannelSecurity::kTls},
      {files, "127.0.0.1:1", ChannelSecurity::kTls},
  };
  for (const auto& c : kCases) {
    const Result<ChannelSecurity> chosen = ChooseSecurity(c.tls, c.address);
    ASSERT_EQ(chosen.has_value(), c.expected.has_value()) << c.address;
    if (chosen) {
      EXPECT_EQ(*chosen, *c.expected) << c.address;
    } else {
      EXPECT_NE(chosen.error().message.find("tls.plaintext: true"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace fairlead
