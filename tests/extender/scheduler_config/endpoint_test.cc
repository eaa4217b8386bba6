#include "extender/scheduler_config/endpoint.h"

#include <gtest/gtest.h>

namespace fairlead::extender {
namespace {

TEST(Endpoint, IsTakenApart) {
  const struct {
    const char* url;
    const char* scheme;
    const char* host;
    const char* path;
  } kCases[] = {{"http://127.0.0.1:8471/kube", "http", "127.0.0.1", "/kube"},
                {"https://[::1]:8471/kube/", "https", "::1", "/kube"},
                {"http://extender.fairlead.svc", "http", "extender.fairlead.svc", ""},
                {"127.0.0.1:8471/kube", "", "", ""},
                {"HTTP://Extender-1.x_y.svc./kube", "http", "Extender-1.x_y.svc.", "/kube"},
                {"http://user:word@a:1/kube", "http", "a", "/kube"},
                {"http://[fe80::1%25eth0]:1/kube", "http", "fe80::1%25eth0", "/kube"},
                {"http://[2001:db8::1]/kube", "http", "2001:db8::1", "/kube"},
                {"http:///kube", "", "", ""},
                {"http://[", "", "", ""},
                {"", "", "", ""}};
  for (const auto& c : kCases) {
    const Endpoint endpoint = ParseEndpoint(c.url);
    EXPECT_EQ(endpoint.scheme, c.scheme) << c.url;
    EXPECT_EQ(endpoint.host, c.host) << c.url;
    EXPECT_EQ(endpoint.path, c.path) << c.url;
  }
}

TEST(Endpoint, HasAHostAndAPortThatThereCanBe) {
  for (const char* authority : {"[::1",
                                "[::1]8471",
                                "[::1]:",
                                "[::1]:0",
                                "[10.0.0.1]",
                                "[a]",
                                "[]",
                                "]",
                                "fe80::1:80",
                                "::1",
                                "a:99999",
                                "a:65536",
                                "a:0",
                                "a:",
                                "a:8o",
                                "a:+1",
                                "a: 1",
                                "a:99999999999999999999",
                                "a b",
                                "a'b",
                                "a\"b",
                                "a\nb",
                                "a\x1b[31m",
                                "a\xc3\xa4",
                                "a..b",
                                ".a",
                                "-a",
                                "a-",
                                "a,b",
                                "a?b",
                                "10.0.0.300",
                                "10.0.0",
                                "1",
                                "user@",
                                ""}) {
    EXPECT_EQ(ParseEndpoint("http://" + std::string(authority) + "/kube").scheme, "") << authority;
  }
  EXPECT_EQ(ParseEndpoint("http://" + std::string(64, 'a')).scheme, "");
  EXPECT_EQ(ParseEndpoint("http://a:65535").scheme, "http");
}

TEST(Endpoint, OfThisMachineIsKnown) {
  for (const char* url :
       {"http://127.0.0.1", "http://127.1.2.3:1/x", "http://localhost:1", "http://[::1]:1"}) {
    EXPECT_TRUE(ParseEndpoint(url).loopback()) << url;
  }
  for (const char* url : {"http://10.0.0.1", "http://localhost.example", "http://127.example"}) {
    EXPECT_FALSE(ParseEndpoint(url).loopback()) << url;
  }
}

TEST(Endpoint, ProxiesAreGosRules) {
  const struct {
    const char* url;
    Environment environment;
    const char* variable;
  } kCases[] = {
      {"http://10.0.0.1", {}, ""},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}}, "HTTP_PROXY"},
      {"http://10.0.0.1", {{"http_proxy", "p:1"}}, "HTTP_PROXY"},
      {"http://10.0.0.1", {{"HTTPS_PROXY", "p:1"}}, ""},
      {"https://10.0.0.1", {{"HTTPS_PROXY", "p:1"}}, "HTTPS_PROXY"},
      {"http://10.0.0.1", {{"HTTP_PROXY", ""}}, ""},
      {"http://127.0.0.1", {{"HTTP_PROXY", "p:1"}}, ""},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "10.0.0.1"}}, ""},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}, {"no_proxy", "a, 10.0.0.0/8 "}}, ""},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "11.0.0.0/8"}}, "HTTP_PROXY"},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "10.0.0.0/33"}}, "HTTP_PROXY"},
      {"http://10.0.0.1", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "*"}}, ""},
      {"http://x.fairlead.svc", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", ".svc"}}, ""},
      {"http://x.fairlead.svc", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "fairlead.svc:80"}}, ""},
      {"http://x.fairlead.svc", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", "irlead.svc"}}, "HTTP_PROXY"},
      {"http://svc", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", ".svc"}}, "HTTP_PROXY"},
      {"http://svc", {{"HTTP_PROXY", "p:1"}, {"NO_PROXY", ",,"}}, "HTTP_PROXY"}};
  for (const auto& c : kCases) {
    EXPECT_EQ(ProxyVariable(ParseEndpoint(c.url), c.environment), c.variable)
        << c.url << " " << (c.environment.empty() ? "" : c.environment.begin()->second);
  }
}

}  // namespace
}  // namespace fairlead::extender
