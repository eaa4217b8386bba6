#include "common/net/tls_renewal.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/common/support/broken_tls.h"
#include "tests/common/support/temp_directory.h"
#include "tests/common/support/test_pki.h"

namespace fairlead {
namespace {

class TlsRenewalTest : public testing::Test {
 protected:
  // What is logged of these files while they are looked at. Others may be watched in the
  // background.
  std::string Look(const TlsRenewal::Use& use) {
    testing::internal::CaptureStderr();
    renewal_.Look(use);
    std::istringstream log(testing::internal::GetCapturedStderr());
    std::string own;
    for (std::string line; std::getline(log, line);) {
      if (line.find(directory_.path().string()) != std::string::npos) own += line + '\n';
    }
    return own;
  }
  std::string Look() {
    return Look([this](const TlsFiles& files) {
      ++used_;
      EXPECT_TRUE(files == ReadTlsFiles(tls_).value());
      return Status();
    });
  }

  TestPki pki_;
  TempDirectory directory_, other_;
  const TlsConfig stranger_ = pki_.Issue(other_, "IP:127.0.0.1");
  const TlsConfig tls_ = pki_.Issue(directory_, "IP:127.0.0.1");
  TlsRenewal renewal_{tls_, ReadTlsFiles(tls_).value()};
  int used_ = 0;
};

TEST_F(TlsRenewalTest, UsesOnlyGoodFilesThatDifferAndWarnsOnce) {
  EXPECT_EQ(Look(), "");
  for (const TlsBreakage& breakage : TlsBreakages(stranger_)) {
    breakage.happen(directory_);
    const std::string warned = Look();
    EXPECT_NE(warned.find("\"level\":\"warning\""), std::string::npos) << breakage.what << warned;
    EXPECT_NE(warned.find("\"remedy\":"), std::string::npos) << warned;
    EXPECT_EQ(Look(), "") << breakage.what;
    const int before = used_;
    pki_.Issue(directory_, "IP:127.0.0.1");
    EXPECT_NE(Look().find("renewed"), std::string::npos) << breakage.what;
    EXPECT_EQ(used_, before + 1) << breakage.what;
    EXPECT_EQ(Look(), "");
  }
}

TEST_F(TlsRenewalTest, ANewFaultIsToldAndTheReturnOfTheOldFilesToo) {
  const std::string ca = directory_.Write("kept", ReadFile(tls_.ca_file, 1U << 20).value());
  directory_.Write("ca.crt", "");
  EXPECT_NE(Look().find("is empty"), std::string::npos);
  directory_.Write("ca.crt", "garbage");
  EXPECT_NE(Look().find("holds no PEM certificate"), std::string::npos);
  std::filesystem::rename(ca, tls_.ca_file);
  EXPECT_NE(Look().find("good again"), std::string::npos);
  EXPECT_EQ(used_, 0);
  directory_.Write("ca.crt", "garbage");
  EXPECT_NE(Look().find("holds no PEM certificate"), std::string::npos);
}

TEST_F(TlsRenewalTest, WhatCannotBeUsedIsTriedAgain) {
  pki_.Issue(directory_, "IP:127.0.0.1");
  const auto refuse = [this](const TlsFiles&) -> Status {
    return Fail(ErrorCode::kInternal, tls_.key_file + ": not today");
  };
  EXPECT_NE(Look(refuse).find("not today"), std::string::npos);
  EXPECT_EQ(Look(refuse), "");
  EXPECT_NE(Look().find("renewed"), std::string::npos);
  EXPECT_EQ(used_, 1);
}

TEST_F(TlsRenewalTest, EveryBreakageIsNamed) {
  for (const TlsBreakage& breakage : TlsBreakages(stranger_)) {
    pki_.Issue(directory_, "IP:127.0.0.1");
    breakage.happen(directory_);
    const auto files = ReadTlsFiles(tls_);
    ASSERT_FALSE(files) << breakage.what;
    EXPECT_NE(files.error().message.find(breakage.says), std::string::npos)
        << breakage.what << ": " << files.error().message;
  }
}

}  // namespace
}  // namespace fairlead
