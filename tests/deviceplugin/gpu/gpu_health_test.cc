#include "deviceplugin/gpu/gpu_health.h"

#include <gmock/gmock.h>

#include "deviceplugin/gpu/nvml_abi.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GpuReading Well(std::uint32_t index, const std::string& uuid) {
  GpuReading reading;
  reading.gpu.index = index;
  reading.gpu.uuid = uuid;
  reading.gpu.product = "H200";
  return reading;
}

GpuReading Ill(GpuReading reading, GpuAnswer answer, const std::string& fault) {
  reading.answer = answer;
  reading.fault = fault;
  return reading;
}

GpuReading Acting(GpuReading reading, std::uint32_t recovery_action) {
  reading.recovery_action = recovery_action;
  return reading;
}

// "GPU-a" or "GPU-b: why it is not healthy", by index.
std::vector<std::string> Said(const GpuReport& report) {
  std::vector<std::string> texts;
  for (const Gpu& gpu : report.gpus) {
    texts.push_back(gpu.uuid + (gpu.healthy ? "" : ": " + gpu.reason));
    EXPECT_EQ(gpu.healthy, gpu.reason.empty()) << gpu.reason;
  }
  return texts;
}

class GpuHealthTest : public testing::Test {
 protected:
  // A reading `second` seconds after the start.
  std::vector<std::string> At(int second, std::vector<GpuReading> readings) {
    report_ = book_.Update(readings, MonotonicTime(Seconds(second)));
    return Said(report_);
  }

  const GpuReading a_ = Well(0, "GPU-a");
  const GpuReading b_ = Well(1, "GPU-b");
  GpuHealthBook book_{{.down_after = Seconds(10),
                       .up_after = Seconds(60),
                       .up_after_fatal = Seconds(600),
                       .remove_after = Seconds(900)}};
  GpuReport report_;
};

TEST_F(GpuHealthTest, GpusThatAnswerAreHealthyAtOnce) {
  EXPECT_THAT(At(0, {b_, a_}), ElementsAre("GPU-a", "GPU-b"));
  EXPECT_THAT(report_.problems, IsEmpty());
}

TEST_F(GpuHealthTest, AProgramsErrorChangesNothing) {
  At(0, {a_});
  for (const std::uint64_t xid : {13, 31, 43, 45, 68, 109}) {
    EXPECT_TRUE(book_.Hear("GPU-a", xid));
    EXPECT_THAT(At(1, {a_}), ElementsAre("GPU-a")) << xid;
  }
}

TEST_F(GpuHealthTest, AnXidOfAGpuThatIsNotKnownIsTold) {
  At(0, {a_});
  EXPECT_FALSE(book_.Hear("GPU-x", 79));
  EXPECT_FALSE(book_.Hear("", 79));
  EXPECT_THAT(At(1, {a_}), ElementsAre("GPU-a"));
}

// Which time of quiet heals a GPU, after which XID and with what the driver says.
struct QuietCase {
  std::uint64_t xid;
  std::optional<std::uint32_t> recovery_action;
  int healthy_after;
};

TEST_F(GpuHealthTest, AQuietTimeHeals) {
  const QuietCase cases[] = {{144, std::nullopt, 60},
                             {144, nvml::kRecoveryNone, 60},
                             {79, nvml::kRecoveryNone, 60},
                             {79, std::nullopt, 600},
                             {48, std::nullopt, 600}};
  int start = 0;
  for (const QuietCase& one : cases) {
    SCOPED_TRACE(testing::Message() << "XID " << one.xid << ", " << one.healthy_after << " s");
    GpuReading reading = a_;
    reading.recovery_action = one.recovery_action;
    ASSERT_THAT(At(start, {reading}), ElementsAre("GPU-a"));
    book_.Hear("GPU-a", one.xid);
    EXPECT_THAT(At(start + 1, {reading}), ElementsAre(HasSubstr("XID")));
    EXPECT_THAT(At(start + one.healthy_after, {reading}), ElementsAre(HasSubstr("XID")));
    EXPECT_THAT(At(start + one.healthy_after + 1, {reading}), ElementsAre("GPU-a"));
    start += 10000;
  }
}

TEST_F(GpuHealthTest, EveryFurtherXidBeginsTheQuietTimeAnew) {
  At(0, {a_});
  for (int second = 0; second < 600; second += 50) {
    book_.Hear("GPU-a", 144);
    EXPECT_THAT(At(second, {a_}), ElementsAre("GPU-a: XID 144")) << second;
  }
  book_.Hear("GPU-a", 13);  // harmless: it does not count
  EXPECT_THAT(At(609, {a_}), ElementsAre("GPU-a: XID 144"));
  EXPECT_THAT(At(610, {a_}), ElementsAre("GPU-a"));
}

TEST_F(GpuHealthTest, OneBadMomentIsNotAnIllness) {
  At(0, {a_});
  const GpuReading ill = Ill(a_, GpuAnswer::kFails, "no answer");
  EXPECT_THAT(At(1, {ill}), ElementsAre("GPU-a"));
  EXPECT_THAT(At(10, {ill}), ElementsAre("GPU-a"));
  EXPECT_THAT(At(11, {ill}), ElementsAre("GPU-a: no answer"));
  EXPECT_THAT(At(12, {a_}), ElementsAre("GPU-a: no answer"));
  EXPECT_THAT(At(71, {a_}), ElementsAre("GPU-a: no answer"));
  EXPECT_THAT(At(72, {a_}), ElementsAre("GPU-a"));
}

TEST_F(GpuHealthTest, FailuresWithBreaksDoNotAddUp) {
  At(0, {a_});
  const GpuReading ill = Ill(a_, GpuAnswer::kFails, "no answer");
  for (int second = 0; second < 100; second += 10) {
    EXPECT_THAT(At(second, {ill}), ElementsAre("GPU-a"));
    EXPECT_THAT(At(second + 9, {a_}), ElementsAre("GPU-a"));
  }
}

TEST_F(GpuHealthTest, AGpuThatFailsFromTheStartIsNotHealthy) {
  EXPECT_THAT(At(0, {Ill(a_, GpuAnswer::kFails, "no answer"), b_}),
              ElementsAre("GPU-a: no answer", "GPU-b"));
}

TEST_F(GpuHealthTest, ALostGpuIsRememberedThoughItsUuidCannotBeRead) {
  At(0, {a_, b_});
  const GpuReading lost = Ill(Well(0, ""), GpuAnswer::kLost, "GPU is lost");
  EXPECT_THAT(At(1, {lost, b_}), ElementsAre("GPU-a: GPU is lost", "GPU-b"));
  EXPECT_EQ(report_.gpus[0].product, "H200");
  EXPECT_THAT(At(5000, {lost, b_}), ElementsAre("GPU-a: GPU is lost", "GPU-b"));
  EXPECT_THAT(At(5001, {a_, b_}), ElementsAre("GPU-a: GPU is lost", "GPU-b"));
  EXPECT_THAT(At(5061, {a_, b_}), ElementsAre("GPU-a", "GPU-b"));
}

TEST_F(GpuHealthTest, AGpuThatComesBackHasBeenReset) {
  At(0, {a_});
  book_.Hear("GPU-a", 79);
  const GpuReading lost = Ill(a_, GpuAnswer::kLost, "GPU is lost");
  EXPECT_THAT(At(1, {lost}), ElementsAre("GPU-a: GPU is lost"));
  At(100, {a_});
  EXPECT_THAT(At(160, {a_}), ElementsAre("GPU-a"));  // not after the long time
}

TEST_F(GpuHealthTest, AGpuThatIsNotListedAnyMoreStaysForAWhile) {
  At(0, {a_, b_});
  // The other one has its index now.
  const std::vector<GpuReading> rest{Well(0, "GPU-b")};
  At(1, rest);
  EXPECT_THAT(Said(report_), testing::UnorderedElementsAre(
                                 "GPU-a: the driver does not list the GPU any more", "GPU-b"));
  EXPECT_EQ(At(900, rest).size(), 2u);
  EXPECT_THAT(At(901, rest), ElementsAre("GPU-b"));
}

TEST_F(GpuHealthTest, WithoutAUuidAGpuIsAProblemOnly) {
  EXPECT_THAT(At(0, {Ill(Well(0, ""), GpuAnswer::kFails, "no UUID"), b_}), ElementsAre("GPU-b"));
  EXPECT_THAT(report_.problems,
              ElementsAre("GPU 0 is not offered, since its UUID is not known: no UUID"));
}

TEST_F(GpuHealthTest, TheSecondGpuWithOneUuidIsLeftOut) {
  EXPECT_THAT(At(0, {a_, Well(1, "GPU-a"), Well(2, "GPU-c")}), ElementsAre("GPU-a", "GPU-c"));
  EXPECT_THAT(report_.problems, ElementsAre(HasSubstr("GPU 1 is not offered")));
}

TEST_F(GpuHealthTest, ARecoveryActionThatIsAskedForCountsAtOnce) {
  EXPECT_THAT(At(0, {Acting(a_, nvml::kRecoveryNone)}), ElementsAre("GPU-a"));
  const std::pair<std::uint32_t, const char*> actions[] = {
      {nvml::kRecoveryReset, "a reset of the GPU"},
      {nvml::kRecoveryReboot, "a reboot of the node"},
      {nvml::kRecoveryDrainPeers, "an end of the traffic"},
      {nvml::kRecoveryDrainAndReset, "once its programs have ended"},
      {17, "recovery action 17"}};
  int second = 0;
  for (const auto& [action, words] : actions) {
    EXPECT_THAT(At(++second, {Acting(a_, action)}), ElementsAre(HasSubstr(words)));
  }
  At(10, {Acting(a_, nvml::kRecoveryNone)});
  EXPECT_THAT(At(69, {Acting(a_, nvml::kRecoveryNone)}), ElementsAre(HasSubstr("17")));
  EXPECT_THAT(At(70, {Acting(a_, nvml::kRecoveryNone)}), ElementsAre("GPU-a"));
}

TEST_F(GpuHealthTest, AGpuInMigModeIsNotHandedOut) {
  GpuReading mig = a_;
  mig.mig = true;
  EXPECT_THAT(At(0, {mig, b_}), ElementsAre(HasSubstr("MIG is enabled"), "GPU-b"));
  EXPECT_THAT(report_.problems, ElementsAre(HasSubstr("GPU 0 (GPU-a) is in MIG mode")));
}

TEST_F(GpuHealthTest, ADriverThatIsGoneForAMomentHarmsNobody) {
  At(0, {a_});
  const auto unreadable = [&](int second) {
    return Said(book_.UpdateUnreadable("driver not loaded", MonotonicTime(Seconds(second))));
  };
  EXPECT_THAT(unreadable(1), ElementsAre("GPU-a"));
  EXPECT_THAT(At(2, {a_}), ElementsAre("GPU-a"));
  EXPECT_THAT(unreadable(3), ElementsAre("GPU-a"));
  EXPECT_THAT(unreadable(13), ElementsAre("GPU-a: driver not loaded"));
  EXPECT_THAT(unreadable(902), ElementsAre("GPU-a: driver not loaded"));
  EXPECT_THAT(unreadable(903), IsEmpty());
}

}  // namespace
}  // namespace fairlead::deviceplugin
