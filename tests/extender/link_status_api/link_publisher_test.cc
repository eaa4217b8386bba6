// Links written to an API server on the loopback.
#include "extender/link_status_api/link_publisher.h"

#include <gmock/gmock.h>
#include <poll.h>

#include <atomic>
#include <csignal>

#include "tests/extender/link_status/sample_objects.h"
#include "tests/extender/link_status_api/fake_links_api.h"

namespace fairlead::extender {
namespace {

using testing::HasSubstr;

// Tells how often it was asked: at least once a round.
class CountingClock final : public Clock {
 public:
  MonotonicTime Now() const override {
    ++asked_;
    return clock_.Now();
  }
  WallTime WallNow() const override { return clock_.WallNow(); }
  int asked() const { return asked_; }

 private:
  const SystemClock clock_;
  mutable std::atomic<int> asked_ = 0;
};

class LinkPublisherTest : public testing::Test {
 protected:
  LinkPublisherTest() {
    std::signal(SIGPIPE, SIG_IGN);
    links_.Publish(sample::ReportedLab().Snapshot());
  }

  std::unique_ptr<LinkPublisher> Start(const Snapshot<Leadership>& leadership, LinkPace pace = {}) {
    auto connection = kube::ApiConnection::Create(api_.access(), "test", clock_, kLinkLimits);
    EXPECT_TRUE(connection);
    return std::make_unique<LinkPublisher>(LinkPublisherSources{.links = links_,
                                                                .leadership = leadership,
                                                                .clock = publishers_clock_,
                                                                .settled = [] { return true; }},
                                           *std::move(connection), 1, pace,
                                           LinkPublisherTimes{.round = Milliseconds(5),
                                                              .first_wait = Milliseconds(5),
                                                              .longest_wait = Milliseconds(20)});
  }

  template <class Condition>
  bool Wait(Condition condition) {
    for (const MonotonicTime end = clock_.Now() + Seconds(60); clock_.Now() < end;) {
      if (condition()) return true;
      ::poll(nullptr, 0, 2);
    }
    return false;
  }
  bool WaitState(const std::string& name, const std::string& state) {
    return Wait([&] { return api_.StateOf(name) == state; });
  }
  bool WaitTrouble(const LinkPublisher& publisher, const std::string& words) {
    return Wait([&] { return publisher.status().trouble.find(words) != std::string::npos; });
  }
  bool WaitWell(const LinkPublisher& publisher) {
    return Wait(
        [&] { return publisher.status().trouble.empty() && publisher.status().objects > 0; });
  }

  // Until rounds have passed, whoever makes them.
  bool WaitRounds() {
    const int before = publishers_clock_.asked();
    return Wait([&] { return publishers_clock_.asked() > before + 20; });
  }

  const SystemClock clock_;
  const CountingClock publishers_clock_;
  FakeLinksApi api_;
  Snapshot<LinkSnapshot> links_;
  Snapshot<Leadership> leads_{Leadership::Standalone()};
};

TEST_F(LinkPublisherTest, MakesALinkForEachPairAndKeepsItUpToDate) {
  const auto publisher = Start(leads_);
  for (const char* const name : {"hk-sg", "hk-tyo", "sg-tyo"}) {
    ASSERT_TRUE(WaitState(name, "Healthy")) << name;
  }
  const auto link = api_.links().at("hk-sg");
  EXPECT_EQ(link["metadata"]["labels"]["app.kubernetes.io/managed-by"], "fairlead-extender");
  links_.Publish(sample::ReportedLab()
                     .State("hk", "sg", LinkState::kDegraded, LinkReason::kRttStep)
                     .Snapshot());
  ASSERT_TRUE(WaitState("hk-sg", "Degraded"));
  ASSERT_TRUE(Wait([&] { return publisher->status().written == 4; }));
  EXPECT_EQ(publisher->status().objects, 3U);
  EXPECT_EQ(publisher->status().trouble, "");
  // Nothing changes any more, and so nothing is written.
  const std::size_t before = api_.requests();
  ASSERT_TRUE(WaitRounds());
  EXPECT_EQ(api_.requests(), before);
}

TEST_F(LinkPublisherTest, WritesOnlyWhileItLeads) {
  Snapshot<Leadership> leadership;
  const auto publisher = Start(leadership);
  const auto other = Start(leads_);
  ASSERT_TRUE(WaitState("sg-tyo", "Healthy"));
  EXPECT_EQ(publisher->status().written, 0U);
  EXPECT_EQ(publisher->status().objects, 0U);
  other->Stop();
  leadership.Publish(Leadership::Standalone());
  links_.Publish(
      sample::ReportedLab().State("hk", "sg", LinkState::kDown, LinkReason::kNoReply).Snapshot());
  ASSERT_TRUE(WaitState("hk-sg", "Down"));
  leadership.Publish({});
  ASSERT_TRUE(Wait([&] { return publisher->status().objects == 0; }));
  const std::size_t before = api_.requests();
  links_.Publish(sample::ReportedLab().Snapshot());
  ASSERT_TRUE(WaitRounds());
  EXPECT_EQ(api_.requests(), before);
  EXPECT_EQ(api_.StateOf("hk-sg"), "Down");
}

TEST_F(LinkPublisherTest, WithoutADefinitionItWaitsAndDoesNotComplain) {
  const auto not_found = static_cast<std::size_t>(kube::ApiFailure::kNotFound);
  api_.Define(false);
  const auto publisher = Start(leads_);
  ASSERT_TRUE(Wait([&] { return publisher->status().failures[not_found] > 2; }));
  EXPECT_FALSE(publisher->status().defined);
  EXPECT_EQ(publisher->status().trouble, "");
  api_.Define(true);
  ASSERT_TRUE(WaitState("hk-sg", "Healthy"));
  ASSERT_TRUE(WaitWell(*publisher));
  // It is removed and comes back while it runs.
  api_.Define(false);
  links_.Publish(
      sample::ReportedLab().State("hk", "sg", LinkState::kDown, LinkReason::kNoReply).Snapshot());
  ASSERT_TRUE(Wait([&] { return !publisher->status().defined; }));
  EXPECT_EQ(publisher->status().objects, 0U);
  api_.Define(true);
  ASSERT_TRUE(WaitState("hk-sg", "Down"));
  ASSERT_TRUE(WaitState("sg-tyo", "Healthy"));
}

TEST_F(LinkPublisherTest, WithNeitherDefinitionNorRightsItDoesNotComplain) {
  const auto forbidden = static_cast<std::size_t>(kube::ApiFailure::kForbidden);
  api_.Define(false);
  api_.Fail("GET", "links", 403);
  const auto publisher = Start(leads_);
  ASSERT_TRUE(Wait([&] { return publisher->status().failures[forbidden] > 2; }));
  EXPECT_EQ(publisher->status().trouble, "");
  api_.Define(true);
  ASSERT_TRUE(WaitTrouble(*publisher, "RBAC lacks list on links.fairlead.dev"));
  EXPECT_TRUE(publisher->status().defined);
}

TEST_F(LinkPublisherTest, NamesTheRightThatIsMissing) {
  const struct {
    const char* method;
    const char* end;
    const char* words;
  } kCases[] = {
      {"GET", "links", "RBAC lacks list on links.fairlead.dev"},
      {"PATCH", "/status", "RBAC lacks patch on links.fairlead.dev/status"},
      {"PATCH", "sg", "RBAC lacks create and patch on links.fairlead.dev ("},
  };
  for (const auto& c : kCases) {
    api_.Define(false);
    api_.Define(true);
    api_.Fail(c.method, c.end, 403);
    const auto publisher = Start(leads_);
    ASSERT_TRUE(WaitTrouble(*publisher, c.words)) << publisher->status().trouble;
    api_.Fail("", "", 0);
    ASSERT_TRUE(WaitState("hk-sg", "Healthy")) << c.words;
    ASSERT_TRUE(WaitWell(*publisher)) << c.words;
  }
}

TEST_F(LinkPublisherTest, AnApiServerThatFailsIsTriedAgain) {
  for (const int code : {500, 503, 429, 409, 422}) {
    api_.Define(false);
    api_.Define(true);
    api_.Fail("PATCH", "", code);
    const auto publisher = Start(leads_, {.refresh = Milliseconds(20)});
    ASSERT_TRUE(WaitTrouble(*publisher, "patch on links.fairlead.dev/status")) << code;
    api_.Fail("", "", 0);
    for (const char* const name : {"hk-sg", "hk-tyo", "sg-tyo"}) {
      ASSERT_TRUE(WaitState(name, "Healthy")) << code << ", " << name;
    }
    ASSERT_TRUE(WaitWell(*publisher)) << code;
  }
}

TEST_F(LinkPublisherTest, OneThatIsRefusedHoldsUpNoOther) {
  api_.Fail("PATCH", "hk-sg/status", 422);
  const auto publisher = Start(leads_);
  ASSERT_TRUE(WaitState("sg-tyo", "Healthy"));
  ASSERT_TRUE(WaitTrouble(*publisher, "patch on links.fairlead.dev/status"));
  EXPECT_EQ(api_.StateOf("hk-sg"), "");
}

TEST_F(LinkPublisherTest, ALinkThatSomebodyDeletedIsMadeAgain) {
  const auto publisher = Start(leads_, {.refresh = Milliseconds(20)});
  ASSERT_TRUE(WaitState("hk-sg", "Healthy"));
  api_.Remove("hk-sg");
  ASSERT_TRUE(WaitState("hk-sg", "Healthy"));
}

TEST_F(LinkPublisherTest, LinksOfSitesThatAreGoneAreRemoved) {
  api_.Put("hk-mars", {{"status", {{"state", "Healthy"}}}});
  const auto publisher = Start(leads_, {.gone = Milliseconds(20)});
  ASSERT_TRUE(Wait([&] { return !api_.links().contains("hk-mars"); }));
  ASSERT_TRUE(Wait([&] { return publisher->status().removed == 1; }));
  ASSERT_TRUE(WaitState("hk-sg", "Healthy"));
}

TEST_F(LinkPublisherTest, SinceOutlivesAReplica) {
  sample::Links links = sample::ReportedLab();
  auto publisher = Start(leads_);
  ASSERT_TRUE(WaitState("hk-sg", "Healthy"));
  const auto since = api_.links().at("hk-sg")["status"]["since"];
  publisher.reset();
  // The next one has only just begun to follow the links.
  for (const char* const other : {"sg", "tyo"}) {
    sample::Report(links.At("hk", other), 1, 2);
    sample::Report(links.At(other, "hk"), 1, 2);
  }
  links.At("hk", "sg").rtt_p50 = sample::Ms(99);
  links_.Publish(links.Snapshot());
  publisher = Start(leads_);
  ASSERT_TRUE(Wait([&] { return api_.links().at("hk-sg")["status"]["rtt"] == "99 ms"; }));
  EXPECT_EQ(api_.links().at("hk-sg")["status"]["since"], since);
}

}  // namespace
}  // namespace fairlead::extender
