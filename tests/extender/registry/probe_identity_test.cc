#include "extender/registry/probe_identity.h"

#include <gmock/gmock.h>

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

const NodeNames& Known() {
  static const NodeNames inventory{std::vector<NodeNames::Entry>{{.name = "n1", .site = "hk"}}};
  return inventory;
}

ProbeIdentity Good() {
  ProbeIdentity said;
  said.protocol_version = kProtocolVersion;
  said.node = "n1";
  said.epoch = 7;
  said.session_address = "10.0.0.1:7471";
  return said;
}

TEST(CheckIdentity, FillsInTheSite) {
  const auto checked = CheckIdentity(Good(), "n1", Known());
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->site, "hk");
  EXPECT_EQ(checked->epoch, 7U);
}

TEST(CheckIdentity, AcceptsTheSiteSaidWhenItIsRight) {
  ProbeIdentity said = Good();
  said.site = "hk";
  EXPECT_TRUE(CheckIdentity(said, "n1", Known()));
}

TEST(CheckIdentity, CutsAnEndlessVersion) {
  ProbeIdentity said = Good();
  said.software_version = std::string(3U << 20, 'v');
  const auto checked = CheckIdentity(said, "n1", Known());
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->software_version, std::string(64, 'v'));
}

struct Wrong {
  const char* name;
  void (*change)(ProbeIdentity&);
  const char* proven;
  const char* reason;
  ErrorCode code;
  const char* says;
};

class WrongIdentity : public testing::TestWithParam<Wrong> {};

TEST_P(WrongIdentity, IsRefused) {
  ProbeIdentity said = Good();
  GetParam().change(said);
  const auto checked = CheckIdentity(said, GetParam().proven, Known());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().reason, GetParam().reason);
  EXPECT_EQ(checked.error().error.code, GetParam().code);
  EXPECT_THAT(checked.error().error.message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Hellos, WrongIdentity,
    testing::Values(Wrong{"future_version", [](ProbeIdentity& p) { p.protocol_version = 2; }, "n1",
                          "protocol_version", ErrorCode::kUnsupported, "version 2"},
                    Wrong{"no_version", [](ProbeIdentity& p) { p.protocol_version = 0; }, "n1",
                          "protocol_version", ErrorCode::kUnsupported, "version 0"},
                    Wrong{"other_nodes_token", [](ProbeIdentity&) {}, "n2", "wrong_node",
                          ErrorCode::kPermissionDenied, "\"n2\""},
                    Wrong{"no_node", [](ProbeIdentity& p) { p.node = ""; }, "n1", "wrong_node",
                          ErrorCode::kPermissionDenied, "\"n1\""},
                    Wrong{"unknown_node", [](ProbeIdentity& p) { p.node = "n9"; }, "n9",
                          "unknown_node", ErrorCode::kNotFound, "\"n9\""},
                    Wrong{"wrong_site", [](ProbeIdentity& p) { p.site = "sg"; }, "n1", "wrong_site",
                          ErrorCode::kInvalidArgument, "\"sg\""},
                    Wrong{"no_address", [](ProbeIdentity& p) { p.session_address = ""; }, "n1",
                          "session_address", ErrorCode::kInvalidArgument, "sessionAdvertise"},
                    Wrong{"no_port", [](ProbeIdentity& p) { p.session_address = "host"; }, "n1",
                          "session_address", ErrorCode::kInvalidArgument, "\"host\""},
                    Wrong{"port_zero", [](ProbeIdentity& p) { p.session_address = "10.0.0.1:0"; },
                          "n1", "session_address", ErrorCode::kInvalidArgument, "10.0.0.1:0"},
                    Wrong{"only_colons", [](ProbeIdentity& p) { p.session_address = ":::"; }, "n1",
                          "session_address", ErrorCode::kInvalidArgument, "host:port"},
                    Wrong{"endless_address",
                          [](ProbeIdentity& p) { p.session_address = std::string(600, ':'); }, "n1",
                          "session_address", ErrorCode::kInvalidArgument, "host:port"}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace fairlead::extender
