#include "common/link/link_state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fairlead {
namespace {

TEST(LinkNames, GoRoundForEveryState) {
  std::set<std::string_view> words;
  for (const LinkState state : kAllLinkStates) {
    EXPECT_EQ(ParseLinkState(LinkStateName(state)), state);
    words.insert(LinkStateName(state));
  }
  EXPECT_EQ(words.size(), kAllLinkStates.size());
}

TEST(LinkNames, GoRoundForEveryReason) {
  std::set<std::string_view> words;
  constexpr auto kReasons = static_cast<int>(LinkReason::kLearning) + 1;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<LinkReason>(i);
    EXPECT_EQ(ParseLinkReason(LinkReasonName(reason)), reason);
    words.insert(LinkReasonName(reason));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(LinkReasonName(LinkReason::kHoldDown), "hold_down");
  EXPECT_EQ(LinkReasonName(LinkReason::kLearning), "learning");
  EXPECT_EQ(LinkReasonName(LinkReason::kLossForward), "loss_forward");
}

TEST(LinkNames, GoRoundForEveryRung) {
  for (const TransportRung rung :
       {TransportRung::kRdmaUdHw, TransportRung::kRdmaUdSw, TransportRung::kUdpHw,
        TransportRung::kUdpSw, TransportRung::kTcp, TransportRung::kPromql}) {
    EXPECT_EQ(ParseTransportRung(TransportRungName(rung)), rung);
  }
  EXPECT_EQ(TransportRungName(TransportRung::kRdmaUdSw), "rdma_ud_sw");
}

TEST(LinkNames, AreNothingForAnyOtherWord) {
  for (const std::string_view word : {"", "healthy", "HEALTHY", "Healthy ", "5", "\xff"}) {
    EXPECT_EQ(ParseLinkState(word), std::nullopt) << word;
    EXPECT_EQ(ParseLinkReason(word), std::nullopt) << word;
    EXPECT_EQ(ParseTransportRung(word), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace fairlead
