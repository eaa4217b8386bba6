#include "deviceplugin/doctor_facts/dcb_answer.h"

#include <gtest/gtest.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <cerrno>
#include <cstring>

#include "tests/deviceplugin/doctor_facts/netlink_bytes.h"

namespace fairlead::deviceplugin {
namespace {

std::string Answer() {
  ieee_ets ets{};
  ets.prio_tc[3] = 3;
  ets.tc_tx_bw[3] = 60;
  ets.tc_tsa[3] = IEEE_8021QAZ_TSA_ETS;
  ieee_pfc pfc{};
  pfc.pfc_en = 1u << 3;
  dcb_app dscp{};
  dscp.selector = IEEE_8021QAZ_APP_SEL_DSCP;
  dscp.priority = 3;
  dscp.protocol = 26;
  dcb_app other{};
  other.selector = IEEE_8021QAZ_APP_SEL_ETHERTYPE;
  other.priority = 4;
  other.protocol = 27;
  dcbmsg message{};
  message.cmd = DCB_CMD_IEEE_GET;
  const std::string ieee =
      Attribute(DCB_ATTR_IEEE_ETS, Bytes(ets)) + Attribute(DCB_ATTR_IEEE_PFC, Bytes(pfc)) +
      Attribute(DCB_ATTR_IEEE_APP_TABLE, Attribute(DCB_ATTR_IEEE_APP, Bytes(dscp)) +
                                             Attribute(DCB_ATTR_IEEE_APP, Bytes(other)));
  return Datagram(RTM_GETDCB, Bytes(message) + Attribute(DCB_ATTR_IFNAME, "eth0") +
                                  Attribute(DCB_ATTR_IEEE | NLA_F_NESTED, ieee));
}

TEST(DcbAnswerTest, EtsPfcAndTheDscpTable) {
  const auto facts = ParseDcbAnswer(Answer());
  ASSERT_TRUE(facts) << facts.why_not();
  ASSERT_TRUE(facts->ets);
  EXPECT_EQ(facts->ets->class_of[3], 3);
  EXPECT_EQ(facts->ets->share_percent[3], 60);
  EXPECT_EQ(facts->ets->algorithm[3], 2);
  EXPECT_EQ(facts->pfc, 8);
  const std::map<std::uint8_t, std::uint8_t> table{{26, 3}};
  EXPECT_EQ(facts->priority_of_dscp, table);
}

TEST(DcbAnswerTest, RefusalsSayWhy) {
  nlmsgerr error{};
  error.error = -EOPNOTSUPP;
  EXPECT_EQ(ParseDcbAnswer(Datagram(NLMSG_ERROR, Bytes(error))).why_not(),
            "the driver offers none");
  error.error = -ENODEV;
  EXPECT_NE(ParseDcbAnswer(Datagram(NLMSG_ERROR, Bytes(error))).why_not().find("errno 19"),
            std::string::npos);
}

// Cut off anywhere, it is an answer of less or none, and nothing is read behind its end.
TEST(DcbAnswerTest, CutOffAnywhere) {
  const std::string whole = Answer();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ParseDcbAnswer(std::string_view(whole).substr(0, size))) << size;
    std::string shorter = whole.substr(0, size);
    if (size >= NLMSG_HDRLEN) {
      const auto length = static_cast<std::uint32_t>(size);
      std::memcpy(shorter.data(), &length, sizeof length);
      ParseDcbAnswer(shorter);
    }
  }
}

}  // namespace
}  // namespace fairlead::deviceplugin
