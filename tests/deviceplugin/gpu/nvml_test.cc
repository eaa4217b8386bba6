// NVML through dlopen, played by the test library.
#include <gmock/gmock.h>

#include "deviceplugin/gpu/gpu_events.h"
#include "deviceplugin/gpu/gpu_reader.h"
#include "deviceplugin/gpu/gpu_watch.h"
#include "tests/deviceplugin/gpu/scripted_nvml.h"

namespace fairlead::deviceplugin {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class NvmlTest : public testing::Test {
 protected:
  // What one reading gives with this added to the script.
  GpuReport Report(const std::string& more, const std::string& library = NVML_TEST_LIBRARY) {
    script_.Set(kTwoGpus + more);
    return ReadGpusOnce(library, files_);
  }
  static std::vector<std::string> Healthy(const GpuReport& report) {
    std::vector<std::string> uuids;
    for (const Gpu& gpu : report.gpus) {
      if (gpu.healthy) uuids.push_back(gpu.uuid);
    }
    return uuids;
  }

  ScriptedNvml script_{kTwoGpus};
  ManifestFiles files_ = TwoGpuHost();
};

TEST_F(NvmlTest, GpusWithTheirPlaces) {
  const GpuReport report = Report("");
  EXPECT_THAT(report.problems, IsEmpty());
  ASSERT_EQ(report.gpus.size(), 2u);
  const Gpu& first = report.gpus[0];
  EXPECT_EQ(first.uuid, "GPU-aaaa");
  EXPECT_EQ(first.minor, 3u);
  EXPECT_EQ(first.product, "H200");
  EXPECT_EQ(FormatPci(first.pci.value()), "0000:3b:00.0");
  EXPECT_EQ(first.pci_path.value().host_bridge, "pci0000:3a");
  EXPECT_EQ(first.numa_node, 1);
  EXPECT_TRUE(first.healthy);
  const Gpu& second = report.gpus[1];
  EXPECT_EQ(second.index, 1u);
  EXPECT_EQ(FormatPci(second.pci.value()), "10000:af:00.0");
  EXPECT_EQ(second.pci_path.value().hops.size(), 2u);
  EXPECT_EQ(second.numa_node, -1);
}

TEST_F(NvmlTest, NoLibraryIsNoGpusAndOneSentence) {
  const GpuReport report = Report("", "/nowhere/libnvidia-ml.so.1");
  EXPECT_THAT(report.gpus, IsEmpty());
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("/nowhere/libnvidia-ml.so.1")));
}

TEST_F(NvmlTest, AnotherLibraryIsNotNvml) {
  const auto opened = NvmlLibrary::Open("libm.so.6");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(opened.error().message, HasSubstr("it has no nvmlInit_v2"));
}

TEST_F(NvmlTest, NoDriverIsNoGpusAndOneSentence) {
  script_.Remove();
  const GpuReport report = ReadGpusOnce(NVML_TEST_LIBRARY, files_);
  EXPECT_THAT(report.gpus, IsEmpty());
  EXPECT_THAT(report.problems,
              ElementsAre("Cannot reach the NVIDIA driver: nvmlInit: Driver Not Loaded (NVML "
                          "error 9)"));
}

TEST_F(NvmlTest, NoPermission) {
  script_.Set("fail nvmlInit * 4\n");
  const auto opened = NvmlLibrary::Open(NVML_TEST_LIBRARY);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kPermissionDenied);
}

TEST_F(NvmlTest, AnOldLibraryGivesWhatItHas) {
  const GpuReport report = Report("", NVML_OLD_LIBRARY);
  EXPECT_THAT(Healthy(report), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  EXPECT_EQ(report.gpus[0].pci, std::nullopt);
  EXPECT_EQ(report.gpus[1].minor, 1u);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("nvmlDeviceGetPciInfo_v3")));
  const auto library = NvmlLibrary::Open(NVML_OLD_LIBRARY);
  ASSERT_TRUE(library);
  GpuEvents events(**library);
  events.Add(GpuReader(**library, files_).Read()->handles);
  EXPECT_FALSE(events.listening());
  EXPECT_THAT(events.problems(), ElementsAre(HasSubstr("nvmlEventSetCreate is not in this")));
}

TEST_F(NvmlTest, ErrorsOfAnOldLibraryAreNumbers) {
  script_.Set("fail nvmlInit * 18\n");
  const auto opened = NvmlLibrary::Open(NVML_OLD_LIBRARY);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("NVML error 18"));
}

// Each call that fails for one GPU; the other one is healthy every time.
struct FailureCase {
  const char* failure;
  bool listed;   // the GPU is in the list
  bool healthy;  // and healthy
  const char* said;
};

TEST_F(NvmlTest, OneGpuThatFailsHidesNoOther) {
  const FailureCase cases[] = {
      {"nvmlDeviceGetHandleByIndex 0 999", false, false, "nvmlDeviceGetHandleByIndex"},
      {"nvmlDeviceGetUUID 0 999", false, false, "nvmlDeviceGetUUID"},
      {"nvmlDeviceGetName 0 999", true, false, "nvmlDeviceGetName"},
      {"nvmlDeviceGetMinorNumber 0 999", true, true, "nvmlDeviceGetMinorNumber"},
      {"nvmlDeviceGetPciInfo 0 999", true, true, "nvmlDeviceGetPciInfo"},
      {"nvmlDeviceGetMigMode 0 999", true, false, "nvmlDeviceGetMigMode"},
      {"nvmlDeviceGetMigMode 0 3", true, true, ""},
      {"nvmlDeviceGetFieldValues 0 3", true, true, ""},
      {"nvmlDeviceGetTemperature 0 3", true, true, ""},
      {"nvmlDeviceGetTemperature 0 15", true, false, "GPU is lost (NVML error 15)"},
      {"nvmlDeviceGetTemperature 0 16", true, false, "NVML error 16"},
      {"* 0 15", false, false, "GPU is lost"}};
  for (const FailureCase& one : cases) {
    SCOPED_TRACE(one.failure);
    const GpuReport report = Report(std::string("fail ") + one.failure + "\n");
    EXPECT_THAT(Healthy(report), Contains("GPU-bbbb"));
    EXPECT_EQ(report.gpus.size(), one.listed ? 2u : 1u);
    EXPECT_EQ(Healthy(report).size(), one.healthy ? 2u : 1u);
    std::string said;
    for (const std::string& problem : report.problems) said += problem;
    for (const Gpu& gpu : report.gpus) said += gpu.reason;
    EXPECT_THAT(said, HasSubstr(one.said));
    EXPECT_EQ(said.empty(), std::string(one.said).empty()) << said;
  }
}

TEST_F(NvmlTest, AListThatCannotBeHadIsAProblem) {
  const GpuReport report = Report("fail nvmlDeviceGetCount * 999\n");
  EXPECT_THAT(report.gpus, IsEmpty());
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("nvmlDeviceGetCount: Unknown Error")));
}

TEST_F(NvmlTest, TextThatIsNoUuidNamesNoGpu) {
  const GpuReport report = Report("gpu -\ngpu GPU-1,all\n");
  EXPECT_THAT(Healthy(report), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  EXPECT_EQ(report.gpus.size(), 2u);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("\"\" is not a UUID"),
                                           HasSubstr("\"GPU-1,all\" is not a UUID")));
}

TEST_F(NvmlTest, APlaceThatIsNoneIsLeftOut) {
  const GpuReport report = Report("gpu GPU-cccc pci=0000:fff:00.0\n");
  ASSERT_EQ(report.gpus.size(), 3u);
  EXPECT_EQ(report.gpus[2].pci, std::nullopt);
  EXPECT_TRUE(report.gpus[2].healthy);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("bus 4095")));
}

TEST_F(NvmlTest, MigIsNoticed) {
  const GpuReport report = Report("gpu GPU-cccc mig=1\n");
  EXPECT_THAT(Healthy(report), ElementsAre("GPU-aaaa", "GPU-bbbb"));
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("GPU 2 (GPU-cccc) is in MIG mode")));
}

TEST_F(NvmlTest, AFloodOfEventsIsTakenInParts) {
  const auto library = NvmlLibrary::Open(NVML_TEST_LIBRARY);
  ASSERT_TRUE(library);
  GpuEvents events(**library);
  events.Add(GpuReader(**library, files_).Read()->handles);
  ASSERT_TRUE(events.listening());
  EXPECT_THAT(events.problems(), IsEmpty());
  script_.Set(std::string(kTwoGpus) + "xid 1 13 x 2500\nevent 0 0x8000\nxid 7 79\n");
  std::size_t xids = 0;
  std::size_t unknown = 0;
  bool other = false;
  for (int batch = 0; batch < 3; ++batch) {
    const GpuEventBatch got = events.Wait(Milliseconds(0));
    EXPECT_LE(got.xids.size(), 1024u);
    for (const GpuXid& xid : got.xids) {
      ++xids;
      if (xid.uuid.empty()) ++unknown;
    }
    other |= got.other;
  }
  EXPECT_EQ(xids, 2501u);
  EXPECT_EQ(unknown, 1u);
  EXPECT_TRUE(other);
}

TEST_F(NvmlTest, AGpuWithoutEventsIsPolled) {
  script_.Set("gpu GPU-aaaa events=0\ngpu GPU-bbbb\n");
  const auto library = NvmlLibrary::Open(NVML_TEST_LIBRARY);
  ASSERT_TRUE(library);
  GpuEvents events(**library);
  events.Add(GpuReader(**library, files_).Read()->handles);
  EXPECT_TRUE(events.listening());
  EXPECT_THAT(events.problems(), ElementsAre(HasSubstr("No XIDs are reported of GPU-aaaa")));
}

}  // namespace
}  // namespace fairlead::deviceplugin
