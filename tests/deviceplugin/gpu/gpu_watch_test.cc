#include "deviceplugin/gpu/gpu_watch.h"

#include <gmock/gmock.h>

#include "tests/deviceplugin/gpu/scripted_nvml.h"

namespace fairlead::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class GpuWatchTest : public testing::Test {
 protected:
  void Start(const std::string& library = NVML_TEST_LIBRARY) {
    GpuWatchOptions options;
    options.library = library;
    options.poll = Milliseconds(20);
    options.reopen = Milliseconds(50);
    options.patience = Seconds(60);
    options.health = {.down_after = Milliseconds(1),
                      .up_after = Milliseconds(1),
                      .up_after_fatal = Seconds(3600),
                      .remove_after = Seconds(3600)};
    watch_ = GpuWatch::Start(options, files_, clock_, [this] {
      std::lock_guard lock(mutex_);
      ++changes_;
      changed_.notify_all();
    });
  }
  // Waits for the first report for which `holds` is true.
  bool Await(const std::function<bool(const GpuReport&)>& holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return holds(watch_->Read()); });
  }
  bool AwaitGpus(const std::vector<std::string>& said) {
    return Await([&](const GpuReport& report) { return Said(report) == said; });
  }
  static std::vector<std::string> Said(const GpuReport& report) {
    std::vector<std::string> texts;
    for (const Gpu& gpu : report.gpus) {
      texts.push_back(gpu.uuid + (gpu.healthy ? "" : ": " + gpu.reason));
    }
    return texts;
  }

  ScriptedNvml script_{kTwoGpus};
  ManifestFiles files_ = TwoGpuHost();
  SystemClock clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int changes_ = 0;
  std::unique_ptr<GpuWatch> watch_;  // last: its thread uses the others
};

TEST_F(GpuWatchTest, TheFirstListIsThereAtOnce) {
  Start();
  EXPECT_THAT(Said(watch_->Read()), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  EXPECT_THAT(watch_->Read().problems, IsEmpty());
  EXPECT_GE(watch_->counts().loads, 1u);
}

TEST_F(GpuWatchTest, WithoutTheLibraryThereIsOneSentence) {
  Start("/nowhere/libnvidia-ml.so.1");
  EXPECT_THAT(watch_->Read().gpus, IsEmpty());
  EXPECT_THAT(watch_->Read().problems, ElementsAre(HasSubstr("/nowhere")));
}

TEST_F(GpuWatchTest, ADriverThatComesLaterIsFound) {
  script_.Remove();
  Start();
  EXPECT_THAT(watch_->Read().problems, ElementsAre(HasSubstr("Driver Not Loaded")));
  script_.Set(kTwoGpus);
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb"}));
  EXPECT_THAT(watch_->Read().problems, IsEmpty());
}

TEST_F(GpuWatchTest, AFatalXidMakesItsGpuUnhealthyUntilTheDriverSaysOtherwise) {
  const std::string old_driver = std::string(kTwoGpus) + "fail nvmlDeviceGetFieldValues * 3\n";
  script_.Set(old_driver);
  Start();
  script_.Set(old_driver + "xid 1 13\nxid 1 79\n");
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb: XID 79: the GPU has fallen off the bus"}));
  EXPECT_EQ(watch_->counts().xids, 2u);
  script_.Set(std::string(kTwoGpus) + "xid 1 13\nxid 1 79\n");
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb"}));
}

TEST_F(GpuWatchTest, AFloodOfHarmlessXidsIsCountedAndNoMore) {
  const std::string old_driver = std::string(kTwoGpus) + "fail nvmlDeviceGetFieldValues * 3\n";
  script_.Set(old_driver);
  Start();
  script_.Set(old_driver + "xid 0 13 x 10000\nxid 9 79\nxid 1 48\n");
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb: XID 48: a memory error that cannot be corrected"}));
  EXPECT_EQ(watch_->counts().xids, 10002u);
  EXPECT_EQ(watch_->counts().unknown_gpu, 1u);
  EXPECT_EQ(changes_, 2);
}

TEST_F(GpuWatchTest, ALostGpuComesBack) {
  Start();
  script_.Set(std::string(kTwoGpus) + "fail * 1 15\n");
  EXPECT_TRUE(Await([](const GpuReport& report) {
    return report.gpus.size() == 2 && report.gpus[0].healthy && !report.gpus[1].healthy &&
           report.gpus[1].reason.find("GPU is lost") != std::string::npos;
  }));
  script_.Set(kTwoGpus);
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb"}));
}

TEST_F(GpuWatchTest, AGpuThatIsGoneStaysListedAndComesBack) {
  Start();
  script_.Set("gpu GPU-aaaa\n");
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb: the driver does not list the GPU any more"}));
  script_.Set(kTwoGpus);
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb"}));
}

TEST_F(GpuWatchTest, WaitingThatFailsIsTold) {
  Start();
  script_.Set(std::string(kTwoGpus) + "fail nvmlEventSetWait * 999\n");
  EXPECT_TRUE(Await([](const GpuReport& report) {
    return report.problems.size() == 1 &&
           report.problems[0].find("Cannot wait for XIDs") != std::string::npos;
  }));
  EXPECT_THAT(Said(watch_->Read()), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  EXPECT_GE(watch_->counts().event_failures, 1u);
  script_.Set(kTwoGpus);
  EXPECT_TRUE(Await([](const GpuReport& report) { return report.problems.empty(); }));
}

TEST_F(GpuWatchTest, ADriverThatGoesTakesNoGpuAlong) {
  Start();
  script_.Remove();
  EXPECT_TRUE(Await([](const GpuReport& report) {
    return report.gpus.size() == 2 && !report.gpus[0].healthy && !report.gpus[1].healthy;
  }));
  script_.Set(kTwoGpus);
  EXPECT_TRUE(AwaitGpus({"GPU-aaaa", "GPU-bbbb"}));
}

TEST_F(GpuWatchTest, AnOldLibraryIsPolled) {
  Start(NVML_OLD_LIBRARY);
  EXPECT_THAT(Said(watch_->Read()), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  script_.Set(std::string(kTwoGpus) + "fail nvmlDeviceGetUUID 0 15\n");
  EXPECT_TRUE(Await([](const GpuReport& report) {
    return report.gpus.size() == 2 && !report.gpus[0].healthy && report.gpus[1].healthy;
  }));
}

}  // namespace
}  // namespace fairlead::deviceplugin
