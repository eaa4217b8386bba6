#include "common/config/names.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "common/config/suggest.h"

namespace fairlead {
namespace {

TEST(Names, OfSitesAreLabelValues) {
  for (const std::string_view name : {"hk", "HK", "ap-east-1", "a_b.c", "1"}) {
    EXPECT_TRUE(ParseSiteName(name)) << name;
  }
  for (const std::string& name : {std::string(""), std::string("-hk"), std::string("hk-"),
                                  std::string("h k"), std::string("h/k"), std::string(64, 'a')}) {
    EXPECT_FALSE(ParseSiteName(name)) << name;
  }
}

TEST(Names, OfNodesAreDnsSubdomains) {
  for (const std::string_view name : {"hk-1", "node.example.com", "1"}) {
    EXPECT_TRUE(ParseNodeName(name)) << name;
  }
  for (const std::string& name :
       {std::string(""), std::string("."), std::string(".."), std::string("a..b"),
        std::string("a/b"), std::string("A"), std::string("a-"), std::string("-a"),
        std::string("a\n"), std::string(254, 'a')}) {
    EXPECT_FALSE(ParseNodeName(name)) << name;
  }
}

TEST(Names, OfCertificatesAreNoAddresses) {
  EXPECT_TRUE(ParseCertificateName("fairlead-linkprobe.fairlead.svc"));
  for (const std::string_view name : {"", "10.0.0.1", "::1", "*.fairlead.svc", "a:1", "A.b"}) {
    EXPECT_FALSE(ParseCertificateName(name)) << name;
  }
}

TEST(Addresses, GoRound) {
  for (const std::string_view text :
       {"0.0.0.0:9471", "[::]:0", "localhost:1", "[fe80::1%eth0]:5", "host-1.example:5"}) {
    EXPECT_EQ(FormatListenAddress(ParseListenAddress(text).value()), text);
  }
  for (const std::string_view text : {"",         ":",           ":80",          "a",
                                      "a:",       "a:b",         "a:-1",         "a:65536",
                                      "a:1 ",     "[]:1",        "[::1]",        "::1:80",
                                      "a b:1",    "a/b:1",       "http://a:1",   "10.0.0.256:1",
                                      "10.0.0:1", "010.0.0.1:1", "[10.0.0.1]:1", "[::1%e/0]:1",
                                      "a:08471"}) {
    EXPECT_FALSE(ParseListenAddress(text)) << text;
  }
}

TEST(Addresses, ClashWhereOneHostCannotListenOnBoth) {
  const struct {
    std::string a, b;
    bool clash;
  } kCases[] = {
      {"0.0.0.0:1", "0.0.0.0:1", true},     {"0.0.0.0:1", "0.0.0.0:2", false},
      {"0.0.0.0:0", "0.0.0.0:0", false},    {"0.0.0.0:1", "127.0.0.1:1", true},
      {"10.0.0.1:1", "127.0.0.1:1", false}, {"[::]:1", "0.0.0.0:1", true},
      {"[::]:1", "10.0.0.1:1", true},       {"localhost:1", "127.0.0.1:1", true},
      {"localhost:1", "[::1]:1", true},     {"[::1]:1", "127.0.0.1:1", false},
  };
  for (const auto& c : kCases) {
    const ListenAddress a = ParseListenAddress(c.a).value();
    const ListenAddress b = ParseListenAddress(c.b).value();
    EXPECT_EQ(Clash(a, b), c.clash) << c.a << ' ' << c.b;
    EXPECT_EQ(Clash(b, a), c.clash) << c.b << ' ' << c.a;
  }
}

TEST(SocketPath, IsAbsoluteShortOrNone) {
  for (const std::string& good :
       {std::string(), std::string("/run/a.sock"), "/" + std::string(106, 'x')}) {
    const auto parsed = ParseSocketPath(good);
    ASSERT_TRUE(parsed) << good;
    EXPECT_EQ(*parsed, good);
  }
  for (const std::string& bad : {std::string("run/a.sock"), std::string("/a\n"),
                                 std::string("/a\0b", 4), "/" + std::string(107, 'x')}) {
    EXPECT_FALSE(ParseSocketPath(bad)) << bad;
  }
}

TEST(Suggest, FindsTheNearWordOrListsAll) {
  constexpr std::array<std::string_view, 3> kKnown{"windowsBad", "windowsConsidered", "window"};
  EXPECT_EQ(Suggest("windows-bad", kKnown), "; did you mean windowsBad?");
  EXPECT_EQ(Suggest("WINDOW", kKnown), "; did you mean window?");
  EXPECT_EQ(Suggest("wndow", kKnown), "; did you mean window?");
  EXPECT_EQ(Suggest("zzz", kKnown), "; known: windowsBad, windowsConsidered, window");
  EXPECT_EQ(Suggest(std::string(100'000, 'w'), kKnown),
            "; known: windowsBad, windowsConsidered, window");
}

}  // namespace
}  // namespace fairlead
