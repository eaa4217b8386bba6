#include "deviceplugin/doctor_facts/dcb_answer.h"

#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include <cerrno>
#include <string>

#include "common/base/errno_text.h"
#include "deviceplugin/discovery/netlink_attributes.h"

namespace fairlead::deviceplugin {
namespace {

void ReadEts(std::string_view payload, DcbFacts& facts) {
  ieee_ets ets;
  if (!CopyFront(payload, ets)) return;
  EtsFacts out;
  for (std::size_t i = 0; i < kPriorities; ++i) {
    out.class_of[i] = ets.prio_tc[i];
    out.share_percent[i] = ets.tc_tx_bw[i];
    out.algorithm[i] = ets.tc_tsa[i];
  }
  facts.ets = out;
}

void ReadPfc(std::string_view payload, DcbFacts& facts) {
  ieee_pfc pfc;
  if (CopyFront(payload, pfc)) facts.pfc = pfc.pfc_en;
}

void ReadApp(std::string_view payload, DcbFacts& facts) {
  dcb_app app;
  if (!CopyFront(payload, app) || app.selector != IEEE_8021QAZ_APP_SEL_DSCP) return;
  if (app.protocol >= 64 || app.priority >= kPriorities) return;
  facts.priority_of_dscp[static_cast<std::uint8_t>(app.protocol)] = app.priority;
}

bool ReadIeee(std::string_view attributes, DcbFacts& facts) {
  bool whole = true;
  const bool outer = EachAttribute(attributes, [&](int type, std::string_view payload) {
    if (type == DCB_ATTR_IEEE_ETS) ReadEts(payload, facts);
    if (type == DCB_ATTR_IEEE_PFC) ReadPfc(payload, facts);
    if (type != DCB_ATTR_IEEE_APP_TABLE) return;
    whole = EachAttribute(payload,
                          [&](int entry, std::string_view app) {
                            if (entry == DCB_ATTR_IEEE_APP) ReadApp(app, facts);
                          }) &&
            whole;
  });
  return outer && whole;
}

}  // namespace

Known<DcbFacts> ParseDcbAnswer(std::string_view datagram) {
  const auto not_an_answer = [] {
    return Known<DcbFacts>::Not("the kernel's answer is cut off or of another kind");
  };
  nlmsghdr header;
  if (!CopyFront(datagram, header) || header.nlmsg_len < NLMSG_HDRLEN ||
      header.nlmsg_len > datagram.size()) {
    return not_an_answer();
  }
  std::string_view body =
      datagram.substr(NLMSG_HDRLEN, header.nlmsg_len - static_cast<std::uint32_t>(NLMSG_HDRLEN));
  if (header.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error;
    if (!CopyFront(body, error)) return not_an_answer();
    if (error.error == -EOPNOTSUPP) return Known<DcbFacts>::Not("the driver offers none");
    return Known<DcbFacts>::Not(ErrnoText(-error.error));
  }
  if (header.nlmsg_type != RTM_GETDCB || body.size() < sizeof(dcbmsg)) return not_an_answer();
  body.remove_prefix(NLMSG_ALIGN(sizeof(dcbmsg)));
  DcbFacts facts;
  bool whole = true;
  const bool outer = EachAttribute(body, [&](int type, std::string_view payload) {
    if (type == DCB_ATTR_IEEE) whole = ReadIeee(payload, facts) && whole;
  });
  if (!outer || !whole) return not_an_answer();
  return facts;
}

}  // namespace fairlead::deviceplugin
