#include "extender/check/config_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead::extender {
namespace {

class ConfigCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(directory_.path() / "tokens");
    PutToken("hk-1", "a-token-of-hk-1!");
  }
  void PutToken(const std::string& node, const std::string& token) const {
    directory_.Write("tokens/" + node, token);
  }
  std::string Tokens() const { return (directory_.path() / "tokens").string(); }
  static std::string TlsText(const TlsConfig& tls) {
    return "tls:\n  certificateFile: " + tls.certificate_file + "\n  keyFile: " + tls.key_file +
           "\n  caFile: " + tls.ca_file + "\n";
  }
  // What is said of a file with this text; "ok" where nothing is.
  std::string Check(const std::string& text) const {
    const Status checked = CheckConfigFile(directory_.Write("f.yaml", text));
    return checked ? "ok" : checked.error().message;
  }
  std::string Own() const { return "extender:\n  tokenDirectory: " + Tokens() + "\n"; }

  TestPki pki_;
  TempDirectory directory_;
};

TEST_F(ConfigCheckTest, PassesWhatCanStart) {
  EXPECT_EQ(Check(TlsText(pki_.Issue(directory_, "IP:127.0.0.1")) + Own()), "ok");
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own()), "ok");
  EXPECT_EQ(Check(Own() + "  httpListen: 127.0.0.1:0\n  grpcListen: localhost:0\n"), "ok");
}

TEST_F(ConfigCheckTest, AsksForNoTokensWhereTheApiServerReviewsThem) {
  EXPECT_EQ(Check("tls: {plaintext: true}\nextender: {kubernetes: {mode: inCluster}}\n"), "ok");
}

TEST_F(ConfigCheckTest, TellsWhatTheFileItselfHasWrong) {
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own() + "  httpListen: 10.0.0.300:1\n"),
            "f.yaml:4: extender.httpListen: \"10.0.0.300:1\" is not an address with a port; write "
            "it like 0.0.0.0:9471 or [::]:9471");
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own() + "  httpListen: 0.0.0.0:9472\n"),
            "f.yaml:2: extender.opsListen: 0.0.0.0:9472 clashes with extender.httpListen "
            "0.0.0.0:9472; give each a port of its own");
}

TEST_F(ConfigCheckTest, TellsWhereTlsIsNeitherGivenNorWaived) {
  const std::string remedy =
      " is not on the loopback and no TLS is configured; set tls.certificateFile, tls.keyFile and "
      "tls.caFile, or tls.plaintext: true to go without";
  EXPECT_EQ(Check(Own() + "  grpcListen: 0.0.0.0:1\n"),
            "f.yaml:1: extender.httpListen: 0.0.0.0:8471" + remedy +
                "\nf.yaml:3: extender.grpcListen: 0.0.0.0:1" + remedy);
}

TEST_F(ConfigCheckTest, TellsEveryMissingFile) {
  EXPECT_EQ(Check("tls: {certificateFile: /none/c,\n keyFile: /none/k,\n caFile: /none/a}\n"
                  "extender: {tokenDirectory: /none/t}\n"),
            "f.yaml:1: tls.certificateFile: read \"/none/c\": no such file or directory (errno 2)\n"
            "f.yaml:2: tls.keyFile: read \"/none/k\": no such file or directory (errno 2)\n"
            "f.yaml:3: tls.caFile: read \"/none/a\": no such file or directory (errno 2)\n"
            "f.yaml:4: extender.tokenDirectory: token directory /none/t cannot be read: No such "
            "file or directory; put one file per node there, named like the node");
  EXPECT_EQ(Check("tls: {plaintext: true}\n"),
            "f.yaml: extender.tokenDirectory: no token directory is set; name a directory with one "
            "file per node, named like the node");
}

TEST_F(ConfigCheckTest, TellsWhatIsWrongWithTlsFiles) {
  const TempDirectory other;
  const TlsConfig stranger = pki_.Issue(other, "IP:127.0.0.1");
  TlsConfig tls = pki_.Issue(directory_, "IP:127.0.0.1");
  tls.key_file = stranger.key_file;
  EXPECT_EQ(Check(TlsText(tls) + Own()), "f.yaml:3: tls.keyFile: \"" + stranger.key_file +
                                             "\" does not belong to the certificate in \"" +
                                             tls.certificate_file + "\"");
  const TlsConfig expired = pki_.Issue(directory_, "IP:127.0.0.1", -60);
  EXPECT_EQ(Check(TlsText(expired) + Own()),
            "f.yaml:2: tls.certificateFile: \"" + expired.certificate_file +
                "\" has expired; renew it, or correct this host's clock");
}

TEST_F(ConfigCheckTest, TellsEveryTokenThatIsNone) {
  PutToken("hk-2", "short");
  PutToken("sg-1", "a-token-of-hk-1!\n");
  PutToken("sg-2", "");
  const std::string line = "f.yaml:3: extender.tokenDirectory: ";
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own()),
            line + "token of node hk-2 is shorter than 16 bytes; use a longer one\n" + line +
                "token of node sg-2: the token is empty; write it into the file\n" + line +
                "nodes hk-1 and sg-1 have the same token; give each node a token of its own");
  std::filesystem::remove_all(Tokens());
  std::filesystem::create_directory(Tokens());
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own()),
            line + "token directory " + Tokens() +
                " holds no token; put one file per node there, named like the node");
}

}  // namespace
}  // namespace fairlead::extender
