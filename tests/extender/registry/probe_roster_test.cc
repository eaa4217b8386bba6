#include "extender/registry/probe_roster.h"

#include <gtest/gtest.h>

#include <optional>

namespace fairlead::extender {
namespace {

class FakeLine final : public ProbeLine {
 public:
  void SendPlan(const NodePlan&) override {}
  void Close(const Error& why) override {
    if (!why_) why_ = why;
  }
  bool closed() const override { return why_.has_value(); }

  std::optional<Error> why_;
};

ProbeIdentity Identity(std::uint64_t epoch) {
  ProbeIdentity identity;
  identity.node = "n1";
  identity.site = "hk";
  identity.epoch = epoch;
  return identity;
}

class Roster : public testing::Test {
 protected:
  MonotonicTime At(Nanoseconds since_start) const {
    return MonotonicTime{} + Seconds(100) + since_start;
  }

  const NodeNames inventory_{std::vector<NodeNames::Entry>{{.name = "n1", .site = "hk"}}};
  ProbeRoster roster_{Seconds(5)};
  std::vector<std::string> gone_;
};

TEST_F(Roster, TheNewestStreamOfANodeWins) {
  const auto first = std::make_shared<FakeLine>();
  const auto second = std::make_shared<FakeLine>();
  EXPECT_FALSE(roster_.Join(Identity(1), first));
  EXPECT_TRUE(roster_.Join(Identity(2), second)) << "another process claims the node";
  EXPECT_TRUE(first->closed());
  EXPECT_FALSE(second->closed());
  EXPECT_EQ(roster_.members().at("n1").line, second);
}

TEST_F(Roster, AReconnectOfTheSameProcessIsNoDuplicate) {
  const auto first = std::make_shared<FakeLine>();
  roster_.Join(Identity(1), first);
  EXPECT_FALSE(roster_.Join(Identity(1), std::make_shared<FakeLine>()));
  EXPECT_TRUE(first->closed());
}

TEST_F(Roster, ABrokenStreamStaysInThePlansForTheGraceOnly) {
  const auto line = std::make_shared<FakeLine>();
  roster_.Join(Identity(1), line);
  line->Close({ErrorCode::kUnavailable, "gone"});
  EXPECT_FALSE(roster_.Sweep(inventory_, At(Seconds(0)), gone_));
  EXPECT_TRUE(roster_.ConnectedBySite().empty());
  EXPECT_EQ(roster_.members().size(), 1U);
  EXPECT_FALSE(roster_.Sweep(inventory_, At(Seconds(4)), gone_));
  EXPECT_TRUE(roster_.Sweep(inventory_, At(Seconds(5)), gone_));
  EXPECT_TRUE(roster_.members().empty());
  EXPECT_EQ(gone_, std::vector<std::string>{"n1"});
}

TEST_F(Roster, AReconnectWithinTheGraceChangesNothing) {
  const auto line = std::make_shared<FakeLine>();
  roster_.Join(Identity(1), line);
  line->Close({ErrorCode::kUnavailable, "gone"});
  roster_.Sweep(inventory_, At(Seconds(0)), gone_);
  EXPECT_FALSE(roster_.Join(Identity(1), std::make_shared<FakeLine>()));
  EXPECT_FALSE(roster_.Sweep(inventory_, At(Seconds(60)), gone_));
  EXPECT_EQ(roster_.ConnectedBySite().at("hk"), 1U);
}

TEST_F(Roster, ANodeTakenOutOfTheInventoryIsClosed) {
  const auto line = std::make_shared<FakeLine>();
  roster_.Join(Identity(1), line);
  EXPECT_TRUE(roster_.Sweep(NodeNames(), At(Seconds(0)), gone_));
  ASSERT_TRUE(line->closed());
  EXPECT_EQ(line->why_->code, ErrorCode::kNotFound);
  EXPECT_TRUE(roster_.members().empty());
}

}  // namespace
}  // namespace fairlead::extender
