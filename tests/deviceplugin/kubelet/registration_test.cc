#include "deviceplugin/kubelet/registration.h"

#include <gmock/gmock.h>

#include <vector>

namespace fairlead::deviceplugin {
namespace {

using enum RegistrationStep;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr SocketIdentity kFirstKubelet{.device = 1, .inode = 10, .changed_ns = 100};
constexpr SocketIdentity kSecondKubelet{.device = 1, .inode = 11, .changed_ns = 200};
constexpr SocketIdentity kSameInode{.device = 1, .inode = 10, .changed_ns = 300};

// Plays server and kubelet around a registration: steps change the facts as they would.
class Scene {
 public:
  explicit Scene(std::unique_ptr<Registration> registration)
      : registration_(std::move(registration)) {}

  // The steps that are due after `later`.
  std::vector<RegistrationStep> After(Nanoseconds later) {
    now_ += later;
    std::vector<RegistrationStep> steps;
    while (steps.size() < 10) {
      const RegistrationStep step = registration_->Next(facts, now_);
      if (step == kNone) break;
      steps.push_back(step);
      if (step == kRetire) {
        const auto kubelet = facts.kubelet;
        facts = {};
        facts.kubelet = kubelet;
      }
      if (step == kServe) {
        if (bind_works) facts.serving = facts.own_socket_present = true;
        registration_->Served(bind_works, now_);
      }
    }
    return steps;
  }
  std::vector<RegistrationStep> Now() { return After(Nanoseconds(0)); }
  void Done(RegisterOutcome outcome) { registration_->RegisterDone(outcome, now_); }
  void StreamOpens() { ++facts.streams_opened, ++facts.streams_open; }
  void StreamEnds() { --facts.streams_open; }

  RegistrationFacts facts;
  bool bind_works = true;

 private:
  std::unique_ptr<Registration> registration_;
  MonotonicTime now_ = MonotonicTime(Seconds(1000));
};

class LegacyRegistrationTest : public testing::Test {
 protected:
  void Connect() {
    scene_.facts.kubelet = kFirstKubelet;
    ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
    scene_.StreamOpens();
    scene_.Done(RegisterOutcome::kAccepted);
    ASSERT_THAT(scene_.Now(), IsEmpty());
  }

  Scene scene_{MakeLegacyRegistration({}, 7)};
};

TEST_F(LegacyRegistrationTest, NothingIsDoneWithoutAKubelet) {
  EXPECT_THAT(scene_.After(Seconds(3600)), IsEmpty());
}

TEST_F(LegacyRegistrationTest, ServesBeforeItRegistersAndThenIsQuiet) {
  Connect();
  for (int i = 0; i < 1000; ++i) ASSERT_THAT(scene_.After(Seconds(10)), IsEmpty());
}

TEST_F(LegacyRegistrationTest, NeverTwiceAtOnce) {
  scene_.facts.kubelet = kFirstKubelet;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
  scene_.facts.kubelet = kSecondKubelet;
  scene_.facts.own_socket_present = false;
  EXPECT_THAT(scene_.After(Seconds(60)), IsEmpty());
  scene_.Done(RegisterOutcome::kNotReached);
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ANewKubeletIsToldAtOnceOnANewPath) {
  Connect();
  scene_.StreamEnds();
  scene_.facts.kubelet.reset();
  scene_.facts.own_socket_present = false;
  EXPECT_THAT(scene_.After(Seconds(100)), IsEmpty());
  scene_.facts.kubelet = kSecondKubelet;
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ANewKubeletWithItsPredecessorsInodeNumberIsNew) {
  Connect();
  scene_.StreamEnds();
  scene_.facts.kubelet = kSameInode;
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, AChangedModeOfKubeletsSocketIsNoNewKubelet) {
  Connect();
  scene_.facts.kubelet = kSameInode;
  EXPECT_THAT(scene_.After(Seconds(5)), IsEmpty());
}

TEST_F(LegacyRegistrationTest, ACancelledStreamIsMendedAfterKubeletHasSettled) {
  Connect();
  EXPECT_THAT(scene_.After(Seconds(60)), IsEmpty());
  scene_.StreamEnds();
  EXPECT_THAT(scene_.Now(), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(300)), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, StreamsThatAreCancelledAgainAndAgainAreMendedEverMoreRarely) {
  Connect();
  Nanoseconds last{0};
  for (int round = 0; round < 12; ++round) {
    scene_.StreamEnds();
    Nanoseconds waited{0};
    std::vector<RegistrationStep> steps;
    while ((steps = scene_.After(Milliseconds(10))).empty()) waited += Milliseconds(10);
    ASSERT_THAT(steps, ElementsAre(kRetire, kServe, kRegister));
    scene_.Done(RegisterOutcome::kAccepted);
    scene_.StreamOpens();
    scene_.Now();
    last = waited;
  }
  EXPECT_GE(last, Seconds(15));
  EXPECT_LE(last, Seconds(30));
  scene_.After(Seconds(10));  // and a stream that lasts makes up for it
  scene_.StreamEnds();
  scene_.Now();
  EXPECT_THAT(scene_.After(Milliseconds(300)), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ALostSocketIsBoundAnewAfterTheOldStreamHasEnded) {
  Connect();
  scene_.facts.own_socket_present = false;
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire));
  EXPECT_THAT(scene_.After(Milliseconds(300)), ElementsAre(kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ARegistrationWithoutAListAndWatchIsRepeated) {
  scene_.facts.kubelet = kFirstKubelet;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
  scene_.Done(RegisterOutcome::kAccepted);
  EXPECT_THAT(scene_.After(Milliseconds(9'900)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(100)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(300)), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, AKubeletThatIsNotReachedIsTriedAgainOnTheSamePath) {
  scene_.facts.kubelet = kFirstKubelet;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
  scene_.Done(RegisterOutcome::kNotReached);
  EXPECT_THAT(scene_.Now(), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(200)), ElementsAre(kRegister));
}

TEST_F(LegacyRegistrationTest, AKubeletThatRefusesGetsAnotherPath) {
  scene_.facts.kubelet = kFirstKubelet;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
  scene_.Done(RegisterOutcome::kRefused);
  EXPECT_THAT(scene_.After(Milliseconds(200)), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ARegisterThatWasNotAnsweredButActedOnCounts) {
  scene_.facts.kubelet = kFirstKubelet;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe, kRegister));
  scene_.StreamOpens();
  scene_.Done(RegisterOutcome::kUnanswered);
  EXPECT_THAT(scene_.After(Seconds(60)), IsEmpty());
  scene_.StreamEnds();
  scene_.Now();
  EXPECT_THAT(scene_.After(Milliseconds(400)), ElementsAre(kRetire, kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, AFailingBindIsTriedAgainEverMoreRarely) {
  scene_.facts.kubelet = kFirstKubelet;
  scene_.bind_works = false;
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe));
  int tries = 0;
  for (int i = 0; i < 6000; ++i) tries += static_cast<int>(scene_.After(Milliseconds(100)).size());
  EXPECT_GT(tries, 20);
  EXPECT_LT(tries, 60);
  scene_.bind_works = true;
  EXPECT_THAT(scene_.After(Seconds(30)), ElementsAre(kServe, kRegister));
}

TEST_F(LegacyRegistrationTest, ALongAbsenceOfKubeletDoesNotDelayItsReturn) {
  scene_.facts.kubelet = kFirstKubelet;
  scene_.Now();
  for (int i = 0; i < 20; ++i) {
    scene_.Done(RegisterOutcome::kNotReached);
    ASSERT_THAT(scene_.After(Seconds(30)), ElementsAre(kRegister));
  }
  scene_.Done(RegisterOutcome::kNotReached);
  scene_.facts.kubelet = kSecondKubelet;
  EXPECT_THAT(scene_.Now(), ElementsAre(kRegister));
}

class RegistryRegistrationTest : public testing::Test {
 protected:
  Scene scene_{MakeRegistryRegistration({})};
};

TEST_F(RegistryRegistrationTest, ServesAndWaitsToBeFound) {
  EXPECT_THAT(scene_.Now(), ElementsAre(kServe));
  scene_.StreamOpens();
  for (int i = 0; i < 1000; ++i) ASSERT_THAT(scene_.After(Seconds(10)), IsEmpty());
}

TEST_F(RegistryRegistrationTest, ASocketThatKubeletMissedIsMadeAnewEverMoreRarely) {
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe));
  EXPECT_THAT(scene_.After(Milliseconds(9'999)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(1)), ElementsAre(kRetire));
  EXPECT_THAT(scene_.After(Milliseconds(1'499)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(1)), ElementsAre(kServe));
  EXPECT_THAT(scene_.After(Milliseconds(19'999)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(1)), ElementsAre(kRetire));
}

TEST_F(RegistryRegistrationTest, ABrokenStreamOrALostSocketNeedsAnotherSocket) {
  ASSERT_THAT(scene_.Now(), ElementsAre(kServe));
  scene_.StreamOpens();
  scene_.Now();
  scene_.StreamEnds();
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire));
  EXPECT_THAT(scene_.After(Milliseconds(1'500)), ElementsAre(kServe));
  scene_.facts.own_socket_present = false;
  EXPECT_THAT(scene_.Now(), ElementsAre(kRetire));
  EXPECT_THAT(scene_.After(Milliseconds(1'500)), IsEmpty());
  EXPECT_THAT(scene_.After(Milliseconds(1'500)), ElementsAre(kServe));
}

}  // namespace
}  // namespace fairlead::deviceplugin
