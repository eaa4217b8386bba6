#include "linkprobe/cli/check_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead::linkprobe {
namespace {

class CheckConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    token_ = directory_.Write("token", "a-token-of-hk-1!");
    std::filesystem::permissions(token_, std::filesystem::perms(0600));
  }
  std::string Check(const std::string& text) const {
    const Status checked = CheckConfigFile(directory_.Write("f.yaml", text));
    return checked ? "ok" : checked.error().message;
  }
  std::string Own(const std::string& extender) const {
    return "linkprobe:\n  extender: " + extender + "\n  tokenFile: " + token_ + "\n";
  }
  static std::string TlsText(const TlsConfig& tls) {
    return "tls:\n  certificateFile: " + tls.certificate_file + "\n  keyFile: " + tls.key_file +
           "\n  caFile: " + tls.ca_file + "\n";
  }

  TestPki pki_;
  TempDirectory directory_;
  std::string token_;
};

TEST_F(CheckConfigTest, PassesWhatCanStart) {
  EXPECT_EQ(Check(TlsText(pki_.Issue(directory_, "IP:127.0.0.1")) + Own("extender.svc:8472")),
            "ok");
  EXPECT_EQ(Check(Own("localhost:8472") + "  sessionListen: 127.0.0.1:7471\n"), "ok");
}

TEST_F(CheckConfigTest, TellsWhatTheFileItselfHasWrong) {
  EXPECT_EQ(Check("linkprobe: {path: 1}"),
            "f.yaml:1: linkprobe: unknown key \"path\"; did you mean paths?");
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own("a:1") + "  opsListen: 10.0.0.1:7471\n"),
            "f.yaml:5: linkprobe.opsListen: 10.0.0.1:7471 clashes with linkprobe.sessionListen "
            "0.0.0.0:7471; give each a port of its own");
}

TEST_F(CheckConfigTest, TellsWhereTlsIsNeitherGivenNorWaived) {
  const std::string remedy =
      " is not on the loopback and no TLS is configured; set tls.certificateFile, tls.keyFile and "
      "tls.caFile, or tls.plaintext: true to go without";
  EXPECT_EQ(Check(Own("extender.svc:8472")),
            "f.yaml:1: linkprobe.sessionListen: 0.0.0.0:7471" + remedy +
                "\nf.yaml:2: linkprobe.extender: extender.svc:8472" + remedy);
}

TEST_F(CheckConfigTest, TellsEveryMissingFile) {
  EXPECT_EQ(
      Check("tls: {certificateFile: /none/c,\n keyFile: /none/k,\n caFile: /none/a}\n"
            "linkprobe: {tokenFile: /none/t}\n"),
      "f.yaml:1: tls.certificateFile: read \"/none/c\": no such file or directory (errno 2)\n"
      "f.yaml:2: tls.keyFile: read \"/none/k\": no such file or directory (errno 2)\n"
      "f.yaml:3: tls.caFile: read \"/none/a\": no such file or directory (errno 2)\n"
      "f.yaml:4: linkprobe.extender: is missing; write host:port of the extender's grpcListen\n"
      "f.yaml:4: linkprobe.tokenFile: token file \"/none/t\": no such file or directory "
      "(errno 2)");
}

TEST_F(CheckConfigTest, TellsATokenThatOthersMayWrite) {
  std::filesystem::permissions(token_, std::filesystem::perms(0622));
  EXPECT_EQ(Check("tls: {plaintext: true}\n" + Own("a:1")),
            "f.yaml:4: linkprobe.tokenFile: token file \"" + token_ +
                "\": group or others may write it; chmod go-w");
}

TEST_F(CheckConfigTest, TellsAKeyOfAnotherCertificate) {
  const TempDirectory other;
  TlsConfig tls = pki_.Issue(directory_, "IP:127.0.0.1");
  tls.key_file = pki_.Issue(other, "IP:127.0.0.1").key_file;
  EXPECT_EQ(Check(TlsText(tls) + Own("a:1")), "f.yaml:3: tls.keyFile: \"" + tls.key_file +
                                                  "\" does not belong to the certificate in \"" +
                                                  tls.certificate_file + "\"");
}

}  // namespace
}  // namespace fairlead::linkprobe
