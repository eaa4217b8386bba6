#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "common/kube/api_request.h"
#include "common/kube/base64.h"
#include "common/kube/in_cluster.h"
#include "common/kube/kubeconfig.h"
#include "common/kube/proxy_rules.h"
#include "common/kube/server_url.h"
#include "tests/common/support/temp_directory.h"

namespace fairlead::kube {
namespace {

struct ProxyCase {
  std::string host;
  int port;
  std::string no_proxy;
  bool proxied;
};
std::ostream& operator<<(std::ostream& out, const ProxyCase& c) {
  return out << c.host << ":" << c.port << " " << c.no_proxy;
}

class ProxyRulesTest : public testing::TestWithParam<ProxyCase> {};

TEST_P(ProxyRulesTest, AreThoseOfKubernetesOwnClients) {
  const ProxyEnvironment environment{"http://proxy:3128", "http://other:1", GetParam().no_proxy};
  EXPECT_EQ(ProxyFor("https", GetParam().host, GetParam().port, environment),
            GetParam().proxied ? "http://proxy:3128" : "");
}

INSTANTIATE_TEST_SUITE_P(All, ProxyRulesTest,
                         testing::Values(ProxyCase{"10.96.0.1", 443, "", true},
                                         ProxyCase{"10.96.0.1", 443, "*", false},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0.0/12", false},
                                         ProxyCase{"10.96.0.1", 443, "10.112.0.0/12", true},
                                         ProxyCase{"10.96.0.1", 443, "a,, 10.96.0.1 ,b", false},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0.1:443", false},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0.1:6443", true},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0", true},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0.0/33", true},
                                         ProxyCase{"10.96.0.1", 443, "10.96.0.0/", true},
                                         ProxyCase{"[fd00::1]", 443, "fd00::/8", false},
                                         ProxyCase{"[fd00::1]", 443, "fd00::1", false},
                                         ProxyCase{"[fd00::1]", 443, "[fd00::1]:443", false},
                                         ProxyCase{"[fd00::1]", 443, "10.0.0.0/8", true},
                                         ProxyCase{"api.example", 443, "example", false},
                                         ProxyCase{"api.example", 443, ".example", false},
                                         ProxyCase{"example", 443, ".example", true},
                                         ProxyCase{"example", 443, "example", false},
                                         ProxyCase{"api.example", 443, "*.example", false},
                                         ProxyCase{"API.Example", 443, "api.EXAMPLE", false},
                                         ProxyCase{"badexample", 443, "example", true},
                                         ProxyCase{"api.example", 6443, "example:443", true},
                                         ProxyCase{"127.0.0.1", 443, "", false},
                                         ProxyCase{"localhost", 443, "", false},
                                         ProxyCase{"[::1]", 443, "", false}));

TEST(ProxyRulesTest, EachSchemeHasItsOwnProxy) {
  EXPECT_EQ(ProxyFor("http", "a.example", 80, {"s", "p", ""}), "p");
  EXPECT_EQ(ProxyFor("https", "a.example", 443, {"", "p", ""}), "");
}

TEST(ServerUrlTest, ReadsWhatKubeconfigsHold) {
  const auto url = ParseServerUrl("https://api.example/k8s/c-1/");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->Text(), "https://api.example:443/k8s/c-1");
  EXPECT_EQ(ParseServerUrl("https://[fd00::1]:6443")->Text(), "https://[fd00::1]:6443");
  EXPECT_EQ(ParseServerUrl("http://127.0.0.1:8001")->Text(), "http://127.0.0.1:8001");
}

TEST(ServerUrlTest, RefusesTheRestWithTheRemedy) {
  for (const char* text :
       {"", "api.example", "ftp://a", "https://", "https://u:p@a", "https://a?x=1", "https://a#f",
        "https://a:99999", "http://10.0.0.1", "https://a b", "\n"}) {
    const auto url = ParseServerUrl(text);
    ASSERT_FALSE(url) << text;
    EXPECT_NE(url.error().message.find("https"), std::string::npos) << url.error().message;
  }
}

TEST(Base64Test, DecodesAndRefuses) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("YQ=="), "a");
  EXPECT_EQ(DecodeBase64("YWI="), "ab");
  EXPECT_EQ(DecodeBase64("YW\nJj\r\n"), "abc");
  EXPECT_EQ(DecodeBase64("+/+/"), "\xfb\xff\xbf");
  for (const char* text : {"Y", "YQ", "YQ=", "Y===", "====", "YQ==YQ==", "YQ=a", "Y*==", "YWI=="}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(ApiRequestTest, EncodesWhatNeedsIt) {
  ApiRequest request;
  request.path = "/api/v1/pods";
  EXPECT_EQ(TargetOf(request), "/api/v1/pods");
  request.query = {{"labelSelector", "a in (b,c)"}, {"limit", "5"}};
  EXPECT_EQ(TargetOf(request), "/api/v1/pods?labelSelector=a%20in%20%28b%2Cc%29&limit=5");
  EXPECT_EQ(PathOf({"api", "v1", "namespaces", "../../x?y#z", "pods", ".."}),
            "/api/v1/namespaces/..%2F..%2Fx%3Fy%23z/pods/%2E%2E");
}

class InClusterTest : public testing::Test {
 protected:
  InClusterTest() {
    place_.directory = directory_.path().string();
    directory_.Write("token", "secret\n");
    directory_.Write("ca.crt", "pem");
    directory_.Write("namespace", "fairlead");
  }
  TempDirectory directory_;
  InClusterPlace place_{"10.96.0.1", "443", "", {}};
};

TEST_F(InClusterTest, ReadsWhatAPodHas) {
  const auto access = InCluster(place_);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://10.96.0.1:443");
  EXPECT_EQ(access->token_file, place_.directory + "/token");
  EXPECT_EQ(access->ca_file, place_.directory + "/ca.crt");
  EXPECT_EQ(access->namespace_name, "fairlead");
  EXPECT_EQ(access->proxy, "");
}

TEST_F(InClusterTest, BracketsIpv6AndObeysTheProxyOfThePod) {
  place_.host = "fd00::1";
  place_.proxies = {"http://proxy:1", "", "10.0.0.0/8"};
  const auto access = InCluster(place_);
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->proxy, "http://proxy:1");
}

TEST_F(InClusterTest, SaysWhatIsMissing) {
  InClusterPlace outside = place_;
  outside.host = "";
  EXPECT_NE(InCluster(outside).error().message.find("KUBERNETES_SERVICE_HOST"), std::string::npos);
  std::filesystem::remove(directory_.path() / "ca.crt");
  EXPECT_NE(InCluster(place_).error().message.find("ca.crt"), std::string::npos);
  std::filesystem::remove(directory_.path() / "token");
  const std::string message = InCluster(place_).error().message;
  EXPECT_NE(message.find("/token"), std::string::npos);
  EXPECT_NE(message.find("automountServiceAccountToken"), std::string::npos);
}

std::string Config(const std::string& cluster, const std::string& user) {
  return "current-context: here\n"
         "contexts:\n"
         "- {name: other, context: {cluster: none, user: none}}\n"
         "- {name: here, context: {cluster: c, user: u, namespace: ml}}\n"
         "clusters:\n"
         "- {name: c, cluster: {" +
         cluster +
         "}}\n"
         "users:\n"
         "- {name: u, user: {" +
         user + "}}\n";
}

Result<Access> Parse(const std::string& text, const std::string& context = "") {
  return ParseKubeconfig(text, "config", "/home/me/.kube", context, {"http://p:1", "", ""});
}

TEST(KubeconfigTest, ReadsTheCurrentContext) {
  const auto access =
      Parse(Config("server: 'https://a.example:6443', certificate-authority: ca.pem,"
                   " tls-server-name: kubernetes",
                   "client-certificate: /x/c.pem, client-key: k.pem"));
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->server, "https://a.example:6443");
  EXPECT_EQ(access->ca_file, "/home/me/.kube/ca.pem");
  EXPECT_EQ(access->tls_server_name, "kubernetes");
  EXPECT_EQ(access->certificate_file, "/x/c.pem");
  EXPECT_EQ(access->key_file, "/home/me/.kube/k.pem");
  EXPECT_EQ(access->namespace_name, "ml");
  EXPECT_EQ(access->proxy, "http://p:1");
}

TEST(KubeconfigTest, ReadsDataTokensAndProxies) {
  const auto access =
      Parse(Config("server: 'https://a.example', certificate-authority-data: Y2E=,"
                   " certificate-authority: not-this, proxy-url: 'http://mine:2'",
                   "token: secret, client-certificate-data: Yw==, client-key-data: aw=="));
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->ca_pem, "ca");
  EXPECT_EQ(access->ca_file, "");
  EXPECT_EQ(access->token, "secret");
  EXPECT_EQ(access->certificate_pem, "c");
  EXPECT_EQ(access->key_pem, "k");
  EXPECT_EQ(access->proxy, "http://mine:2");
}

TEST(KubeconfigTest, ATokenFileComesBeforeAToken) {
  const auto access = Parse(Config("server: 'https://a'", "token: old, tokenFile: t"));
  ASSERT_TRUE(access);
  EXPECT_EQ(access->token_file, "/home/me/.kube/t");
  EXPECT_EQ(access->token, "");
}

TEST(KubeconfigTest, IsReadAsJsonToo) {
  const auto access =
      Parse(R"({"current-context":"x","contexts":[{"name":"x","context":{"cluster":"c"}}],)"
            R"("clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:6443"}}]})");
  ASSERT_TRUE(access) << access.error().message;
  EXPECT_EQ(access->namespace_name, "default");
}

struct BadConfig {
  std::string text;
  std::string error;
};
std::ostream& operator<<(std::ostream& out, const BadConfig& c) { return out << c.error; }

class BadKubeconfigs : public testing::TestWithParam<BadConfig> {};

TEST_P(BadKubeconfigs, AreRefusedByName) {
  const auto access = Parse(GetParam().text);
  ASSERT_FALSE(access);
  EXPECT_NE(access.error().message.find(GetParam().error), std::string::npos)
      << access.error().message;
  EXPECT_NE(access.error().message.find("config"), std::string::npos);
  EXPECT_EQ(access.error().message.find("hunter2"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadKubeconfigs,
    testing::Values(
        BadConfig{"", "no mapping"}, BadConfig{"- a", "no mapping"},
        BadConfig{"a: b", "no context"}, BadConfig{"a: [", "not valid YAML"},
        BadConfig{"current-context: x", "context \"x\" is not among its contexts"},
        BadConfig{"current-context: other\ncontexts: [{name: other, context: {cluster: none}}]",
                  "cluster \"none\""},
        BadConfig{Config("server: nowhere", ""), "config\":6: API server \"nowhere\""},
        BadConfig{Config("{}", ""), "config"},
        BadConfig{Config("server: 'http://10.0.0.1'", ""), "use https"},
        BadConfig{Config("server: 'https://a', insecure-skip-tls-verify: true", ""),
                  "insecure-skip-tls-verify"},
        BadConfig{Config("server: 'https://a', certificate-authority-data: '*'", ""),
                  "certificate-authority-data is no base64"},
        BadConfig{Config("server: 'https://a'", "exec: {command: aws}"), "by exec"},
        BadConfig{Config("server: 'https://a'", "exec: {command: aws}"), "tokenFile"},
        BadConfig{Config("server: 'https://a'", "auth-provider: {name: oidc}"), "by auth-provider"},
        BadConfig{Config("server: 'https://a'", "username: me, password: hunter2"), "by username"},
        BadConfig{Config("server: 'https://a'", "token: t, as: root"), "by as"},
        BadConfig{Config("server: 'https://a'", "token: 'a hunter2'"), "visible ASCII"},
        BadConfig{Config("server: 'https://a'", "client-certificate: c"), "set both"},
        BadConfig{Config("server: 'https://a'", "client-key-data: aw=="), "set both"}));

TEST(KubeconfigTest, AnotherContextCanBeAskedFor) {
  EXPECT_NE(Parse(Config("server: 'https://a'", ""), "other").error().message.find("\"none\""),
            std::string::npos);
}

TEST(KubeconfigTest, AMissingFileIsNamed) {
  const auto access = ReadKubeconfig("/nowhere/config", "", {});
  ASSERT_FALSE(access);
  EXPECT_NE(access.error().message.find("/nowhere/config"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::kube
