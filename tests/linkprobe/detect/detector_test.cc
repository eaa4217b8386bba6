#include "linkprobe/detect/detector.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

namespace fairlead::linkprobe {
namespace {

Nanoseconds Ms(double value) { return Nanoseconds(static_cast<std::int64_t>(value * 1e6)); }

// Steps a detector with hand-made windows.
class Detecting : public ::testing::Test {
 protected:
  static WindowValues Well(double p50_ms = 36) {
    WindowValues v;
    v.samples = 10;
    v.sent_recently = 100;
    v.rtt_p50 = Ms(p50_ms);
    v.rtt_spread = v.forward_spread = v.reverse_spread = Ms(0.4);
    v.prober_delay_p50 = v.responder_delay_p50 = Ms(0.1);
    v.loss.forward.sent = v.loss.reverse.sent = 600;
    v.loss_critical.forward.sent = v.loss_critical.reverse.sent = 100;
    v.forward_hops = v.reverse_hops = 3;
    return v;
  }
  static WindowValues Silent(int seconds) {
    WindowValues v;
    v.sent_recently = 100;
    v.unanswered_for = Seconds(seconds);
    return v;
  }
  LinkState StepFor(int seconds, const WindowValues& values) {
    for (int i = 0; i < 4 * seconds; ++i) {
      now_ += Milliseconds(250);
      detector_.Step(values, now_);
      EXPECT_FALSE(detector_.verdict().evidence.empty());
    }
    return state();
  }
  LinkState StepUnjudgedFor(int seconds, const WindowValues& values) {
    for (int i = 0; i < 4 * seconds; ++i) {
      now_ += Milliseconds(250);
      detector_.StepUnjudged(values, now_);
      EXPECT_FALSE(detector_.verdict().evidence.empty());
    }
    return state();
  }
  static WindowValues Filled() {
    WindowValues v = Well(76);
    v.rtt_spread = v.forward_spread = Ms(30);
    v.loss.forward = v.loss_critical.forward = {40, 100, 20};
    return v;
  }
  LinkState state() const { return detector_.verdict().verdict.state; }
  LinkReason reason() const { return detector_.verdict().verdict.reason; }
  const std::string& evidence() const { return detector_.verdict().evidence; }

  MonotonicTime now_{Seconds(1000)};
  Detector detector_{DetectorSettings{}};
};

TEST_F(Detecting, IsUnknownUntilTheBaselineIsLearnt) {
  EXPECT_EQ(state(), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kNoData);
  EXPECT_FALSE(evidence().empty());
  EXPECT_EQ(StepFor(6, Well()), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kLearning);
  EXPECT_EQ(evidence(), "the baseline is known from 6 of 10 windows");
  EXPECT_EQ(StepFor(3, Well()), LinkState::kUnknown);
  EXPECT_EQ(StepFor(2, Well()), LinkState::kHealthy);
  EXPECT_EQ(reason(), LinkReason::kNone);
}

TEST_F(Detecting, WithoutAnswersNothingIsLearnt) {
  EXPECT_EQ(StepFor(4, Silent(4)), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kNoData);
  EXPECT_EQ(evidence(), "the baseline is known from 0 of 10 windows");
  StepFor(4, Well());
  EXPECT_EQ(reason(), LinkReason::kLearning);
  StepFor(2, Silent(2));
  EXPECT_EQ(reason(), LinkReason::kNoData) << "the answers have stopped";
}

TEST_F(Detecting, ChangeOfStateSetsSinceAndNothingElseDoes) {
  StepFor(60, Well());
  const MonotonicTime since = detector_.verdict().verdict.since;
  StepFor(60, Well());
  EXPECT_EQ(detector_.verdict().verdict.since, since);
  StepFor(9, Well(41));
  EXPECT_EQ(state(), LinkState::kDegraded);
  EXPECT_GT(detector_.verdict().verdict.since, since + Seconds(60));
}

TEST_F(Detecting, StepGoesThroughSuspectToDegraded) {
  StepFor(60, Well());
  EXPECT_EQ(StepFor(4, Well(41)), LinkState::kHealthy);
  EXPECT_EQ(StepFor(2, Well(41)), LinkState::kSuspect);
  EXPECT_EQ(StepFor(3, Well(41)), LinkState::kDegraded);
  EXPECT_EQ(reason(), LinkReason::kRttStep);
  EXPECT_EQ(evidence(),
            "p50 41.0 ms against a baseline of 36.0 ms (band 1.1 ms) in 9 of 10 windows");
}

TEST_F(Detecting, BaselineIsFrozenWhileNotHealthy) {
  StepFor(60, Well());
  StepFor(4000, Well(41));
  EXPECT_EQ(state(), LinkState::kDegraded);
  EXPECT_NE(evidence().find("baseline of 36.0 ms"), std::string::npos) << evidence();
}

TEST_F(Detecting, AdoptsAHigherDelayOnlyAfterItStoodForLong) {
  StepFor(60, Well());
  StepFor(24 * 3600 - 60, Well(41));
  EXPECT_EQ(state(), LinkState::kDegraded);
  StepFor(200, Well(41));
  EXPECT_EQ(state(), LinkState::kHealthy) << evidence();
  StepFor(9, Well(46));
  EXPECT_EQ(state(), LinkState::kDegraded) << evidence();
}

TEST_F(Detecting, FluctuationNamesItsDirection) {
  StepFor(60, Well());
  WindowValues v = Well();
  v.rtt_spread = v.reverse_spread = Ms(9);
  EXPECT_EQ(StepFor(6, v), LinkState::kHealthy);
  EXPECT_EQ(StepFor(3, v), LinkState::kDegraded);
  EXPECT_EQ(reason(), LinkReason::kFluctuation);
  EXPECT_NE(evidence().find("9.0 ms against a baseline of 400 us"), std::string::npos);
  EXPECT_NE(evidence().find("reverse"), std::string::npos) << evidence();
}

TEST_F(Detecting, SilenceIsSuspectThenDownThenHeld) {
  StepFor(60, Well());
  EXPECT_EQ(StepFor(1, Silent(4)), LinkState::kHealthy);
  EXPECT_EQ(StepFor(1, Silent(6)), LinkState::kSuspect);
  EXPECT_EQ(reason(), LinkReason::kNoReply);
  EXPECT_EQ(StepFor(20, Silent(11)), LinkState::kDown);
  EXPECT_EQ(StepFor(6, Well()), LinkState::kDown) << evidence();
  EXPECT_EQ(StepFor(3, Well()), LinkState::kDegraded);
  EXPECT_EQ(reason(), LinkReason::kHoldDown);
  EXPECT_EQ(StepFor(70, Well()), LinkState::kHealthy) << evidence();
}

TEST_F(Detecting, OneUnansweredProbeOfASlowStreamIsNoSilence) {
  StepFor(60, Well());
  WindowValues v = Silent(30);
  v.sent_recently = 1;
  EXPECT_NE(StepFor(5, v), LinkState::kDown) << evidence();
}

TEST_F(Detecting, NoProbesMeansUnknownAndTheBaselineStays) {
  StepFor(60, Well());
  WindowValues idle;
  EXPECT_EQ(StepFor(60, idle), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kNoData);
  StepFor(4, Well());
  EXPECT_EQ(reason(), LinkReason::kLearning) << evidence();
  EXPECT_EQ(StepFor(5, Well()), LinkState::kHealthy) << evidence();
  StepFor(9, Well(41));
  EXPECT_EQ(state(), LinkState::kDegraded);
}

TEST_F(Detecting, PeerRestartForgivesSilenceButNotDelay) {
  StepFor(60, Well());
  StepFor(20, Silent(15));
  ASSERT_EQ(state(), LinkState::kDown);
  detector_.OnPeerRestart(now_);
  EXPECT_EQ(state(), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kPeerRestart);
  EXPECT_EQ(StepFor(9, Well()), LinkState::kHealthy) << evidence();
  EXPECT_EQ(reason(), LinkReason::kPeerRestart);
  StepFor(60, Well());
  EXPECT_EQ(reason(), LinkReason::kNone);
  StepFor(10, Well(41));
  detector_.OnPeerRestart(now_);
  EXPECT_EQ(state(), LinkState::kDegraded);
}

TEST_F(Detecting, HostNoiseSuspendsJudgement) {
  StepFor(60, Well());
  for (int which = 0; which < 3; ++which) {
    WindowValues v = Well(60);
    v.rtt_spread = Ms(30);
    if (which == 0) v.prober_delay_p50 = Ms(25);
    if (which == 1) v.responder_delay_p50 = Ms(25);
    if (which == 2) v.host_lateness = Ms(25);
    EXPECT_EQ(StepFor(60, v), LinkState::kSuspect);
    EXPECT_EQ(reason(), LinkReason::kHostNoise) << evidence();
    EXPECT_NE(evidence().find("25.0 ms"), std::string::npos);
    EXPECT_EQ(StepFor(12, Well()), LinkState::kHealthy) << evidence();
  }
}

TEST_F(Detecting, HostNoiseDoesNotHealADegradedLine) {
  StepFor(60, Well());
  StepFor(10, Well(41));
  WindowValues v = Well(36);
  v.host_lateness = Ms(25);
  EXPECT_EQ(StepFor(300, v), LinkState::kDegraded);
}

TEST_F(Detecting, TheReasonDoesNotAlternate) {
  StepFor(60, Well());
  WindowValues v = Well(41);
  StepFor(10, v);
  v.loss.forward = {30, 600, 20};
  for (int i = 0; i < 200; ++i) {
    StepFor(1, v);
    ASSERT_EQ(reason(), LinkReason::kRttStep);
  }
  StepFor(20, [&] {
    v.rtt_p50 = Ms(36);
    return v;
  }());
  EXPECT_EQ(reason(), LinkReason::kLossForward);
}

TEST_F(Detecting, UnjudgedTheStateStaysAndTheEvidenceSaysWhy) {
  StepFor(60, Well());
  const MonotonicTime since = detector_.verdict().verdict.since;
  EXPECT_EQ(StepUnjudgedFor(120, Filled()), LinkState::kHealthy);
  EXPECT_EQ(reason(), LinkReason::kNone);
  EXPECT_EQ(evidence(),
            "not judged: a bandwidth test fills the line, or has just now; before it p50 36.0 ms "
            "against a baseline of 36.0 ms (band 1.1 ms)");
  EXPECT_EQ(StepFor(60, Well()), LinkState::kHealthy) << evidence();
  EXPECT_EQ(detector_.verdict().verdict.since, since);
  EXPECT_EQ(evidence(), "p50 36.0 ms against a baseline of 36.0 ms (band 1.1 ms)");
}

TEST_F(Detecting, UnjudgedNothingIsLearnt) {
  StepFor(5, Well());
  EXPECT_EQ(StepUnjudgedFor(60, Filled()), LinkState::kUnknown);
  EXPECT_NE(evidence().find("from 5 of 10 windows"), std::string::npos) << evidence();
  EXPECT_EQ(StepFor(7, Well()), LinkState::kHealthy) << evidence();
  StepFor(9, Well(41));
  EXPECT_EQ(state(), LinkState::kDegraded);
  EXPECT_NE(evidence().find("baseline of 36.0 ms"), std::string::npos) << evidence();
}

TEST_F(Detecting, WhatComesInATestIsFoundAsSoonAsEverAfterIt) {
  StepFor(60, Well());
  StepUnjudgedFor(120, Filled());
  EXPECT_EQ(StepFor(4, Well(41)), LinkState::kHealthy);
  EXPECT_EQ(StepFor(2, Well(41)), LinkState::kSuspect);
  EXPECT_EQ(StepFor(3, Well(41)), LinkState::kDegraded);
}

TEST_F(Detecting, UnjudgedSilenceIsDownAndAnswersAreCountedAnew) {
  StepFor(60, Well());
  EXPECT_EQ(StepUnjudgedFor(5, Silent(8)), LinkState::kHealthy);
  EXPECT_EQ(StepUnjudgedFor(1, Silent(10)), LinkState::kDown);
  EXPECT_EQ(reason(), LinkReason::kNoReply);
  EXPECT_EQ(evidence(), "no probe was answered for 10.0 s");
  EXPECT_EQ(StepFor(6, Well()), LinkState::kDown) << evidence();
  EXPECT_EQ(StepFor(3, Well()), LinkState::kDegraded);
  EXPECT_EQ(StepFor(70, Well()), LinkState::kHealthy) << evidence();
}

TEST_F(Detecting, UnjudgedAndWithoutProbesIsUnknown) {
  StepFor(60, Well());
  EXPECT_EQ(StepUnjudgedFor(1, WindowValues{}), LinkState::kUnknown);
  EXPECT_EQ(reason(), LinkReason::kNoData);
  EXPECT_EQ(StepUnjudgedFor(20, Filled()), LinkState::kUnknown) << "answers in a test heal nothing";
  EXPECT_NE(evidence().find("before it no probe was sent"), std::string::npos) << evidence();
}

TEST_F(Detecting, UnjudgedTimeIsNoRecovery) {
  StepFor(60, Well());
  StepFor(10, Well(41));
  ASSERT_EQ(state(), LinkState::kDegraded);
  EXPECT_EQ(StepFor(50, Well()), LinkState::kDegraded);
  EXPECT_EQ(StepUnjudgedFor(120, Well()), LinkState::kDegraded);
  EXPECT_EQ(reason(), LinkReason::kRttStep);
  EXPECT_EQ(StepFor(10, Well()), LinkState::kDegraded) << evidence();
  EXPECT_EQ(StepFor(20, Well()), LinkState::kHealthy) << evidence();
}

TEST_F(Detecting, SettingsMayChangeAtRunTime) {
  StepFor(60, Well());
  StepFor(10, Well(41));
  ASSERT_EQ(state(), LinkState::kDegraded);
  DetectorSettings settings;
  settings.band_floor = Milliseconds(20);
  settings.recovery = Seconds(2);
  settings.dwell = Seconds(5);
  settings.windows_considered = 5;
  settings.windows_bad = 50;  // clamped to 5
  detector_.SetSettings(settings);
  EXPECT_EQ(state(), LinkState::kDegraded) << "state is kept";
  EXPECT_EQ(StepFor(15, Well(41)), LinkState::kHealthy) << evidence();
  EXPECT_EQ(StepFor(7, Well(70)), LinkState::kDegraded) << evidence();
}

TEST_F(Detecting, LivesWithAnySettingsAndAnyValues) {
  std::mt19937_64 random(3);
  const auto wild = [&] {
    return Nanoseconds(static_cast<std::int64_t>((random() >> 1) >> random() % 62));
  };
  for (int round = 0; round < 50; ++round) {
    DetectorSettings settings;
    settings.window = round % 3 == 0 ? Nanoseconds(0) : settings.window;
    settings.windows_bad = static_cast<std::uint32_t>(random() % 5000);
    settings.windows_considered = static_cast<std::uint32_t>(random() % 5000);
    settings.baseline_windows = static_cast<std::uint32_t>(random() % 30);
    detector_.SetSettings(settings);
    for (int i = 0; i < 400; ++i) {
      now_ += Milliseconds(250);
      WindowValues v = Well();
      if (random() % 3 == 0) v.rtt_p50 = Nanoseconds(wild().count() % 3'600'000'000'000);
      if (random() % 3 == 0) v.rtt_spread = Nanoseconds(wild().count() % 3'600'000'000'000);
      if (random() % 5 == 0) v.rtt_p50.reset();
      if (random() % 5 == 0) v.unanswered_for = Nanoseconds(wild().count() / 4);
      if (random() % 50 == 0) v.sent_recently = random() % 5;
      if (random() % 5 == 0) v.loss.forward = {random() % 700, 600, random() % 9};
      if (random() % 5 == 0) v.forward_hops = static_cast<std::uint32_t>(random() % 4);
      if (random() % 99 == 0) detector_.OnPeerRestart(now_);
      random() % 4 == 0 ? detector_.StepUnjudged(v, now_) : detector_.Step(v, now_);
      ASSERT_FALSE(evidence().empty());
    }
  }
}

}  // namespace
}  // namespace fairlead::linkprobe
