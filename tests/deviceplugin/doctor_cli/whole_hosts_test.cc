// What `doctor` says of whole hosts, beside what it must say.
#include <gtest/gtest.h>

#include <algorithm>

#include "deviceplugin/doctor/checks.h"
#include "deviceplugin/doctor/fix_plan.h"
#include "deviceplugin/doctor_cli/nccl_view.h"
#include "deviceplugin/doctor_cli/report_view.h"
#include "tests/deviceplugin/doctor_cli/doctored_host.h"

namespace fairlead::deviceplugin {
namespace {

struct WholeHost {
  const char* host;  // of tests/testdata/hosts
  const char* over;  // of tests/testdata/doctor; empty: nothing is laid over it
  int exit_status;
};

std::string NameOf(const WholeHost& whole) { return *whole.over == 0 ? whole.host : whole.over; }

class WholeHostTest : public testing::TestWithParam<WholeHost> {};

TEST_P(WholeHostTest, GivesTheExpectedFindings) {
  const NodeFacts facts = DoctoredHost(GetParam().host, GetParam().over);
  const auto reports = Examine(facts);
  EXPECT_EQ(ReportAsText(facts, reports),
            Contents("tests/testdata/doctor/" + NameOf(GetParam()) + ".expected"));
  EXPECT_EQ(ExitStatusFor(Worst(reports)), GetParam().exit_status);
}

std::string TestName(const testing::TestParamInfo<WholeHost>& info) {
  std::string name = NameOf(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

constexpr WholeHost kHosts[] = {
    {"connectx-dual-port", "connectx-spoilt", kExitFaults},
    {"connectx-dual-port", "connectx-tuned", kExitWarnings},
    {"connectx-dual-port", "", kExitWarnings},
    {"connectx-lag", "", kExitWarnings},
    {"bnxt", "", 0},
    {"irdma", "", kExitWarnings},
    {"infiniband", "", kExitWarnings},
    {"efa", "", kExitWarnings},
    {"rxe", "", kExitWarnings},
    {"link-local-only", "", kExitWarnings},
    {"no-rdma", "", kExitWarnings},
    {"damaged", "", kExitWarnings},
};

INSTANTIATE_TEST_SUITE_P(Hosts, WholeHostTest, testing::ValuesIn(kHosts), TestName);

TEST(DoctorDocumentTest, ListsEachCheckAndEachThatCanBeMended) {
  const std::string text = Contents("docs/doctor.md");
  for (const Check& check : AllChecks()) {
    EXPECT_NE(text.find("\n| `" + std::string(check.name) + "` |"), std::string::npos)
        << check.name;
  }
  const std::string fixes = text.substr(text.find("\n## fix"));
  for (const std::string_view check : FixableChecks()) {
    EXPECT_NE(fixes.find("\n| `" + std::string(check) + "` |"), std::string::npos) << check;
  }
}

TEST(WholeHostJsonTest, TellsTheSame) {
  const NodeFacts facts = DoctoredHost("connectx-dual-port", "connectx-spoilt");
  EXPECT_EQ(ReportAsJson(facts, Examine(facts)),
            Contents("tests/testdata/doctor/connectx-spoilt.json"));
}

TEST(WholeHostNcclTest, TellsEachReason) {
  const NodeFacts facts = DoctoredHost("connectx-dual-port", "connectx-tuned");
  const NcclAdvice advice = AdviseNccl(
      facts, {.line = HeaviestLine(facts, NodeRate(facts)), .message_bytes = 100'000'000});
  EXPECT_EQ(NcclAsText(advice), Contents("tests/testdata/doctor/connectx-tuned.nccl"));
  EXPECT_EQ(NcclAsJson(advice), Contents("tests/testdata/doctor/connectx-tuned.nccl.json"));
}

}  // namespace
}  // namespace fairlead::deviceplugin
